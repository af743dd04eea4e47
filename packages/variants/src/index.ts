export { type Kind, VariantError } from "./kind.js";
export { KINDS, parseVariant, parseVariantTiles, USUAL } from "./kinds.js";
export { canSolveVariants, MAX_VARIANT_CELLS } from "./module.js";
export { type Reach, type StepOptions, type SweepOptions, VariantSweep } from "./sweep.js";
export type { Chooser, Option, Series, State, Variant } from "./variant.js";
