#!/usr/bin/env node
try {
  const { main } = await import("../dist/main.js");
  await main(process.argv);
} catch (error) {
  // The modules that could say more may be what cannot be loaded.
  const advice = error.code === "EMFILE" ? ". Raise the limit of open files: ulimit -n" : "";
  console.error(`error: Gridlock cannot start: ${error.message}${advice}`);
  process.exitCode = 1;
}
