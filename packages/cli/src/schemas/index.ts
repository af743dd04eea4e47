import {
  PlacerAnswerSchema,
  RefusedSchema,
  SliderAnswerSchema,
  WorthSchema,
} from "@gridlock/answers";
import { z } from "zod";
import { EXPERIMENT_SCHEMAS, PaperAllSchema } from "./paper.js";
import { AssessSchema, PlayersSchema, PlaySchema } from "./players.js";
import {
  AnalyzeSchema,
  ExportSchema,
  GoalSchema,
  PerfectPlaySchema,
  SimulateSchema,
  SolveSchema,
  TabulateSchema,
  TrainSchema,
} from "./solve.js";
import { CleanSchema, RunStatusSchema, StatusSchema } from "./status.js";
import { VariantsSchema } from "./variants.js";
import { CertificateSchema, ProveSchema, VerifySchema } from "./verify.js";

/** A kind of JSON object that the command prints. */
export interface OutputSchema {
  /** The command that prints it. */
  readonly command: string;
  /** True if it prints any number of these objects, one a line. */
  readonly lines?: boolean;
  readonly schema: z.ZodType;
}

const experiments = Object.entries(EXPERIMENT_SCHEMAS).map(
  ([name, schema]) =>
    [`paper-${name}`, { command: `gridlock paper ${name} --json`, schema }] as const,
);

/** The JSON that the command prints, by the names of the schemas' files. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, OutputSchema>> = {
  solve: { command: "gridlock solve SHAPE --json", schema: SolveSchema },
  "solve-goal": { command: "gridlock solve SHAPE --goal tile:N --json", schema: GoalSchema },
  query: {
    command: "gridlock query --json",
    lines: true,
    schema: z.union([
      SliderAnswerSchema.loose(),
      PlacerAnswerSchema.loose(),
      RefusedSchema.loose(),
    ]),
  },
  "query-values": {
    command: "gridlock query --values --json",
    lines: true,
    schema: z.union([WorthSchema.loose(), RefusedSchema.loose()]),
  },
  tabulate: { command: "gridlock tabulate SHAPE --json", schema: TabulateSchema },
  variants: { command: "gridlock variants SHAPE --json", schema: VariantsSchema },
  analyze: { command: "gridlock analyze SHAPE --json", schema: AnalyzeSchema },
  "analyze-board": {
    command: "gridlock analyze SHAPE --board BOARD --json",
    schema: PerfectPlaySchema,
  },
  prove: { command: "gridlock prove SHAPE --json", schema: ProveSchema },
  verify: { command: "gridlock verify --json", lines: true, schema: VerifySchema },
  status: { command: "gridlock status --json", schema: StatusSchema },
  "status-redis": { command: "gridlock status --redis URL --json", schema: RunStatusSchema },
  clean: { command: "gridlock clean --json", schema: CleanSchema },
  export: { command: "gridlock export SHAPE --format json", schema: ExportSchema },
  certificate: {
    command: "python3 examples/python/gridlock.py certificate FILE",
    schema: CertificateSchema,
  },
  simulate: { command: "gridlock simulate --json", schema: SimulateSchema },
  players: { command: "gridlock players --json", schema: PlayersSchema },
  play: { command: "gridlock play SHAPE --player NAME --json", schema: PlaySchema },
  assess: {
    command: "gridlock assess SHAPE --player NAME --json",
    lines: true,
    schema: AssessSchema,
  },
  train: { command: "gridlock train SHAPE --json", schema: TrainSchema },
  "paper-all": { command: "gridlock paper all --json", schema: PaperAllSchema },
  ...Object.fromEntries(experiments),
};
