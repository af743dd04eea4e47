import type { z } from "zod";
import { PaperAllOutput } from "./paper.js";
import { AssessOutput, PlayersOutput, PlayOutput } from "./players.js";
import { QueryOutput, QueryValuesOutput } from "./query.js";
import {
  AnalyzeBoardOutput,
  AnalyzeOutput,
  ExportOutput,
  SimulateOutput,
  SolveGoalOutput,
  SolveOutput,
  TabulateOutput,
  TrainOutput,
} from "./solve.js";
import { CleanOutput, StatusOutput, StatusRedisOutput } from "./status.js";
import { VariantsOutput } from "./variants.js";
import { CertificateOutput, ProveOutput, VerifyOutput } from "./verify.js";

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
  solve: { command: "gridlock solve SHAPE --json", schema: SolveOutput },
  "solve-goal": { command: "gridlock solve SHAPE --goal tile:N --json", schema: SolveGoalOutput },
  query: {
    command: "gridlock query --json",
    lines: true,
    schema: QueryOutput,
  },
  "query-values": {
    command: "gridlock query --values --json",
    lines: true,
    schema: QueryValuesOutput,
  },
  tabulate: { command: "gridlock tabulate SHAPE --json", schema: TabulateOutput },
  variants: { command: "gridlock variants SHAPE --json", schema: VariantsOutput },
  analyze: { command: "gridlock analyze SHAPE --json", schema: AnalyzeOutput },
  "analyze-board": {
    command: "gridlock analyze SHAPE --board BOARD --json",
    schema: AnalyzeBoardOutput,
  },
  prove: { command: "gridlock prove SHAPE --json", schema: ProveOutput },
  verify: { command: "gridlock verify --json", lines: true, schema: VerifyOutput },
  status: { command: "gridlock status --json", schema: StatusOutput },
  "status-redis": { command: "gridlock status --redis URL --json", schema: StatusRedisOutput },
  clean: { command: "gridlock clean --json", schema: CleanOutput },
  export: { command: "gridlock export SHAPE --format json", schema: ExportOutput },
  certificate: {
    command: "python3 examples/python/gridlock.py certificate FILE",
    schema: CertificateOutput,
  },
  simulate: { command: "gridlock simulate --json", schema: SimulateOutput },
  players: { command: "gridlock players --json", schema: PlayersOutput },
  play: { command: "gridlock play SHAPE --player NAME --json", schema: PlayOutput },
  assess: {
    command: "gridlock assess SHAPE --player NAME --json",
    lines: true,
    schema: AssessOutput,
  },
  train: { command: "gridlock train SHAPE --json", schema: TrainOutput },
  "paper-all": { command: "gridlock paper all --json", schema: PaperAllOutput },
  ...Object.fromEntries(
    Object.entries(PaperAllOutput.shape).map(([name, schema]) => [
      `paper-${name}`,
      { command: `gridlock paper ${name} --json`, schema },
    ]),
  ),
};
