import { CHANGED_FILES } from "./changed-files.js";
import { FALSE_CLAIMS } from "./false-claims.js";
import type { FaultKind } from "./fault-kind.js";
import { KILLS } from "./kills.js";
import { NONSENSE } from "./nonsense.js";
import { faultOf } from "./trouble.js";
import { TROUBLE } from "./trouble-kinds.js";

/** All kinds of fault, by name. */
export const FAULT_KINDS: Readonly<Record<string, FaultKind>> = {
  ...Object.fromEntries(Object.entries(TROUBLE).map(([name, kind]) => [name, faultOf(kind)])),
  ...KILLS,
  ...FALSE_CLAIMS,
  ...CHANGED_FILES,
  ...NONSENSE,
};
