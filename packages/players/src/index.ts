export { Grid, ILLEGAL } from "./grid.js";
export type { Cells, Choice, Player } from "./player.js";
