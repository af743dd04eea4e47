import type { Crew, Ended } from "./crew.js";
import type { Answer } from "./deferral.js";
import type { Task } from "./desk.js";
import type { SimulationOptions } from "./options.js";
import { ProofTree, type TreeNode } from "./proof-tree.js";

/** Number of jobs queued for each thread, so that no thread has to wait for one. */
const WAITING = 4;

/**
 * Job-level proof-number search (Wu et al., IEEE TCIAIG 5, 2013): a master keeps a proof-number tree whose leaves
 * are searched by jobs of so many nodes each; a leaf that its job does not settle is expanded. The master learns
 * what came of a job after the network's delay; it looks up new leaves in the first machine's table. Jobs reach
 * machines in no time, and those not begun are dealt anew at each barrier, which is kinder than a real network.
 */
export async function searchByJobs(
  crew: Crew,
  { game, question, job, delay }: SimulationOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const known = crew.kernelOf(0);
  const tree = new ProofTree(game, question, (node) => known.look(node));
  const nodes = new Map<Task, TreeNode>();
  let underWay: Ended[] = [];
  for (;;) {
    signal?.throwIfAborted();
    deal();
    underWay.push(...(await crew.advance()));
    const due = underWay.filter(({ time }) => time + delay <= crew.now);
    underWay = underWay.filter(({ time }) => time + delay > crew.now);
    due.sort((a, b) => a.time - b.time);
    for (const { task, outcome, time } of due) {
      const node = nodes.get(task) as TreeNode;
      nodes.delete(task);
      tree.occupy(node, -1);
      if (outcome) tree.settle(node, outcome);
      else tree.expand(node);
      if (tree.settled) {
        const { threshold } = question;
        const yes = tree.root.proof === 0;
        const bound = yes
          ? { lo: threshold, hi: Number.POSITIVE_INFINITY }
          : { lo: 0, hi: threshold - 4 };
        return { bound, time: time + delay };
      }
    }
  }

  /** Gives each thread jobs to go on with, those of the threads first served first. */
  function deal(): void {
    for (const { waiting } of crew.seats) {
      for (const task of waiting.splice(0)) {
        tree.occupy(nodes.get(task) as TreeNode, -1);
        nodes.delete(task);
      }
    }
    for (let i = 0; i < WAITING; i++) {
      for (const { waiting } of crew.seats) {
        const node = tree.choose();
        if (node === undefined) return;
        const task = { ...node.question, budget: job };
        nodes.set(task, node);
        tree.occupy(node, 1);
        waiting.push(task);
      }
    }
  }
}
