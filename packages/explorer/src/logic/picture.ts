import type { Node } from "@gridlock/game";
import type { Host } from "../page.js";
import { boardInAddress } from "./address.js";

/**
 * Returns the address of a board's picture, for previews of links, relative to the home page. A site has it as a file
 * without a query: `pictures/2_0_0.0_4_0.0_0_0.slider.png`.
 */
export function pictureAddress({ board, turn }: Node, { kind }: Host): string {
  const text = boardInAddress(board);
  if (kind === "server") return `v1/board.png?board=${text}&turn=${turn}`;
  return `pictures/${text.replaceAll("/", ".")}.${turn}.png`;
}
