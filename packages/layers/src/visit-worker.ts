/* A thread of a `VisitCrew`: visits or saves one block after another. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import type { VisitRequest, VisitWorkerData } from "./crew.js";
import { Visitor } from "./visitor.js";
import type { VisitOutcome } from "./visits.js";

const { game, proof, blocks, thread } = workerData as VisitWorkerData;
const visitor = new Visitor(game, proof, blocks, thread);

answerRequests((request: VisitRequest): VisitOutcome | undefined => {
  if ("visit" in request) return visitor.visit(request.visit);
  visitor.save(request.save);
  return undefined;
});
