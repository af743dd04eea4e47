export {
  type BoardErrorCode,
  type DatabaseErrorCode,
  SolverError,
  type SolverErrorCode,
} from "./errors.js";
export type * from "./json.js";
export { openSolver } from "./open-solver.js";
export type { QueryOptions, SolveOptions, SolveProgress, SolverOptions } from "./options.js";
export type { BoardAnswer, SolveRun, Solver } from "./solver.js";
