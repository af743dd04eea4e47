/*
 * Compares the search alone, on one thread, with the same search compiled from C++ for this
 * processor. The two alternate. Both have tables with the same number of buckets, and must expand
 * exactly the same nodes. To measure fully compiled code, a search shorter than two seconds is
 * repeated for that time, and the last repetition counts.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demandSame, median, runScript } from "./command.js";

const KERNEL = fileURLToPath(new URL("kernel.js", import.meta.url));
const SOURCE = fileURLToPath(new URL("search.cpp", import.meta.url));
const COMPILERS = ["g++", "clang++"];

function findCompiler() {
  if (process.arch !== "x64") return undefined; // the source has x86's instructions
  return COMPILERS.find((name) => spawnSync(name, ["--version"]).status === 0);
}

function compile(compiler, shape, folder) {
  const [rows, cols] = shape.split("x");
  const program = join(folder, `search-${shape}`);
  execFileSync(compiler, [
    ...["-std=c++20", "-O3", "-march=native", `-DROWS=${rows}`, `-DCOLS=${cols}`],
    ...[SOURCE, "-o", program],
  ]);
  return program;
}

function runKernel(shape, memory) {
  const { output, peak } = runScript(KERNEL, [shape, String(memory)]);
  return { ...JSON.parse(output), peak };
}

function runProgram(program, buckets) {
  return JSON.parse(execFileSync(program, [String(buckets)], { encoding: "utf8" }));
}

const rateOf = ({ positions, afterstates, again }) => (positions + afterstates) / again;

export function benchBesideCpp({ shape, memory, runs }, folder) {
  const compiler = findCompiler();
  const program = compiler && compile(compiler, shape, folder);
  const kernel = [];
  const cpp = [];
  for (let i = 0; i < runs; i++) {
    const turns = [
      () => kernel.push(runKernel(shape, memory)),
      () => program && cpp.push(runProgram(program, kernel[0].buckets)),
    ];
    for (const turn of i % 2 === 0 ? turns : turns.reverse()) turn();
  }
  const found = [...kernel, ...cpp].map(
    ({ values, positions, afterstates }) => `${positions} + ${afterstates}: ${values}`,
  );
  demandSame(`${shape}: counts and values of kernel and C++`, found);
  const [{ positions, afterstates, buckets }] = kernel;
  const rate = median(kernel.map(rateOf));
  const result = {
    shape,
    memory,
    buckets,
    positions,
    afterstates,
    search: median(kernel.map(({ seconds }) => seconds)),
    again: median(kernel.map(({ again }) => again)),
    nodesPerSecond: rate,
    peak: median(kernel.map(({ peak }) => peak)),
    runs: kernel.map(({ seconds }) => seconds),
  };
  if (!program) return result;
  const cppRate = median(cpp.map(rateOf));
  return {
    ...result,
    cpp: {
      compiler: execFileSync(compiler, ["--version"], { encoding: "utf8" }).split("\n")[0],
      search: median(cpp.map(({ again }) => again)),
      nodesPerSecond: cppRate,
      ratio: cppRate / rate,
      runs: cpp.map(({ again }) => again),
    },
  };
}
