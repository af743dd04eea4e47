/* A thread of a `VisitCrew`: visits and saves one block after another. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import type { VisitRequest, VisitWorkerData } from "./crew.js";
import { Visitor } from "./visitor.js";

const { game, folder, blocks, thread } = workerData as VisitWorkerData;
const visitor = new Visitor(game, folder, blocks, thread);

answerRequests(({ visit, save }: VisitRequest) => {
  const outcome = visit && visitor.visit(visit);
  if (save) visitor.save(save.block, save.step);
  return outcome;
});
