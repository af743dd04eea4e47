/* A thread of a `VisitCrew`: visits or saves one block after another. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import type { VisitRequest, VisitWorkerData } from "./crew.js";
import { OutOfMemory } from "./module.js";
import { Visitor } from "./visitor.js";
import type { VisitOutcome } from "./visits.js";

const { game, proof, blocks, thread } = workerData as VisitWorkerData;
const visitor = new Visitor(game, proof, blocks, thread);

answerRequests((request: VisitRequest): VisitOutcome | undefined => {
  if ("save" in request) {
    visitor.save(request.save);
    return undefined;
  }
  try {
    return visitor.visit(request.visit);
  } catch (error) {
    if (error instanceof OutOfMemory && request.mayGiveUp && visitor.isSaved) return undefined;
    throw error;
  }
});
