/* A thread of a `LayersCheck`: checks one block or one slice after another. */
import { workerData } from "node:worker_threads";
import { answerRequests, notify } from "@gridlock/store";
import { BlockChecker } from "./block-check.js";
import { DamagedFile, malformed } from "./chunk-file.js";
import type { CheckReply, CheckRequest, CheckWorkerData } from "./verify-layers.js";

const { game, folder, asked } = workerData as CheckWorkerData;
const checker = new BlockChecker(game, folder);

answerRequests((request: CheckRequest): CheckReply => {
  try {
    if ("slice" in request) return { guests: checker.checkGuests(request.slice) };
    return { block: checker.checkBlock(request.file, request.boards, asked, notify) };
  } catch (error) {
    if (error instanceof DamagedFile) return { damaged: error.message };
    if (error instanceof WebAssembly.RuntimeError && "file" in request) {
      return { damaged: malformed(request.file).message }; // it makes the module trap
    }
    throw error;
  }
});
