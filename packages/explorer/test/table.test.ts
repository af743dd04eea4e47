import { describe, expect, it } from "vitest";
import { readBoard } from "../src/logic/address.js";
import { type GradedMove, gradeMoves } from "../src/logic/grade.js";
import { applyMove, type Step } from "../src/logic/moves.js";
import { type Game, replay } from "../src/play/game.js";
import type { Setting } from "../src/play/setting.js";
import {
  earlyMove,
  firstState,
  modeOf,
  type Played,
  phaseAt,
  reduceTable,
  type TableAction,
  type TableState,
} from "../src/play/table-state.js";
import { answerFor } from "./boards.js";

const start = readBoard("2 2 0/0 0 0");
const steps: Step[] = [];
for (const name of ["left", "2@1,2", "right"]) {
  const step = applyMove(steps.at(-1)?.after ?? start, name);
  if (step) steps.push(step);
}
const game: Game = replay(start, [2, 4], steps);

function settingOf(seats: Setting["seats"], reviewing = false): Setting {
  return { seats, game, starts: [], reviewing, named: true };
}

const YOURS = settingOf({ slider: "you", placer: "perfect" });

/** Returns the state after some actions of a reader who plays. */
function after(...actions: readonly TableAction[]): TableState {
  return actions.reduce(reduceTable, firstState(YOURS));
}

function played(changes: Partial<Played> = {}): Played {
  return { game, mode: "play", over: false, yourTurn: true, mistakes: [0, 2], ...changes };
}

describe("the state of a table", () => {
  it("shows the first board of a game to look at, and the last one of a game to play", () => {
    expect(firstState(YOURS).cursor).toBeUndefined();
    expect(firstState(settingOf(YOURS.seats, true)).cursor).toBe(0);
  });

  it("returns to the end of the game and hides the hint when a move is made", () => {
    const hint = { kind: "choose", choices: { hint: true, open: true } } as const;
    const state = after({ kind: "step", cursor: 1 }, hint, { kind: "move" });
    expect(state).toEqual({ ...firstState(YOURS), open: true });
  });

  it("keeps what the tools chose when moves are taken back, and nothing else", () => {
    const chosen = { open: true, speed: 7, brush: 4 };
    const state = after(
      { kind: "choose", choices: { ...chosen, hint: true, running: true } },
      { kind: "slide early", name: "left" },
      { kind: "step", cursor: 1 },
      { kind: "learn", mistake: 0 },
      { kind: "take back" },
    );
    expect(state).toEqual({ ...firstState(YOURS), ...chosen });
  });

  it("forgets a try with its lesson", () => {
    const attempt = { best: false, words: "" };
    const tried = after({ kind: "learn", mistake: 1 }, { kind: "try", attempt });
    expect(tried.lesson).toEqual({ mistake: 1, attempt });
    expect(reduceTable(tried, { kind: "learn", mistake: 2 }).lesson).toEqual({ mistake: 2 });
    expect(reduceTable(tried, { kind: "learn", mistake: undefined }).lesson).toBeUndefined();
    expect(after({ kind: "try", attempt }).lesson).toBeUndefined();
  });

  it("holds early slides in their order, until the reader's turn", () => {
    const asked = (["left", "up"] as const).map((name) => ({ kind: "slide early", name }) as const);
    expect(after(...asked).early).toEqual(["left", "up"]);
    expect(after(...asked, { kind: "begin turn", left: ["up"] }).early).toEqual(["up"]);
  });
});

describe("an early slide", () => {
  const moves: readonly GradedMove[] = gradeMoves(
    start,
    answerFor(start, () => [0, 0]),
  );

  it("is the first that is possible; the others wait, or are dropped", () => {
    const { move, left } = earlyMove(["up", "left", "right", "up"], moves);
    expect([move?.step.name, left]).toEqual(["left", ["right", "up"]]);
    expect(earlyMove(["up", "up"], moves)).toEqual({ move: undefined, left: [] });
    expect(earlyMove([], moves)).toEqual({ move: undefined, left: [] });
  });
});

describe("the phase of a table", () => {
  const kindOf = (state: TableState, changes?: Partial<Played>) =>
    phaseAt(state, played(changes)).kind;

  it("is the reader's turn or that of a program while the game goes on", () => {
    expect(kindOf(after())).toBe("your turn");
    expect(kindOf(after(), { yourTurn: false })).toBe("their turn");
    expect(kindOf(after({ kind: "step", cursor: 1 }))).toBe("their turn");
    // A watched game continues while the reader looks at an earlier board.
    const looking = after({ kind: "step", cursor: 1 });
    const phase = phaseAt(looking, played({ mode: "watch", yourTurn: false }));
    expect(phase).toMatchObject({ kind: "their turn", moves: 1, atEnd: false });
    expect(phase.node).toEqual(steps[0]?.after);
  });

  it("steps through a game that is over, or one to look at", () => {
    expect(kindOf(after(), { over: true })).toBe("stepping");
    const reviewed = phaseAt(
      firstState(settingOf(YOURS.seats, true)),
      played({ mode: "review", yourTurn: false }),
    );
    expect(reviewed).toEqual({ kind: "stepping", node: start, moves: 0, atEnd: false });
    expect(phaseAt(after({ kind: "step", cursor: 9 }), played({ over: true }))).toMatchObject({
      moves: 3,
      atEnd: true,
    });
  });

  it("is the board before a mistake in its lesson, and none for a mistake that there is not", () => {
    const lesson = phaseAt(after({ kind: "learn", mistake: 1 }), played({ over: true }));
    expect(lesson).toMatchObject({ kind: "lesson", node: steps[1]?.after, mistake: game.plies[2] });
    expect(kindOf(after({ kind: "learn", mistake: 2 }), { over: true })).toBe("stepping");
  });
});

describe("the mode of a table", () => {
  it("follows from who plays, and whether the game was played", () => {
    expect(modeOf(YOURS)).toBe("play");
    expect(modeOf(settingOf(YOURS.seats, true))).toBe("review");
    expect(modeOf(settingOf({ slider: "emr", placer: "perfect" }))).toBe("watch");
  });
});
