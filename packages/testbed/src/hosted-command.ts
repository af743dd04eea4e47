/*
 * Runs commands for the process that has forked this one, one at a time. After a command that leaves nothing open, it
 * waits for the next. Otherwise it accepts no more, and ends when what is open has ended, as the command would.
 */
import { setImmediate } from "node:timers/promises";
import { GRIDLOCK } from "./command.js";
import type { HostedCommand, HostedResult } from "./command-host.js";

// Not by the package's index, which loads the schemas of all output too.
const MAIN = new URL("../../lab/dist/main.js", import.meta.url).href;
const { main } = (await import(MAIN)) as { main(argv: readonly string[]): Promise<void> };

const OUTPUTS = [process.stdout, process.stderr];
/** The handles that are open between two commands: both outputs, and the channel to the parent. */
const IDLE = "PipeWrap,PipeWrap,PipeWrap";

process.on("message", async ({ folder, args, end }: HostedCommand) => {
  process.chdir(folder);
  process.exitCode = undefined;
  await main([process.execPath, GRIDLOCK, ...args]);
  await setImmediate();
  if (openResources() !== IDLE || process.stdin.readableDidRead) return process.disconnect();
  process.chdir("/");
  await Promise.all(OUTPUTS.map((stream) => write(stream, end)));
  const memory = 1024 * process.resourceUsage().maxRSS;
  process.send?.({ code: Number(process.exitCode ?? 0), memory } satisfies HostedResult);
});

/** Lists the open handles and the requests under way. */
function openResources(): string {
  return process.getActiveResourcesInfo().sort().join();
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
