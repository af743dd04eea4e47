import type { ChildProcess } from "node:child_process";

export interface StartOptions {
  /** A free one unless given. */
  port?: number;
  /** A folder that the server keeps everything in. */
  appendOnly?: string;
  password?: string;
  /** Further arguments of redis-server. */
  extra?: readonly string[];
}

export interface RedisServer {
  url: string;
  port: number;
  process: ChildProcess;
  /** Ends the server, with SIGTERM unless told otherwise; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function findRedisServer(): string;
export function startRedis(options?: StartOptions): Promise<RedisServer>;
