export * from "./board.js";
export * from "./bound.js";
export * from "./errors.js";
export { boardLimits, type Fault, findFault } from "./fault.js";
export * from "./notation.js";
export * from "./pack.js";
export { quoted, shortened } from "./quoted.js";
export * from "./random.js";
export { BoardReader, type BoardRecord, type BoardRecordLines } from "./reading/board-reader.js";
export {
  type BoardText,
  type CellOrder,
  MAX_TEXT,
  notesOf,
  parseOrder,
  type ReadOptions,
  VALUES_NOTE,
} from "./reading/options.js";
export { parseBoard, readBoard } from "./reading/read-board.js";
export * from "./score.js";
export * from "./shape.js";
export * from "./slide.js";
export * from "./starts.js";
export * from "./symmetry.js";
export * from "./verdict.js";
