import { endure, FAULTS, takeOver, valuesHere } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Milliseconds for which a process is stopped or a connection cut: longer than a lock lasts. */
const PAUSE_MS = 15_000;
const PATIENCE_MS = 240_000;

describe("a run of 2x4 survives", () => {
  const values = valuesHere("2x4");

  it.concurrent.each(Object.keys(FAULTS))("%s", { timeout: PATIENCE_MS }, async (name) => {
    const options = { shape: "2x4", slow: 300, pause: PAUSE_MS };
    await endure(name, { ...options, values: await values });
  });

  it.concurrent("a worker killed during a long job, which is soon queued again", {
    timeout: PATIENCE_MS,
  }, async () => {
    expect(await takeOver()).toBeGreaterThan(0); // it throws if it takes too long
  });
});
