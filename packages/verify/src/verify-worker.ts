/* A worker thread of a check: does its part of each phase that it is sent. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "@gridlock/threads";
import { Hand, type Job, type Phase } from "./work.js";

const hand = new Hand(workerData as Job);

answerRequests((phase: Phase) => hand.do(phase));
