/* Parts of players on which `lab` builds. */
export { setOfEqual } from "./choices.js";
export { isEnd, slideCells } from "./grid.js";
export { LineBoards } from "./lines.js";
export { openTabulation } from "./maker.js";
export { AnyShape, END, type LearningBoard } from "./ntuple/any-shape.js";
export { learn, sumOf } from "./ntuple/network.js";
export { ntuplePlayer } from "./ntuple/player.js";
export type { PlayerGroup } from "./player.js";
export { remembering } from "./remember.js";
export { permutations } from "./strategy.js";
