import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import type { Terminal as Screen } from "@xterm/headless";
import { GRIDLOCK } from "./command.js";
import { until } from "./until.js";

/**
 * Runs a program in a pseudo-terminal, which Node cannot open. Copies standard input to it and its
 * output to standard output; sets its size by lines of descriptor 3; prints the modes that the
 * program has left it in on standard error.
 */
const PSEUDO_TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
def set_size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, master = pty.fork()
if pid == 0:
    os.close(3)
    set_size(0, int(sys.argv[1]), int(sys.argv[2]))
    os.execvp(sys.argv[3], sys.argv[3:])
inputs = [0, 3, master]
while True:
    ready = select.select(inputs, [], [])[0]
    for fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if fd == master:
            if not data:
                status = os.waitpid(pid, 0)[1]
                modes = termios.tcgetattr(master)[3]
                print(bool(modes & termios.ECHO and modes & termios.ICANON), file=sys.stderr)
                sys.exit(os.waitstatus_to_exitcode(status))
            os.write(1, data)
        elif not data:
            inputs.remove(fd)
        elif fd == 0:
            os.write(master, data)
        else:
            set_size(master, *map(int, data.split(b"\\n")[0].split()))
`;

/** Makes the screen of a terminal, which interprets what is written to it. */
function openScreen(size: { readonly rows: number; readonly cols: number }): Screen {
  // Loaded here, since most tests need no terminal.
  const { Terminal } = createRequire(import.meta.url)("@xterm/headless");
  return new Terminal({ ...size, allowProposedApi: true });
}

/**
 * Returns the text on a screen, without blanks at the ends of lines and without empty lines at the
 * end.
 */
function textOn({ buffer: { active } }: Screen): string {
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  return lines
    .map((line) => line?.translateToString().trimEnd())
    .join("\n")
    .trimEnd();
}

/** Returns the text on the screen of a terminal after some output. */
export async function screenAfter(output: string, columns: number): Promise<string> {
  const screen = openScreen({ rows: 24, cols: columns });
  await new Promise<void>((resolve) => screen.write(output, resolve));
  return textOn(screen);
}

/** The size of a terminal. */
interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** The command in a pseudo-terminal. It is killed when it is disposed of. */
export class Terminal implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #screen: Screen;
  /** Resolves to the exit code when the command has ended. */
  readonly ended: Promise<number | null>;
  #output = "";
  #modes = "";

  /** @param options.columns columns of the terminal (default: 80 by 24) */
  constructor(
    args: readonly string[],
    options: Partial<TerminalSize> & {
      readonly cwd: string;
      readonly env?: NodeJS.ProcessEnv;
    },
  ) {
    const { rows = 24, columns = 80, cwd, env } = options;
    this.#screen = openScreen({ rows, cols: columns });
    const size = [String(rows), String(columns)];
    this.#child = spawn(
      "python3",
      ["-c", PSEUDO_TERMINAL, ...size, process.execPath, GRIDLOCK, ...args],
      {
        cwd,
        env: { ...process.env, TERM: "xterm", ...env },
        stdio: ["pipe", "pipe", "pipe", "pipe"],
      },
    );
    const [input, output, errors] = this.#child.stdio as unknown as [Writable, Readable, Readable];
    input.on("error", () => {}); // a program that has ended reads nothing
    output.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      this.#screen.write(text);
    });
    errors.setEncoding("utf8").on("data", (text: string) => {
      this.#modes += text;
    });
    this.ended = new Promise((resolve, reject) => {
      const end = (code: number | null) => this.#screen.write("", () => resolve(code));
      this.#child.on("error", reject).on("close", end);
    });
    this.ended.catch(() => {}); // reported to whoever awaits it
  }

  /** All that the command has written, with the sequences that control the terminal. */
  get output(): string {
    return this.#output;
  }

  /** The text on the screen. */
  get text(): string {
    return textOn(this.#screen);
  }

  /** True if the terminal's main screen, cursor, and modes are as they were before the command. */
  get isRestored(): boolean {
    const isMain = this.#screen.buffer.active.type === "normal";
    const [shown, hidden] = ["h", "l"].map((end) => this.#output.lastIndexOf(`\u001b[?25${end}`));
    const isCursorShown = (shown as number) >= (hidden as number);
    return isMain && isCursorShown && this.#modes.trim() === "True";
  }

  /** Types keys. */
  type(keys: string): void {
    (this.#child.stdio[0] as Writable).write(keys);
  }

  resize({ rows, columns }: TerminalSize): void {
    this.#screen.resize(columns, rows);
    (this.#child.stdio[3] as Writable).write(`${rows} ${columns}\n`);
  }

  /** Waits until the text on the screen matches; returns the text. */
  async shows(pattern: RegExp): Promise<string> {
    return await until(`the screen shows ${pattern}, not\n${this.text}`, () =>
      pattern.test(this.text) ? this.text : undefined,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill("SIGKILL");
    await this.ended;
  }
}
