/*
 * Answers and their JSON without Node: what a web worker needs to answer as the server does.
 */
export {
  type Answer,
  type AnsweredMove,
  type AnswerSource,
  answerOfAnalysis,
  isProven,
  type Worth,
  withVerdicts,
} from "./answer.js";
export { answerAsJson, worthAsJson } from "./answer-json.js";
export { answerWithPublished, withPublished } from "./published-bounds.js";
