/* A thread of a `VisitCrew`: visits one part after another. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import type { VisitReply, VisitRequest, VisitWorkerData } from "./crew.js";
import { Visitor } from "./visitor.js";

const { game, folder, bytes } = workerData as VisitWorkerData;
const visitor = new Visitor(game, folder, bytes);

answerRequests((tasks: VisitRequest): VisitReply => tasks.map((task) => visitor.visit(task)));
