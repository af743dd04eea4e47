export { explainMemory, isOutOfMemory, sharedMemory } from "./address-space.js";
export { orAborted, passErrors, Thread, type ThreadOptions } from "./thread.js";
export { answerRequests, notify, orFail } from "./thread-port.js";
export { Crew, startThreads, Threads } from "./threads.js";
