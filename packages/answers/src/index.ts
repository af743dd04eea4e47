export { answerAsJson, worthAsJson } from "./answer-json.js";
export {
  type Answer,
  type AnsweredMove,
  Library,
  type LibraryOptions,
  type Query,
  type Worth,
} from "./library.js";
export { type PlayerAnswer, playerAnswer, playerAnswerAsJson } from "./player-answer.js";
export {
  AnswerSchema,
  MoveSchema,
  PlayerAnswerSchema,
  RefusedSchema,
  WorthSchema,
} from "./schemas.js";
