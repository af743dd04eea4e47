import { parseBoard, parseShape } from "@gridlock/game";
import { z } from "zod";

/*
 * The contents of JSON files that have pages. The files may be those of somebody else, or damaged.
 */

/** Returns whether a function can read a text. */
const canRead = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
};
const shape = z.string().refine(canRead(parseShape));
const board = z.string().refine(canRead(parseBoard));

/** The starts that `gridlock export --format json` writes, with values and lines of best play. */
export const StartsFile = z.object({
  madeBy: z.string().exactOptional(),
  solvedBy: z.string().exactOptional(),
  shape,
  tiles: z.array(z.number()),
  starts: z.array(
    z.object({
      board,
      value: z.number().nullable(),
      lo: z.number(),
      hi: z.number().nullable(),
      line: z.array(z.string()).exactOptional(),
      end: board.nullable().exactOptional(),
    }),
  ),
});
export type StartsFile = z.infer<typeof StartsFile>;

/** Reads the content of a file; `undefined` if it does not fit the schema. */
export function readContent<Content>(
  text: string,
  schema: z.ZodType<Content>,
): Content | undefined {
  return schema.safeParse(canRead(JSON.parse)(text) && JSON.parse(text)).data;
}
