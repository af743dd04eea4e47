/*
 * Runs commands for the process that has forked this one, one at a time. After a command that
 * leaves nothing open for long, it waits for the next. Otherwise it accepts no more, and ends when
 * what is open has ended, as the command would.
 */
import { setImmediate, setTimeout } from "node:timers/promises";
import { GRIDLOCK } from "./command.js";
import type { HostedCommand, HostedResult } from "./command-host.js";

// The bundle that the command runs, which loads faster than its modules.
const MAIN = new URL("../../cli/dist/bundle/main.cjs", import.meta.url).href;
const { main } = (await import(MAIN)) as { main(argv: readonly string[]): Promise<void> };

const OUTPUTS = [process.stdout, process.stderr];
/** The handles that are open between two commands: both outputs, and the channel to the parent. */
const IDLE = "PipeWrap,PipeWrap,PipeWrap";
/** Milliseconds for which a command may leave something open, such as the timers of charts. */
const PATIENCE_MS = 200;
/** Milliseconds between two looks at what is open. */
const LOOK_MS = 10;

process.on("message", async ({ folder, args, end }: HostedCommand) => {
  process.chdir(folder);
  process.exitCode = undefined;
  await main([process.execPath, GRIDLOCK, ...args]);
  if (process.stdin.readableDidRead || !(await becomesIdle())) return process.disconnect();
  process.chdir("/");
  await Promise.all(OUTPUTS.map((stream) => write(stream, end)));
  const memory = 1024 * process.resourceUsage().maxRSS;
  process.send?.({ code: Number(process.exitCode ?? 0), memory } satisfies HostedResult);
});

/** Waits until what a command has left open has ended; returns whether it soon has. */
async function becomesIdle(): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  await setImmediate();
  while (openResources() !== IDLE) {
    if (performance.now() > end) return false;
    await setTimeout(LOOK_MS);
  }
  return true;
}

/** Lists the open handles and the requests under way. */
function openResources(): string {
  return process.getActiveResourcesInfo().sort().join();
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
