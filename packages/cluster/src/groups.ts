import { EMPTY_GROUP_MS } from "./timing.js";

/** Workers that share bounds with each other, in the order in which they joined. */
export interface Group {
  readonly id: string;
  readonly workers: readonly string[];
}

/** A worker's place in a run. */
export interface Place {
  readonly group: string;
  /** Number of the worker's own order of children; 0, the common order, for the first of a group. */
  readonly order: number;
  /** The other workers of its group. */
  readonly peers: readonly string[];
}

/**
 * Divides the workers of a run into groups: one, or two that share nothing with each other if
 * answers are checked. A worker stays in its group, also if it is away for a time. If a group stays
 * empty while the other has two workers or more, both are formed anew, under other names, and begin
 * with empty tables: what a worker has told its group must not reach the group that checks it.
 */
export class Groups {
  readonly #isChecked: boolean;
  #formed = 0;
  /** The group of each worker that was ever in one of these groups. */
  readonly #placed = new Map<string, string>();
  #emptySince: number | undefined;
  #groups: readonly { readonly id: string; workers: string[] }[];

  constructor(isChecked: boolean) {
    this.#isChecked = isChecked;
    this.#groups = this.#form([]);
  }

  get all(): readonly Group[] {
    return this.#groups;
  }

  /** Returns the group of this id. */
  find(id: string): Group | undefined {
    return this.#groups.find((group) => group.id === id);
  }

  /**
   * Removes workers that are gone, and gives those that are new a place.
   *
   * @param workers the names of all workers that are there
   * @param now milliseconds of `performance.now`
   * @returns whether groups were formed anew, so that their answers no longer count
   */
  update(workers: readonly string[], now = performance.now()): boolean {
    for (const group of this.#groups) {
      group.workers = group.workers.filter((name) => workers.includes(name));
    }
    for (const name of workers) {
      if (this.#groups.some((group) => group.workers.includes(name))) continue;
      const smallest = this.#groups.reduce((a, b) => (b.workers.length < a.workers.length ? b : a));
      const placed = this.#placed.get(name);
      const group = this.#groups.find(({ id }) => id === placed) ?? smallest;
      group.workers.push(name);
      this.#placed.set(name, group.id);
    }
    const isOneEmpty = this.#groups.some((group) => group.workers.length === 0);
    if (!isOneEmpty || workers.length < 2) this.#emptySince = undefined;
    else this.#emptySince ??= now;
    if (this.#emptySince === undefined || now - this.#emptySince < EMPTY_GROUP_MS) return false;
    this.#emptySince = undefined;
    this.#groups = this.#form(this.#groups.flatMap((group) => group.workers));
    return true;
  }

  #form(workers: readonly string[]): { readonly id: string; workers: string[] }[] {
    if (!this.#isChecked) return [{ id: "all", workers: [...workers] }];
    this.#formed++;
    this.#placed.clear();
    const groups = ["a", "b"].map((name, i) => ({
      id: `${name}${this.#formed}`,
      workers: workers.filter((_, j) => j % 2 === i),
    }));
    for (const { id, workers } of groups) for (const name of workers) this.#placed.set(name, id);
    return groups;
  }
}

/** Returns the place of a worker, once the coordinator has given it one. */
export function placeIn(groups: readonly Group[], name: string): Place | undefined {
  const group = groups.find(({ workers }) => workers.includes(name));
  if (!group) return undefined;
  const peers = group.workers.filter((worker) => worker !== name);
  return { group: group.id, order: group.workers.indexOf(name), peers };
}
