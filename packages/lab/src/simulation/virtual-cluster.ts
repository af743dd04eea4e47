import type { Bound } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import { Frontier, type JobPort, type Question, type Subtree } from "@gridlock/solver";
import type { VirtualMachine, VirtualThread } from "./machine.js";
import { Network, type Traffic } from "./network.js";
import type { SimulationOptions } from "./options.js";

/** Nodes between two checks of a thread, where it can be stopped. */
const CHECK = 256;
/** Milliseconds between two exchanges of bounds, however many nodes a machine expands meanwhile. */
const EXCHANGE_MS = 4;

/** Subtrees that a machine has taken at a time: it searches one, and does not wait for the next one. */
const TAKEN = 2;

/** A message on its way. */
interface Message {
  readonly due: number;
  arrive(): Promise<void> | void;
}

/**
 * Machines that answer questions together, by the rules of a cluster's coordinator. All threads
 * advance in lock step, and machines meet only where batches or messages are sent or due, so they can
 * search on any number of processors at the same time, and the same options always give the same
 * result.
 */
export class VirtualCluster implements JobPort {
  readonly #machines: readonly VirtualMachine[];
  readonly #options: SimulationOptions;
  readonly #onProgress: (time: number, nodes: number) => void;
  readonly #network: Network;
  readonly #frontier: Frontier;
  /** Messages under way, the first due first. */
  readonly #messages: Message[] = [];
  /** Subtrees on the queue, and machines that wait for one. */
  #waiting: Subtree[] = [];
  #idle: VirtualMachine[];
  #exchange: number;
  #now = 0;
  /** The question under way. */
  question: Question | undefined;
  subtrees = 0;

  constructor(
    machines: readonly VirtualMachine[],
    options: SimulationOptions,
    onProgress: (time: number, nodes: number) => void,
  ) {
    this.#machines = machines;
    this.#options = options;
    this.#onProgress = onProgress;
    this.#network = new Network(machines, options);
    this.#frontier = new Frontier(options.game);
    this.#idle = Array.from({ length: TAKEN }, () => machines).flat();
    this.#exchange = options.every;
  }

  get time(): number {
    return this.#now;
  }

  get nodes(): number {
    return this.#machines.reduce((sum, machine) => sum + machine.nodes, 0);
  }

  /** Never called: a simulation is stopped by the end of its thread. */
  stop(): void {}

  counts(): NodeCounts {
    return { positions: this.nodes, afterstates: 0 };
  }

  get traffic(): Traffic {
    return this.#network.traffic;
  }

  /** Answers a question, from the time at which the one before was answered. */
  async ask(question: Question): Promise<Bound | undefined> {
    this.question = question;
    this.#frontier.open(question, this.nodes);
    for (const machine of this.#machines) {
      // A machine alone is the measure of all others: no message to itself takes time.
      if (this.#machines.length === 1) await this.#begin(machine, question, this.#now);
      else this.#post(this.#now, () => this.#begin(machine, question, this.#now));
    }
    this.#refill();
    while (this.#frontier.answer === undefined) {
      const [first] = this.#messages;
      const next = Math.min(this.#exchange, this.#network.nextDue, first?.due ?? this.#exchange);
      await this.#advance(next);
      if (this.#frontier.answer) break;
      this.#now = Math.max(this.#now, next);
      if (next === this.#exchange) {
        this.#exchange += this.#options.every;
        this.#network.send(next);
        this.#refill();
      }
      this.#network.deliver(next);
      while ((this.#messages[0]?.due ?? Number.POSITIVE_INFINITY) <= next) {
        await this.#messages.shift()?.arrive();
        if (this.#frontier.answer) break;
      }
      this.#onProgress(this.#now, this.nodes);
    }
    const { answer } = this.#frontier;
    this.#frontier.close();
    this.#refill();
    return answer;
  }

  /** Sends a message, which arrives after the delay. */
  #post(sent: number, arrive: Message["arrive"]): void {
    const due = sent + this.#options.delay;
    const at = this.#messages.findIndex((message) => message.due > due);
    this.#messages.splice(at < 0 ? this.#messages.length : at, 0, { due, arrive });
  }

  /** Lets the coordinator change its queue, and gives what waits to machines. */
  #refill(): void {
    // The time of the coordinator, in which it limits its messages.
    const now = (EXCHANGE_MS * this.#now) / this.#options.every;
    const { queue, drop } = this.#frontier.refill(this.#machines.length, this.nodes, now);
    this.#waiting = [...this.#waiting.filter(({ id }) => !drop.includes(id)), ...queue];
    for (const machine of this.#machines) {
      for (const given of drop.filter((id) => machine.given.has(id))) {
        this.#post(this.#now, async () => {
          if (machine.task?.subtree?.id === given) await this.#end(machine, this.#now);
          else if (machine.waiting.some(({ id }) => id === given)) {
            machine.waiting = machine.waiting.filter(({ id }) => id !== given);
            this.#report(machine, given, undefined, this.#now);
          }
        });
      }
    }
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const machine = this.#idle.shift() as VirtualMachine;
      const subtree = this.#waiting.shift() as Subtree;
      machine.given.add(subtree.id);
      this.#post(this.#now, async () => {
        if (machine.task?.subtree) machine.waiting.push(subtree);
        else await this.#begin(machine, subtree, this.#now, subtree);
      });
    }
  }

  /** Has a machine search a subtree, or the question itself unless it searches a subtree. */
  async #begin(
    machine: VirtualMachine,
    question: Question,
    time: number,
    subtree?: Subtree,
  ): Promise<void> {
    const { task } = machine;
    if (subtree === undefined) {
      if (task?.subtree || task?.question === question || question !== this.question) return;
    }
    await machine.stop();
    machine.search({ question, subtree }, time);
    for (const thread of machine.threads) await this.#look(machine, thread);
  }

  /** Ends the search of a machine if a thread has an answer, or all have ended without one. */
  async #look(machine: VirtualMachine, thread: VirtualThread): Promise<void> {
    if (machine.task === undefined || !thread.hasEnded) return;
    const isLast = machine.threads.every(({ hasEnded }) => hasEnded);
    if (isLast || (await thread.answer) !== undefined) await this.#end(machine, thread.time());
  }

  /** Ends the search of a machine, at its own time; its answer is on its way, and it goes on. */
  async #end(machine: VirtualMachine, time: number): Promise<void> {
    const { task } = machine;
    const bound = await machine.stop();
    if (task === undefined) return;
    const { question, subtree } = task;
    if (subtree) {
      this.#report(machine, subtree.id, bound, time);
      const next = machine.waiting.shift();
      if (next) await this.#begin(machine, next, time, next);
      else if (this.question) await this.#begin(machine, this.question, time);
    } else if (bound) {
      this.#answer(time, () => {
        if (question === this.question) this.#frontier.learn(bound);
      });
    } else throw new RangeError("the search went deeper than its stack allows");
  }

  /** Sends the result of a subtree; after that, the machine may have another one. */
  #report(machine: VirtualMachine, id: number, bound: Bound | undefined, time: number): void {
    this.#answer(time, () => {
      machine.given.delete(id);
      this.#frontier.finish(id, bound);
      this.#idle.push(machine);
      this.subtrees++;
    });
  }

  #answer(time: number, arrive: () => void): void {
    if (this.#machines.length === 1) {
      arrive();
      this.#now = time;
      return;
    }
    this.#post(time, () => {
      arrive();
      this.#refill();
    });
  }

  /** Lets all threads search until a time. Those of one machine take turns, since they share a table. */
  async #advance(until: number): Promise<void> {
    const { threads } = this.#options;
    const from = this.#now;
    const slice = threads === 1 ? until - from : CHECK;
    for (let time = from; time < until; time += slice) {
      for (let i = 0; i < threads; i++) {
        await this.#run(i, Math.min(time + slice, until));
        if (this.#frontier.answer) return;
      }
    }
  }

  /** Lets a thread of each machine search until its clock shows a time. */
  async #run(thread: number, until: number): Promise<void> {
    const isUnderWay = (machine: VirtualMachine) => machine.isUnderWay(thread, until);
    for (let moving = this.#machines.filter(isUnderWay); moving.length > 0; ) {
      for (const { threads } of moving) threads[thread]?.steps.goOn();
      for (const { threads } of moving) threads[thread]?.arrive();
      for (const machine of moving) {
        await this.#look(machine, machine.threads[thread] as VirtualThread);
      }
      if (this.#frontier.answer) return;
      moving = this.#machines.filter(isUnderWay);
    }
  }
}
