/* What the commands of `lab` share with those of this package. */
export { EXIT, UsageError } from "./exit.js";
export { watchInterrupts } from "./interrupt.js";
export { describeMachine } from "./machine.js";
export { allowDashes } from "./options/boards.js";
export { EFFECTS } from "./options/effects.js";
export { commandOf, gameOf } from "./options/game.js";
export { sweepMemory } from "./options/memory.js";
export {
  DEFAULT_DB,
  dbOption,
  type GameFlags,
  jsonOption,
  memoryOption,
  outOption,
  seedOption,
  sweepMemoryOption,
  tilesOption,
  workersOption,
} from "./options/options.js";
export { asArgument, parseInteger, parseScore, parseSeconds } from "./options/parse.js";
export { fileOption } from "./options/paths.js";
export { asked } from "./options/player.js";
export { type Display, type Standing, showWork, steady } from "./output/display.js";
export {
  gameAsJson,
  printError,
  printJson,
  printLine,
  provenValue,
  tell,
} from "./output/print.js";
export { makeOutFolder, requireCharts, writeResult } from "./output/result-files.js";
