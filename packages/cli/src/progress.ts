import { isExact } from "@gridlock/game";
import type { JobPort, Progress, StartBound } from "@gridlock/solver";
import { SingleBar } from "cli-progress";
import { formatBound, formatRough, formatSeconds } from "./format.js";

/** Shows on standard error how a solve goes on. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Leaves the terminal as it was; a second call does nothing. */
  stop(): void;
}

/** Milliseconds between two frames of the bar, and between two lines in a pipe. */
const FRAME_MS = 100;
const LINE_MS = 2000;

/** What there is to say: where the open values lie, questions answered, nodes, nodes a second. */
function describe(progress: Progress, seconds: number): string {
  const { positions, afterstates } = progress.counts;
  const nodes = positions + afterstates;
  const parts = [
    `${progress.questions} asked`,
    `${formatRough(nodes)} nodes`,
    `${formatRough(nodes / Math.max(seconds, 1e-3))}/s`,
  ];
  const open = progress.starts.filter(({ bound }) => !isExact(bound));
  if (open.length > 0) {
    const lo = Math.min(...open.map(({ bound }) => bound.lo));
    const hi = Math.max(...open.map(({ bound }) => bound.hi));
    parts.unshift(`open ${formatBound({ lo, hi })}`);
  }
  return parts.join(", ");
}

/** A bar on a terminal. */
class Bar implements ProgressDisplay {
  readonly #began = performance.now();
  readonly #bar = new SingleBar({
    format: " {name} {bar} {value}/{total} starts, {text}, {passed}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 10, // all that is said fits into 80 columns
    barCompleteChar: "█",
    barIncompleteChar: "░",
  });
  readonly #timer: NodeJS.Timeout;
  #latest: Progress;

  constructor(name: string, first: Progress, port: Pick<JobPort, "counts">) {
    this.#latest = first;
    this.#bar.start(first.starts.length, first.solved, { name, ...this.#payload() });
    this.#timer = setInterval(() => {
      this.#latest = { ...this.#latest, counts: port.counts() };
      this.#bar.update(this.#latest.solved, this.#payload());
    }, FRAME_MS);
  }

  #payload() {
    const seconds = (performance.now() - this.#began) / 1000;
    return { text: describe(this.#latest, seconds), passed: formatSeconds(seconds) };
  }

  update(progress: Progress): void {
    this.#latest = progress;
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#bar.isActive) this.#bar.stop();
  }
}

/** A line now and then, for pipes and files. */
class Lines implements ProgressDisplay {
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #latest: Progress;

  constructor(name: string, first: Progress, port: Pick<JobPort, "counts">) {
    this.#latest = first;
    this.#timer = setInterval(() => {
      const seconds = (performance.now() - this.#began) / 1000;
      const now = { ...this.#latest, counts: port.counts() };
      console.error(
        `${name}: ${now.solved}/${now.starts.length} starts, ${describe(now, seconds)}, ${formatSeconds(seconds)}`,
      );
    }, LINE_MS);
  }

  update(progress: Progress): void {
    this.#latest = progress;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Shows how a solve goes on from these starts: a bar where standard error is a terminal, lines
 * elsewhere. Between updates the port is asked for its counts, since a question may take long.
 */
export function showProgress(
  name: string,
  starts: readonly StartBound[],
  port: Pick<JobPort, "counts">,
): ProgressDisplay {
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  const first = { starts, solved, questions: 0, counts: port.counts() };
  return process.stderr.isTTY ? new Bar(name, first, port) : new Lines(name, first, port);
}
