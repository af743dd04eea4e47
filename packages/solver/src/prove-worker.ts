/* The thread of `makeCertificate`. */
import { answerRequests, notify } from "@gridlock/store";
import { certify } from "./certify.js";
import type { ProofTask } from "./proving.js";

answerRequests((task: ProofTask) => certify(task, notify));
