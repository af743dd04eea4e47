import { effortOf, type Journal } from "@gridlock/kernel";

/** An effort above that of any bound, for a journal that takes only announcements. */
const NO_BOUND = 63;

/** The records that a machine shares with others. */
export interface PassedOn {
  /** Nodes that a bound must have cost; `undefined`: no bounds are shared. */
  readonly share: number | undefined;
  /** Whether a cheaper bound is shared the first time that it decides a node. */
  readonly reuse: boolean;
  /** Nodes of work after which a node is announced; 0: nodes are not announced. */
  readonly announce: number;
}

/** Sets a journal up to record bounds and announcements for other machines. */
export function openJournal(journal: Journal, { share, reuse, announce }: PassedOn): void {
  const effort = share === undefined ? NO_BOUND : effortOf(share);
  journal.open(effort);
  // At the effort 2 and below only entries of one node would be left to reuse, which are more than half of all.
  const reuseEffort = reuse && share !== undefined && effort > 2 ? effort : 0;
  journal.share({ reuseEffort, announceAfter: announce });
}
