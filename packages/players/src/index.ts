export type { Cells, Choice, Player } from "./player.js";
