import type { z } from "zod";
import * as schemas from "./index.js";

/** A kind of JSON object that the command prints. */
export interface OutputSchema {
  /** The command that prints it. */
  readonly command: string;
  /** True if it prints any number of these objects, one a line. */
  readonly lines?: boolean;
  readonly schema: z.ZodType;
}

/** The JSON that the command prints, by the names of the schemas' files. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, OutputSchema>> = {
  solve: { command: "gridlock solve SHAPE --json", schema: schemas.SolveOutput },
  "solve-goal": {
    command: "gridlock solve SHAPE --goal tile:N --json",
    schema: schemas.SolveGoalOutput,
  },
  query: { command: "gridlock query --json", lines: true, schema: schemas.QueryOutput },
  "query-values": {
    command: "gridlock query --values --json",
    lines: true,
    schema: schemas.QueryValuesOutput,
  },
  tabulate: { command: "gridlock tabulate SHAPE --json", schema: schemas.TabulateOutput },
  variants: { command: "gridlock variants SHAPE --json", schema: schemas.VariantsOutput },
  analyze: { command: "gridlock analyze SHAPE --json", schema: schemas.AnalyzeOutput },
  "analyze-board": {
    command: "gridlock analyze SHAPE --board BOARD --json",
    schema: schemas.AnalyzeBoardOutput,
  },
  prove: { command: "gridlock prove SHAPE --json", schema: schemas.ProveOutput },
  verify: { command: "gridlock verify --json", lines: true, schema: schemas.VerifyOutput },
  status: { command: "gridlock status --json", schema: schemas.StatusOutput },
  "status-redis": {
    command: "gridlock status --redis URL --json",
    schema: schemas.StatusRedisOutput,
  },
  export: { command: "gridlock export SHAPE --format json", schema: schemas.ExportOutput },
  certificate: {
    command: "python3 examples/python/gridlock.py certificate FILE",
    schema: schemas.CertificateOutput,
  },
  simulate: { command: "gridlock simulate --json", schema: schemas.SimulateOutput },
  play: { command: "gridlock play SHAPE --player NAME --json", schema: schemas.PlayOutput },
  assess: { command: "gridlock assess SHAPE --player NAME --json", schema: schemas.AssessOutput },
  train: { command: "gridlock train SHAPE --json", schema: schemas.TrainOutput },
  "paper-all": { command: "gridlock paper all --json", schema: schemas.PaperAllOutput },
  ...Object.fromEntries(
    Object.entries(schemas.PaperAllOutput.shape).map(([name, schema]) => [
      `paper-${name}`,
      { command: `gridlock paper ${name} --json`, schema },
    ]),
  ),
};
