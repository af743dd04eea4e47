import { type Node, readBoard } from "@gridlock/game";
import { boardPng, boardSvg } from "@gridlock/report";
import { type Operation, withParameters } from "../operation.js";
import { PictureParameters } from "../parameters.js";
import { CACHEABLE, replyTagged } from "../reply.js";

const DESCRIPTION =
  "The picture shows the tiles and, if the placer is to move, a plus in each empty cell. It may be cached for a day.";

/** The operations that draw boards. */
export function pictureOperations(): Operation[] {
  const picture = (
    kind: string,
    summary: string,
    type: string,
    draw: (node: Node) => string | Promise<Uint8Array<ArrayBuffer>>,
  ): Operation =>
    withParameters({
      path: `/v1/board.${kind}`,
      id: `${kind}Picture`,
      summary,
      description: DESCRIPTION,
      group: "Pictures",
      query: PictureParameters,
      reply: { type },
      async handle(context, { board, ...options }) {
        return replyTagged(context, await draw(readBoard(board, options)), type, CACHEABLE);
      },
    });
  return [
    picture("svg", "Draw a board as SVG", "image/svg+xml", ({ board, turn }) =>
      boardSvg(board, turn),
    ),
    picture("png", "Draw a board as PNG, 1200×630 for previews of links", "image/png", (node) =>
      boardPng(node.board, node.turn),
    ),
  ];
}
