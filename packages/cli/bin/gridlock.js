#!/usr/bin/env node
"use strict";
const { closeSync, openSync } = require("node:fs");
const { enableCompileCache } = require("node:module");

/**
 * File descriptors without which nothing is started: while modules are loaded, in this thread and
 * in others, Node reports a missing descriptor as a missing package.
 */
const DESCRIPTORS = 96;

/** Throws EMFILE unless the process can open as many files as it may need. */
function requireDescriptors() {
  const opened = [];
  try {
    while (opened.length < DESCRIPTORS) opened.push(openSync(__filename, "r"));
  } finally {
    opened.forEach(closeSync);
  }
}

async function start() {
  process.stderr.on("error", () => {}); // without progress and notices the work still goes on
  requireDescriptors();
  enableCompileCache?.(); // Node 22 has it
  if (process.env.GRIDLOCK_DEBUG) process.setSourceMapsEnabled(true); // it prints stacks
  const { main } = require("../dist/bundle/main.cjs");
  await main(process.argv);
}

start().catch((error) => {
  const advice = error.code === "EMFILE" ? ". Raise the limit of open files: ulimit -n" : "";
  console.error(`error: Gridlock cannot start: ${error.message}${advice}`);
  process.exitCode = 1;
});
