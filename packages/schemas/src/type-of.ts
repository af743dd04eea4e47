import type { z } from "zod";

/** The type of the JSON that a schema describes, which no code changes. */
export type TypeOf<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
