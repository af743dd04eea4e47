/* The logic of games, without the pages, for games that are played elsewhere. */
export { narrowedBy } from "../logic/ahead.js";
export { boundOf, costOf, gradeMoves } from "../logic/grade.js";
export { applyMove, type Step } from "../logic/moves.js";
export { formatBound, formatGiven, isUnknown, moveWords } from "../logic/words.js";
export * from "./game.js";
export { chooseMove } from "./seats.js";
export { endingOf, hintWords } from "./words.js";
