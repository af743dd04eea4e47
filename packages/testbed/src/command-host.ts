import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { on, once } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/*
 * Processes that have loaded the command and run it many times (`hosted-command.ts`): most commands
 * take a fraction of the processor time that loading takes.
 */

/** A command for a host to run. */
export interface HostedCommand {
  readonly folder: string;
  readonly args: readonly string[];
  /** Written on standard output and standard error behind all that the command writes. */
  readonly end: string;
}

/** What a host sends after a command. */
export interface HostedResult {
  readonly code: number;
  readonly memory: number;
}

/** The result of a process: its exit code, which is null after a signal, and its output. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most bytes of memory that the process of {@link runHosted} has had, if it lives on. */
  readonly memory?: number;
}

const HOST = fileURLToPath(new URL("./hosted-command.js", import.meta.url));

/** Hosts that wait for a command. They end with this process. */
const idle = new Set<ChildProcess>();

/**
 * Runs a command in a folder, in a process that may have run others before: with the environment of
 * its start.
 *
 * @param patience milliseconds after which the process is killed; without it, it is not
 */
export async function runHosted(
  folder: string,
  args: readonly string[],
  patience?: number,
): Promise<Outcome> {
  const [waiting] = idle;
  const host = waiting ?? startHost();
  idle.delete(host);
  setRef(host, "ref");
  const timer =
    patience === undefined ? undefined : setTimeout(() => host.kill("SIGKILL"), patience);
  try {
    return await run(host, { folder, args, end: randomUUID() });
  } finally {
    clearTimeout(timer);
    if (host.connected) {
      idle.add(host);
      setRef(host, "unref");
    }
  }
}

/** Ends the idle hosts, so that the next command runs in a new process with fresh memory. */
export function endHosts(): void {
  for (const host of idle) host.disconnect();
  idle.clear();
}

function startHost(): ChildProcess {
  const host = fork(HOST, { execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  host.stdout?.setEncoding("utf8");
  host.stderr?.setEncoding("utf8");
  host.once("disconnect", () => idle.delete(host));
  return host;
}

/** Sends a host a command and waits until it has run, or until the process has ended with it. */
async function run(host: ChildProcess, command: HostedCommand): Promise<Outcome> {
  type Result = Omit<Outcome, "stdout" | "stderr">;
  const over = new AbortController();
  const listening = { signal: over.signal };
  const result = Promise.race([
    once(host, "message", listening).then(([sent]): Result => ({ ...sent, signal: null })),
    once(host, "close", listening).then(([code, signal]): Result => ({ code, signal })),
  ]);
  const stdout = textUntil(command.end, host.stdout);
  const stderr = textUntil(command.end, host.stderr);
  host.send(command);
  try {
    return { ...(await result), stdout: await stdout, stderr: await stderr };
  } finally {
    over.abort();
  }
}

/** Returns what a stream has before a text that ends it or, without that, all that it has. */
async function textUntil(end: string, stream: Readable | null): Promise<string> {
  let text = "";
  for await (const [part] of on(stream as Readable, "data", { close: ["end"] })) {
    text += part;
    if (text.endsWith(end)) return text.slice(0, -end.length);
  }
  return text;
}

/** Has this process wait for a host, or lets it end, and the host with it. */
function setRef(host: ChildProcess, action: "ref" | "unref"): void {
  host[action]();
  host.channel?.[action]();
  for (const stream of [host.stdout, host.stderr]) (stream as Socket)[action]();
}
