export {
  type BoardErrorCode,
  type DatabaseErrorCode,
  SolverError,
  type SolverErrorCode,
} from "./errors.js";
export type * from "./json.js";
export { openSolver } from "./open-solver.js";
export type * from "./solver.js";
