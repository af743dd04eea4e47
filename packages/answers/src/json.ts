/*
 * Answers and their JSON without Node: what a web worker needs to answer as the server does.
 */
export {
  type Answer,
  type AnsweredMove,
  type AnswerSource,
  isProven,
  type Worth,
} from "./answer.js";
export { answerAsJson, worthAsJson } from "./answer-json.js";
export { answerOfAnalysis } from "./answer-of-analysis.js";
export { answerWithPublished, withPublished } from "./published-bounds.js";
export { withVerdicts } from "./verdicts.js";
