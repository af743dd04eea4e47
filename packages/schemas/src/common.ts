import { z } from "zod";

/** A number of boards, nodes, files and the like. */
export const count = () => z.int().nonnegative();

/** Points of the score that the slider can force: a multiple of 4. */
export const points = () => z.int().nonnegative().multipleOf(4);

/** Seconds that something took. */
export const seconds = () => z.number().nonnegative().describe("Seconds that it took.");

/** A shape as text. */
export const ShapeSchema = z
  .string()
  .regex(/^\d+x\d+$/)
  .describe("Rows x columns, such as 3x3.");

/** A board as text. */
export const BoardSchema = z
  .string()
  .regex(/^\d+( \d+)*(\/\d+( \d+)*)*\/?( placer)?$/)
  .describe("A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.");

/** A slide or a placement as text. */
export const MoveNameSchema = z
  .string()
  .regex(/^(up|left|down|right|[24]@\d+,\d+)$/)
  .describe("A direction, or a placement: 4@1,3 is a 4 in row 1, column 3.");

/** The fields that name a game. */
export const game = {
  shape: ShapeSchema,
  tiles: z
    .union([z.tuple([z.literal(2), z.literal(4)]), z.tuple([z.literal(2)])])
    .describe("The tiles that the placer has."),
};

/** Counts of searched nodes. */
export const NodesSchema = z
  .strictObject({ positions: count(), afterstates: count() })
  .describe("Boards searched: those with the slider to move, and those with the placer to move.");

/** A command that prints JSON. */
export interface OutputCommand {
  readonly command: string;
  /** True if it prints any number of objects, one a line. */
  readonly lines?: boolean;
}

/** The schemas of what commands print. */
export const outputs = z.registry<OutputCommand>();

/** Makes the schema of the one object that a command prints. */
export function output<Fields extends z.ZodRawShape>(command: string, fields: Fields) {
  return z.strictObject(fields).register(outputs, { command });
}

/** The type of the JSON that a schema describes, which no code changes. */
export type TypeOf<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
