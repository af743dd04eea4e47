/* A worker thread of `verify`. */
import { type Job, type Tally, work } from "./work.js";

/** Checks claims of a job until no thread has any left to take. */
export default function checkClaims(job: Job): Tally {
  const checking = work(job);
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value;
}
