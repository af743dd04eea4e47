/* A thread of a `VisitCrew`: visits one part after another. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/store";
import type { VisitWorkerData } from "./crew.js";
import { Visitor } from "./visitor.js";
import type { VisitTask } from "./visits.js";

const { game, folder, bytes } = workerData as VisitWorkerData;
const visitor = new Visitor(game, folder, bytes);

answerRequests((task: VisitTask) => visitor.visit(task));
