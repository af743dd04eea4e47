export {
  type Answer,
  type AnsweredMove,
  type AnswerSource,
  isProven,
  type Worth,
} from "./answer.js";
export { ANSWER_FIELDS, answerAsJson, worthAsJson } from "./answer-json.js";
export { Library } from "./library.js";
export type { LibraryOptions, Query } from "./library-options.js";
export { playerAnswer } from "./player-answer.js";
export { asAsked, type SolvedStart, solvedStarts, startsAsJson } from "./solved-starts.js";
