/* The thread that runs virtual machines: it waits for one or the other all the time. */

import { answerRequests, notify } from "@gridlock/store";
import type { SimulationOptions } from "./options.js";
import { Run, type SimulatedRun } from "./run.js";

answerRequests(async (options: SimulationOptions): Promise<SimulatedRun> => {
  await using run = new Run(options);
  return await run.result((...progress) => notify(progress));
});
