/*
 * Preloaded into a command (`node --import`): file handles lack what those of Yarn's Plug'n'Play
 * lack, in 4.18, where these methods throw "Method not implemented." and `await using` throws a
 * TypeError.
 */
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const handle = await open(fileURLToPath(import.meta.url));
await handle.close();
const prototype = Object.getPrototypeOf(handle);
const notImplemented = () => {
  throw new Error("Method not implemented.");
};
for (const name of ["datasync", "readv", "sync", "utimes"]) {
  prototype[name] = notImplemented;
}
delete prototype[Symbol.asyncDispose];
