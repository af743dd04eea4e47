import { parseBoard, parseShape } from "@gridlock/game";
import { z } from "zod";

/* The contents of JSON files that have pages. The files may be those of somebody else, or damaged. */

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

/** The counts of `node scripts/release/growth.js`, by shape. */
export const GrowthCounts = z.record(
  shape,
  z.object({
    positions: z.number(),
    afterstates: z.number(),
    /** Positions that play from the starts can lead to, if they were counted. */
    reachable: z.number().optional(),
  }),
);

/** A table of starts, as `gridlock export --format json` writes it: each with its value and a line of best play. */
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

/** The reference of a package, as `npm run generate -- library` writes it to `docs/reference/`. */
export const Reference = z.object({
  name: z.string(),
  description: z.string(),
  entries: z.array(
    z.object({
      /** The name to import it by: `@gridlock/gridlock/client`. */
      name: z.string(),
      exports: z.array(
        z.object({
          name: z.string(),
          /** Its anchor: the name, after the entry's name and a point in any entry but the first. */
          id: z.string(),
          /** The module that declares it. */
          module: z.string(),
          /** Markdown. */
          about: z.string(),
          /** Parameters (`param`), results (`returns`) and errors (`throws`), with texts in Markdown. */
          tags: z.array(z.object({ kind: z.string(), name: z.string(), text: z.string() })),
          code: z.string(),
          /** Targets of the names in the code: `#Board` on the same page, or `game.json#Board`. */
          links: z.record(z.string(), z.string()),
        }),
      ),
      /** The names of exports that stand in the entries before it. */
      shared: z.array(z.string()),
    }),
  ),
});
export type Reference = z.infer<typeof Reference>;

/** An export of a package, as its reference describes it. */
export type ReferenceExport = Reference["entries"][number]["exports"][number];

/** Reads the content of a file; `undefined` if it does not fit the schema. */
export function readContent<Content>(
  text: string,
  schema: z.ZodType<Content>,
): Content | undefined {
  return schema.safeParse(canRead(JSON.parse)(text) && JSON.parse(text)).data;
}
