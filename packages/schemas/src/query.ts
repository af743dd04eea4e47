import { z } from "zod";
import { PlacerAnswer, Refused, SliderAnswer, Worth } from "./answers.js";
import type { TypeOf } from "./common.js";

/** A line of the output of `gridlock query --json`, with the fields that came with the board. */
export const QueryOutput = z.union([SliderAnswer.loose(), PlacerAnswer.loose(), Refused.loose()]);
export type QueryOutput = TypeOf<typeof QueryOutput>;

/** A line of the output of `gridlock query --values --json`, with the fields that came with the board. */
export const QueryValuesOutput = z.union([Worth.loose(), Refused.loose()]);
export type QueryValuesOutput = TypeOf<typeof QueryValuesOutput>;
