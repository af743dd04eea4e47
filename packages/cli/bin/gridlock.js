#!/usr/bin/env node
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * File descriptors without which nothing is started: while modules are loaded, in this thread and in others, Node
 * reports a missing descriptor as a missing package.
 */
const DESCRIPTORS = 96;

/** Throws EMFILE unless the process can open as many files as it may need. */
function requireDescriptors() {
  const file = fileURLToPath(import.meta.url);
  const opened = [];
  try {
    while (opened.length < DESCRIPTORS) opened.push(openSync(file, "r"));
  } finally {
    opened.forEach(closeSync);
  }
}

try {
  process.stderr.on("error", () => {}); // without progress and notices the work still goes on
  requireDescriptors();
  const { main } = await import("../dist/main.js");
  await main(process.argv);
} catch (error) {
  const advice = error.code === "EMFILE" ? ". Raise the limit of open files: ulimit -n" : "";
  console.error(`error: Gridlock cannot start: ${error.message}${advice}`);
  process.exitCode = 1;
}
