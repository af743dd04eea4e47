/* A thread of a `VisitCrew`: visits and saves one block after another, and writes letters. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import { writeLetters } from "./block-file.js";
import type { VisitRequest, VisitWorkerData } from "./crew.js";
import { Visitor } from "./visitor.js";
import type { VisitOutcome } from "./visits.js";

const { game, folder, blocks, thread } = workerData as VisitWorkerData;
const visitor = new Visitor(game, folder, blocks, thread);

answerRequests((request: VisitRequest): VisitOutcome | undefined => {
  const { visit, keepsLetters, save, letters = [], forgets = false } = request;
  for (const [file, all] of letters) writeLetters(folder, file, all);
  const outcome = visit && visitor.visit(visit, keepsLetters);
  const saved = save && visitor.save(save.block, save.step, forgets);
  if (outcome === undefined || "damaged" in outcome || saved === undefined) return outcome;
  const { cost } = outcome;
  const saving = cost.saving + saved.saving;
  const blockWritten = cost.blockWritten + saved.blockWritten; // a merge has written its file
  return { ...outcome, cost: { ...cost, ...saved, saving, blockWritten } };
});
