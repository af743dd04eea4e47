/* A worker thread of a check: does its part of each phase that it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import { CertificateError } from "./errors.js";
import type { Answer } from "./threads.js";
import { Hand, type Job, type Phase } from "./work.js";

const hand = new Hand(workerData as Job);

function answerTo(phase: Phase): Answer {
  try {
    return { tally: hand.do(phase) };
  } catch (error) {
    const { message } = error as Error;
    return { code: error instanceof CertificateError ? error.code : undefined, message };
  }
}

parentPort?.on("message", (phase: Phase) => parentPort?.postMessage(answerTo(phase)));
