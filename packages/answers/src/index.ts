export {
  type AnswerQuery,
  AnswerThread,
  type AnswerThreadOptions,
} from "./answer-thread.js";
export { openCertificate, recordCheck } from "./certificates.js";
export * from "./json.js";
export { Library } from "./library.js";
export type { LibraryOptions, Query } from "./library-options.js";
export { playerAnswer } from "./player-answer.js";
export type { SolveProgress } from "./solve-game.js";
export { asAsked, type SolvedStart, solvedStarts, startsAsJson } from "./solved-starts.js";
