import { effortOf, type Journal } from "@gridlock/kernel";

/** Efforts end at 63: the least that no bound ever has cost, for a journal that takes announcements alone. */
const NO_BOUND = 63;

/** What a machine passes on to others. */
export interface PassedOn {
  /** Nodes that a bound must have cost; `undefined`: no bound is passed on. */
  readonly share: number | undefined;
  /** Whether a cheaper bound is passed on the first time that it decides something. */
  readonly reuse: boolean;
  /** Nodes of work after which a node is announced; 0: none is. */
  readonly announce: number;
}

/** Has a journal take what is for other machines. */
export function openJournal(journal: Journal, { share, reuse, announce }: PassedOn): void {
  const effort = share === undefined ? NO_BOUND : effortOf(share);
  journal.open(effort);
  // At the effort 2 and below only entries of one node would be left to reuse, which are more than half of all.
  const reuseEffort = reuse && share !== undefined && effort > 2 ? effort : 0;
  journal.share({ reuseEffort, announceAfter: announce });
}
