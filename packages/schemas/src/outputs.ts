import type { z } from "zod";
import { type OutputCommand, outputs } from "./common.js";
import * as schemas from "./index.js";

/** The JSON that commands print, by the names of the schemas' files: solve-goal of SolveGoalOutput. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, OutputCommand & { schema: z.ZodType }>> =
  Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const command = outputs.get(schema);
      const words = name.replace("Output", "").replaceAll(/\B[A-Z]/g, "-$&");
      return command ? [[words.toLowerCase(), { ...command, schema }]] : [];
    }),
  );
