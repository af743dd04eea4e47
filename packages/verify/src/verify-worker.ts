/* A worker thread of `verify`. */
import { type Job, type Tally, work } from "./work.js";

/** Checks claims of a job until all have been handed out. */
export default function checkClaims(job: Job): Tally {
  const checking = work(job);
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value;
}
