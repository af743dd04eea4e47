import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";

/**
 * Writes a file as a whole: into a temporary file beside it, which is synchronised with the disk
 * and then renamed. Whatever interrupts it, the file has all its old or all its new contents. Pipes
 * and devices are written directly.
 *
 * @throws the system's error; the temporary file is removed
 */
export function writeWhole(file: string, contents: string | Iterable<string | Uint8Array>): void {
  const parts = typeof contents === "string" ? [contents] : contents;
  if (isPipeOrDevice(file)) writeParts(file, parts);
  else {
    // The library would use one system call, which writes only a part if the disk is nearly full.
    writeFileAtomic.sync(file, "", { tmpfileCreated: (beside) => writeParts(beside, parts) });
  }
}

function isPipeOrDevice(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function writeParts(file: string, parts: Iterable<string | Uint8Array>): void {
  const handle = openSync(file, "w");
  try {
    for (const part of parts) writeFileSync(handle, part);
  } finally {
    closeSync(handle);
  }
}
