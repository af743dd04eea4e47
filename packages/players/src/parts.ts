/* Parts of players on which `lab` builds. */
export { countEmpty, isEnd } from "./cell-rules.js";
export { setOfEqual } from "./choices.js";
export { openTabulation } from "./maker.js";
export { ntuplePlayer } from "./ntuple/player.js";
export { remembering } from "./remember.js";
export { permutations } from "./strategy.js";
