import { InvalidArgumentError, Option } from "commander";
import { parseInteger } from "./parse.js";

/** Most machines and most threads of each in a replay. */
const MOST = 4096;

/** Parses a list of numbers of machines such as `1,2,16`. */
function parseMachines(text: string): number[] {
  return text.split(",").map((part) => parseInteger(part.trim(), 1, MOST));
}

/** Parses a rate such as `10Gbit/s` or `500MB/s`, in powers of ten; returns bytes a second. */
function parseRate(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kMGT]?)(bit|B)\/s\s*$/.exec(text);
  const [, number, prefix, unit] = match ?? [];
  const rate = Number(number) * 1000 ** " kMGT".indexOf(prefix || " ") * (unit === "B" ? 1 : 1 / 8);
  if (!(rate > 0)) {
    throw new InvalidArgumentError(`expected a rate such as 10Gbit/s or 500MB/s, not "${text}".`);
  }
  return rate;
}

const SECONDS = { us: 1e-6, ms: 1e-3, s: 1 } as const;

/** Parses a latency such as `200us`, `5ms` or `0.1s`; returns seconds. */
function parseLatency(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s)\s*$/.exec(text);
  if (!match) {
    throw new InvalidArgumentError(`expected a latency such as 200us, 5ms or 0.1s, not "${text}".`);
  }
  return Number(match[1]) * SECONDS[match[2] as keyof typeof SECONDS];
}

export const machinesOption = () =>
  new Option("--machines <list>", "numbers of machines")
    .default([1, 2, 16, 64, 256], "1,2,16,64,256")
    .argParser(parseMachines);

export const machineThreadsOption = () =>
  new Option("--threads-per-machine <n>", "threads of each machine")
    .default(1)
    .argParser((text) => parseInteger(text, 1, MOST));

export const networkOption = () =>
  new Option("--network <rate>", "rate of each machine's link to the folder")
    .default(parseRate("10Gbit/s"), "10Gbit/s")
    .argParser(parseRate);

export const diskOption = () =>
  new Option("--disk <rate>", "rate of the folder's disk, shared by all machines")
    .default(Number.POSITIVE_INFINITY, "no limit")
    .argParser(parseRate);

export const latencyOption = () =>
  new Option("--latency <time>", "time that the queue takes for each task")
    .default(parseLatency("5ms"), "5ms")
    .argParser(parseLatency);

export const openOption = () =>
  new Option("--open <time>", "time to open or make a file in the folder")
    .default(0, "0ms")
    .argParser(parseLatency);
