import { type Claimed, claimedBy as claimedByAny } from "../bounds.js";
import { Checker } from "./check.js";
import type { Certificate } from "./file.js";

export function claimedBy(certificate: Certificate): Claimed {
  return claimedByAny(new Checker(certificate));
}
