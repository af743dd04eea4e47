import type { Bound } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import {
  type Agenda,
  Answers,
  Frontier,
  isSameQuestion,
  type JobPort,
  type Question,
} from "@gridlock/solver";
import type { Announced, Job, VirtualMachine, VirtualThread } from "./machine.js";
import { Network, type Traffic } from "./network.js";
import type { SimulationOptions } from "./options.js";

/** Nodes between two checks of a thread, where it can be stopped. */
const CHECK = 256;
/** Milliseconds between two exchanges of bounds, however many nodes a machine expands meanwhile. */
const EXCHANGE_MS = 4;

/** Subtrees that a machine takes at a time: it searches one, and need not wait for the next. */
const TAKEN = 2;

/** A message on its way. */
interface Message {
  readonly due: number;
  arrive(): Promise<void> | void;
}

/**
 * Machines that answer questions together, by the rules of a cluster's coordinator. All threads
 * advance in lock step, and machines meet only where batches or messages are sent or due, so they
 * can search on any number of processors at the same time, and the same options always give the
 * same result.
 */
export class VirtualCluster implements JobPort {
  readonly #machines: readonly VirtualMachine[];
  readonly #options: SimulationOptions;
  readonly #onProgress: (time: number, nodes: number) => void;
  readonly #network: Network;
  readonly #frontier: Frontier;
  /** The answers that have reached the coordinator. */
  readonly #answers = new Answers();
  /** Bounds under way, and other messages, the first due first. */
  readonly #batches: Message[] = [];
  readonly #messages: Message[] = [];
  /** Subtrees on the queue, and machines that wait for one. */
  #waiting: Job[] = [];
  #idle: VirtualMachine[];
  #exchange: number;
  #now = 0;
  /** The question under way, and what it comes from in a solve. */
  question: Question | undefined;
  agenda: Agenda | undefined;
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
    this.#learn(question, this.#answers.get(question));
    for (const machine of this.#machines) {
      // A machine alone is the measure of all others: no message to itself takes time.
      const announced = { question, agenda: this.agenda };
      if (this.#machines.length === 1) await this.#announce(machine, announced);
      else this.#post(this.#now, () => this.#announce(machine, announced));
    }
    this.#refill();
    while (this.#frontier.answer === undefined) {
      const [batch, message] = [this.#batches[0], this.#messages[0]];
      const next = Math.min(this.#exchange, batch?.due ?? Infinity, message?.due ?? Infinity);
      await this.#advance(next);
      if (this.#frontier.answer) break;
      this.#now = Math.max(this.#now, next);
      if (next === this.#exchange) {
        this.#exchange += this.#options.every;
        const due = next + this.#options.delay;
        if (this.#machines.length > 1) this.#batches.push({ due, arrive: this.#network.send() });
        this.#refill();
      }
      while ((this.#batches[0]?.due ?? Infinity) <= next) await this.#batches.shift()?.arrive();
      while ((this.#messages[0]?.due ?? Infinity) <= next) {
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
    const added = queue.map((subtree) => ({ subtree, of: this.question as Question }));
    this.#waiting = [
      ...this.#waiting.filter(({ subtree: { id } }) => !drop.includes(id)),
      ...added,
    ];
    for (const machine of this.#machines) {
      for (const given of drop.filter((id) => machine.given.has(id))) {
        this.#post(this.#now, async () => {
          if (machine.task?.job?.subtree.id === given) await this.#end(machine, this.#now);
          else this.#giveBack(machine, ({ subtree }) => subtree.id === given);
        });
      }
    }
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const machine = this.#idle.shift() as VirtualMachine;
      const job = this.#waiting.shift() as Job;
      machine.given.add(job.subtree.id);
      this.#post(this.#now, async () => {
        machine.waiting.push(job);
        if (machine.task?.job === undefined) await this.#goOn(machine, this.#now);
      });
    }
  }

  /** Tells a machine the question of the run. */
  async #announce(machine: VirtualMachine, announced: Announced): Promise<void> {
    machine.announced = announced;
    await this.#goOn(machine, this.#now);
  }

  /** Tells a machine an answer that another one has found. */
  async #hear(machine: VirtualMachine, question: Question, bound: Bound): Promise<void> {
    machine.answers.add(question, bound);
    const isOver = ({ of }: Job) => machine.answers.get(of) !== undefined;
    this.#giveBack(machine, isOver);
    if (machine.task?.job && isOver(machine.task.job)) await this.#end(machine, this.#now);
    else await this.#goOn(machine, this.#now);
  }

  /** Has a machine do a waiting job or else search the open question, unless it does so already. */
  async #goOn(machine: VirtualMachine, time: number): Promise<void> {
    const { task } = machine;
    if (task?.job) return;
    const job = machine.waiting.shift();
    const question = job?.subtree ?? machine.open;
    if (!job && task && question && isSameQuestion(task.question, question)) return;
    await machine.stop();
    if (question === undefined) return;
    machine.search({ question, job }, time);
    for (const thread of machine.threads) await this.#look(machine, thread);
  }

  /** Has a machine give back jobs that wait. */
  #giveBack(machine: VirtualMachine, isMeant: (job: Job) => boolean): void {
    const given = machine.waiting.filter(isMeant);
    machine.waiting = machine.waiting.filter((job) => !isMeant(job));
    for (const { subtree } of given) this.#report(machine, subtree.id, undefined, this.#now);
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
    const { question, job } = task;
    if (job) this.#report(machine, job.subtree.id, bound, time);
    else if (bound) this.#tell(machine, question, bound, time);
    else throw new RangeError("the search went deeper than its stack allows");
    await this.#goOn(machine, time);
  }

  /** Sends an answer to the coordinator and to all other machines. */
  #tell(machine: VirtualMachine, question: Question, bound: Bound, time: number): void {
    machine.answers.add(question, bound);
    this.#answer(time, () => {
      this.#answers.add(question, bound);
      this.#learn(question, bound);
    });
    for (const other of this.#machines) {
      if (other !== machine) this.#post(time, () => this.#hear(other, question, bound));
    }
  }

  /** Takes an answer, if it is to the question of the run. */
  #learn(question: Question, bound: Bound | undefined): void {
    const isOpen = this.question && isSameQuestion(question, this.question);
    if (bound && isOpen) this.#frontier.learn(bound);
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

  /** Lets all threads search until a time; a machine's take turns, since they share a table. */
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
