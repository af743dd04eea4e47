/*
 * Distributes the visits of a step among machines. A machine that has a block in memory need not
 * read it, so it gets the visits of its blocks. A machine that has none left takes a visit from the
 * machine with the most work left, if that saves time. Costs are estimates: they decide who visits
 * a block, but not what the visit finds.
 */
import type { VisitLoad } from "./visits.js";

/** The expected cost of a visit, in seconds; of reading the block where it is not in memory. */
export interface VisitEstimate {
  readonly work: number;
  readonly reading: number;
}

/**
 * Seconds that each visit takes with its save, and more for each demand, answer or node to expand:
 * on 2×6 most visits take 2 to 5 µs for each.
 */
const VISIT_S = 1.2e-3;
const PENDING_S = 3.5e-6;
/** Seconds for reading a settled board, and a node; and for writing a board. */
const BOARD_S = 1e-8;
const NODE_S = 1e-7;
const WRITTEN_BOARD_S = 2.5e-8;

/** Returns the expected cost of a visit. */
export function estimateOf({ pending, boards, live }: VisitLoad, isMerge = false): VisitEstimate {
  const writing = isMerge ? WRITTEN_BOARD_S * boards : 0; // otherwise only changes are written
  return {
    work: VISIT_S + PENDING_S * pending + writing,
    reading: BOARD_S * boards + NODE_S * live,
  };
}

interface Waiting<Task> {
  readonly task: Task;
  readonly cost: VisitEstimate;
}

/** The visits of a machine's blocks that it has yet to begin, and its expected work until then. */
interface Share<Task> {
  readonly waiting: Waiting<Task>[];
  /** Seconds of these visits, and of those under way. */
  seconds: number;
}

/**
 * Distributes visits. Each machine that is gone must be reported, since otherwise the visits of its
 * blocks would wait for it.
 */
export class Dispatcher<Task, Machine> {
  readonly #threadsOf: (machine: Machine) => number;
  /** The machines that may have blocks in memory. */
  readonly #holders = new Map<string, Machine>();
  readonly #shares = new Map<Machine, Share<Task>>();
  /** Visits of blocks that no machine has in memory. */
  readonly #free: Waiting<Task>[] = [];
  readonly #underWay = new Map<Task, { readonly share: Share<Task>; readonly seconds: number }>();
  /**
   * True if no visit is worth taking over. This stays so until more are added or a machine is gone:
   * otherwise the work left before the waiting visits only falls.
   */
  #isShared = false;

  /** @param threadsOf returns the number of threads of a machine */
  constructor(threadsOf: (machine: Machine) => number) {
    this.#threadsOf = threadsOf;
  }

  /** Records which machine has visited a block last, or, without a machine, that none has it. */
  setHolder(block: string, machine: Machine | undefined): void {
    if (machine === undefined) this.#holders.delete(block);
    else this.#holders.set(block, machine);
  }

  /** Returns the machine that may have a block in memory. */
  holderOf(block: string): Machine | undefined {
    return this.#holders.get(block);
  }

  /** Adds a visit of a block; those that are added first are made first. */
  add(task: Task, block: string, cost: VisitEstimate): void {
    const holder = this.#holders.get(block);
    this.#isShared = false;
    if (holder === undefined) {
      this.#free.push({ task, cost });
      return;
    }
    const share = this.#shareOf(holder);
    share.waiting.push({ task, cost });
    share.seconds += cost.work;
  }

  #shareOf(machine: Machine): Share<Task> {
    const share = this.#shares.get(machine) ?? { waiting: [], seconds: 0 };
    this.#shares.set(machine, share);
    return share;
  }

  /**
   * Takes the next visit for an idle thread of a machine, which must report its end; undefined if
   * the machine should make none now.
   */
  take(machine: Machine): Task | undefined {
    const own = this.#shareOf(machine);
    const next = own.waiting.shift();
    if (next !== undefined) {
      own.seconds -= next.cost.work;
      return this.#begin(own, next.task, next.cost.work);
    }
    const other = this.#free.shift() ?? this.#takeOver();
    if (other === undefined) return undefined;
    return this.#begin(own, other.task, other.cost.work + other.cost.reading);
  }

  #begin(share: Share<Task>, task: Task, seconds: number): Task {
    this.#underWay.set(task, { share, seconds });
    share.seconds += seconds;
    return task;
  }

  /** Records that a visit is made. */
  end(task: Task): void {
    const begun = this.#underWay.get(task);
    if (begun === undefined) return;
    this.#underWay.delete(task);
    begun.share.seconds -= begun.seconds;
  }

  /**
   * Takes a visit over from the machine with the most work left for each of its threads, among those
   * with a visit that would be done sooner elsewhere.
   */
  #takeOver(): Waiting<Task> | undefined {
    if (this.#isShared) return undefined;
    let from: Share<Task> | undefined;
    let best = -1;
    let most = 0;
    for (const [machine, share] of this.#shares) {
      const left = share.seconds / this.#threadsOf(machine);
      if (left <= most) continue;
      const found = bestWithin(share.waiting, left);
      if (found < 0) continue;
      from = share;
      best = found;
      most = left;
    }
    if (from === undefined) {
      this.#isShared = true;
      return undefined;
    }
    const [taken] = from.waiting.splice(best, 1) as [Waiting<Task>];
    from.seconds -= taken.cost.work;
    return taken;
  }

  /** Takes all visits that wait. */
  takeAll(): Task[] {
    const all = this.#free.splice(0);
    for (const { waiting } of this.#shares.values()) all.push(...waiting);
    this.#shares.clear();
    this.#underWay.clear();
    return all.map(({ task }) => task);
  }

  /** Leaves the visits and blocks of all machines but these to others: they are gone. */
  keepOnly(machines: readonly Machine[]): void {
    const here = new Set(machines);
    for (const [machine, { waiting }] of this.#shares) {
      if (here.has(machine)) continue;
      this.#free.push(...waiting);
      this.#shares.delete(machine);
    }
    for (const [block, holder] of this.#holders) {
      if (!here.has(holder)) this.#holders.delete(block);
    }
    this.#isShared = false;
  }
}

/**
 * Returns the index of the visit with the most work for what reading its block takes, among those
 * that take less than `seconds` together with it; or −1.
 */
function bestWithin(waiting: readonly Waiting<unknown>[], seconds: number): number {
  let best = -1;
  let gain = 0;
  for (const [i, { cost }] of waiting.entries()) {
    if (cost.work + cost.reading >= seconds || cost.work / cost.reading <= gain) continue;
    best = i;
    gain = cost.work / cost.reading;
  }
  return best;
}
