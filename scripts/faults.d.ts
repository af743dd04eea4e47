import type { ChildProcess } from "node:child_process";
import type { ClusterStatus, WorkerMessage } from "@gridlock/cluster";
import type { RedisServer } from "./redis.js";

export interface FaultOptions {
  shape: string;
  /** Nodes of a job. */
  budget: number;
  /** Milliseconds for which something is stopped or cut. */
  pause?: number;
  /** The right values, as `valuesHere` gives them. */
  values?: string;
  memory?: string;
}

export interface RunProcess {
  name: string;
  child: ChildProcess;
  stdout: string;
  stderr: string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export class Run {
  folder: string;
  redis: RedisServer;
  constructor(options: FaultOptions);
  startRedis(options?: {
    keep?: boolean;
    port?: number;
    extra?: readonly string[];
  }): Promise<RedisServer>;
  start(name: string, args: readonly string[], node?: readonly string[]): RunProcess;
  worker(name: string, url?: string): RunProcess;
  solve(url?: string): RunProcess;
  status(): Promise<ClusterStatus>;
  working(options?: {
    but?: readonly string[];
    on?: string;
    patience?: number;
  }): Promise<WorkerMessage>;
  progress(questions: number): Promise<void>;
  close(): Promise<void>;
}

export const FAULTS: Readonly<Record<string, unknown>>;
export function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  patience?: number,
): Promise<NonNullable<T>>;
export function valuesOf(solve: RunProcess): Promise<string>;
export function takeOver(): Promise<number>;
export function endure(name: string, options: FaultOptions): Promise<string | undefined>;
export function valuesHere(
  shape: string,
  options?: { memory?: string; tiles?: string },
): Promise<string>;
