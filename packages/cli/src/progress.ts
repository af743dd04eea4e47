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

/** One way to show where a solve stands. */
interface Drawing {
  /** Milliseconds between two drawings. */
  readonly every: number;
  draw(progress: Progress, seconds: number): void;
  end(): void;
}

/** A bar on a terminal. */
function drawBar(name: string, first: Progress): Drawing {
  const bar = new SingleBar({
    format: " {name} {bar} {value}/{total} starts, {text}, {passed}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 10, // all that is said fits into 80 columns
    barCompleteChar: "█",
    barIncompleteChar: "░",
  });
  const payload = (progress: Progress, seconds: number) => ({
    name,
    text: describe(progress, seconds),
    passed: formatSeconds(seconds),
  });
  bar.start(first.starts.length, first.solved, payload(first, 0));
  return {
    every: FRAME_MS,
    draw: (progress, seconds) => bar.update(progress.solved, payload(progress, seconds)),
    end: () => {
      if (bar.isActive) bar.stop();
    },
  };
}

/** A line now and then, for pipes and files. */
function drawLines(name: string): Drawing {
  return {
    every: LINE_MS,
    draw: (progress, seconds) =>
      console.error(
        `${name}: ${progress.solved}/${progress.starts.length} starts, ${describe(progress, seconds)}, ${formatSeconds(seconds)}`,
      ),
    end: () => {},
  };
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
  const began = performance.now();
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  let latest: Progress = { starts, solved, questions: 0, counts: port.counts() };
  const drawing = process.stderr.isTTY ? drawBar(name, latest) : drawLines(name);
  const timer = setInterval(() => {
    drawing.draw({ ...latest, counts: port.counts() }, (performance.now() - began) / 1000);
  }, drawing.every);
  return {
    update(progress) {
      latest = progress;
    },
    stop() {
      clearInterval(timer);
      drawing.end();
    },
  };
}
