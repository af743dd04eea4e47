import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";

/*
 * Processes that have loaded the command and run it many times (`hosted-command.ts`): most commands take a fraction
 * of the processor time that loading takes.
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
 * Runs a command in a folder, in a process that may have run others before: with the environment of its start.
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
  hold(host);
  const timer =
    patience === undefined ? undefined : setTimeout(() => host.kill("SIGKILL"), patience);
  try {
    return await run(host, { folder, args, end: randomUUID() });
  } finally {
    clearTimeout(timer);
    if (host.connected) {
      idle.add(host);
      release(host);
    }
  }
}

/** Ends the hosts that wait, so that the next command runs in a new process, whose memory no other command has used. */
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
function run(host: ChildProcess, command: HostedCommand): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { end } = command;
    const text = { stdout: "", stderr: "" };
    let sent: HostedResult | undefined;
    const takeOut = (part: string) => take("stdout", part);
    const takeErr = (part: string) => take("stderr", part);
    const take = (stream: "stdout" | "stderr", part: string) => {
      text[stream] += part;
      settle();
    };
    const takeResult = (result: HostedResult) => {
      sent = result;
      settle();
    };
    const settle = () => {
      if (sent === undefined || !text.stdout.endsWith(end) || !text.stderr.endsWith(end)) return;
      finish({
        ...sent,
        signal: null,
        stdout: text.stdout.slice(0, -end.length),
        stderr: text.stderr.slice(0, -end.length),
      });
    };
    const takeEnd = (exitCode: number | null, signal: NodeJS.Signals | null) =>
      finish({ code: exitCode, signal, ...text });
    const finish = (outcome: Outcome) => {
      host.stdout?.off("data", takeOut);
      host.stderr?.off("data", takeErr);
      host.off("message", takeResult).off("close", takeEnd).off("error", reject);
      resolve(outcome);
    };
    host.stdout?.on("data", takeOut);
    host.stderr?.on("data", takeErr);
    host.on("message", takeResult).on("close", takeEnd).on("error", reject);
    host.send(command);
  });
}

/** Lets this process wait for a host. */
function hold(host: ChildProcess): void {
  host.ref();
  host.channel?.ref();
  for (const stream of [host.stdout, host.stderr]) (stream as Socket).ref();
}

/** Lets this process end, and the host with it. */
function release(host: ChildProcess): void {
  host.unref();
  host.channel?.unref();
  for (const stream of [host.stdout, host.stderr]) (stream as Socket).unref();
}
