/*
 * Preloaded into a worker (`node --import`): each of its searches traps, as a broken kernel does.
 */
import { changeExports } from "./change-exports.js";

const ask = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
changeExports((exports) => ("ask" in exports ? { ...exports, ask } : exports));
