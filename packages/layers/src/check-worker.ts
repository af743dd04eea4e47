/* A thread of a `CheckCrew`: checks one block or one slice after another. */
import { workerData } from "node:worker_threads";
import { answerRequests, notify } from "@gridlock/store";
import { BlockChecker } from "./block-check.js";
import type { CheckReply, CheckRequest, CheckWorkerData } from "./check-crew.js";
import { DamagedFile } from "./chunk-file.js";

const { game, folder, asked } = workerData as CheckWorkerData;
const checker = new BlockChecker(game, folder);

answerRequests((request: CheckRequest): CheckReply => {
  try {
    if ("slice" in request) return { guests: checker.checkGuests(request.slice) };
    return { block: checker.checkBlock(request.file, request.boards, asked, notify) };
  } catch (error) {
    if (error instanceof DamagedFile) return { damaged: error.message, file: error.file };
    if (error instanceof WebAssembly.RuntimeError && "file" in request) {
      const { file } = request; // its checksums are right, but it makes the module trap
      return { damaged: `${file} has contents that no visit writes`, file };
    }
    throw error;
  }
});
