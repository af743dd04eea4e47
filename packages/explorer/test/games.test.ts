import {
  type Board,
  isEnd,
  type Node,
  parseBoard,
  placements,
  slides,
  type Tiles,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageAt } from "../src/client/page-at.js";
import { boardInAddress, gameAddress, readBoard } from "../src/logic/address.js";
import { gradeMoves } from "../src/logic/grade.js";
import { applyMove, type Step } from "../src/logic/moves.js";
import type { PlayPage } from "../src/page.js";
import { earnedIn, nodeAt, replay, withAnswer } from "../src/play/game.js";
import { readMoves, writeMoves } from "../src/play/record.js";
import { candidates } from "../src/play/seats.js";
import { readSetting } from "../src/play/setting.js";
import { compareWithMistake, mistakesIn } from "../src/play/words.js";
import { answerFor, anyBoard } from "./boards.js";

const TILES: Tiles = [2, 4];
const SEATS = { slider: "you", placer: "perfect" };

/** A game that was played. */
interface Played {
  readonly start: Node;
  readonly tiles: Tiles;
  readonly steps: readonly Step[];
}

/** Makes the legal moves that numbers choose. */
function played(
  board: Board,
  turn: Node["turn"],
  tiles: Tiles,
  choices: readonly number[],
): Played {
  const start: Node = { board, turn };
  const steps: Step[] = [];
  let node = start;
  for (const choice of choices) {
    const names =
      node.turn === "slider"
        ? slides(node.board).map(({ direction }) => direction)
        : placements(node.board, tiles).map(
            ({ tile, cell }) =>
              `${tile}@${Math.floor(cell / board.cols) + 1},${(cell % board.cols) + 1}`,
          );
    const step = applyMove(node, names[choice % Math.max(1, names.length)] ?? "");
    if (step === undefined) break;
    steps.push(step);
    node = step.after;
  }
  return { start, tiles, steps };
}

/** Returns whether games can begin at a node: large tiles need room, placers an empty cell. */
function isReadable({ board, turn }: Node): boolean {
  try {
    readBoard(boardInAddress(board), turn);
    return true;
  } catch {
    return false;
  }
}

const anyGame: fc.Arbitrary<Played> = fc
  .tuple(
    anyBoard,
    fc.constantFrom("slider" as const, "placer" as const),
    fc.constantFrom<Tiles>([2, 4], [2]),
    fc.array(fc.nat(999), { maxLength: 60 }),
  )
  .map((parts) => played(...parts))
  .filter(({ start }) => isReadable(start));

/** A page of *Play* on which only the players of the browser can play. */
function pageOf({ start: { board }, tiles }: Pick<Played, "start" | "tiles">): PlayPage {
  return {
    name: "play",
    shape: `${board.rows}x${board.cols}`,
    tiles,
    shapes: [],
    starts: [],
    players: { sliders: [], placers: [] },
    search: "",
  };
}

describe("the moves of a game", () => {
  it("survive an address, whoever played", () => {
    fc.assert(
      fc.property(anyGame, ({ start, tiles, steps }) => {
        const text = writeMoves(tiles, steps);
        expect(encodeURIComponent(text)).toBe(text);
        expect(text.length).toBeLessThanOrEqual(steps.length + 5);
        const seats = { slider: "zaky-minimax:2", placer: "you" };
        const address = gameAddress({ node: start, tiles }, text, seats);
        const search = address.slice(address.indexOf("?"));
        const setting = readSetting(pageOf({ start, tiles }), search);
        expect(setting.problem).toBeUndefined();
        expect(setting).toMatchObject({ seats, reviewing: true });
        expect(setting.game.start).toEqual(start);
        expect(setting.game.plies.map(({ step }) => step)).toEqual(steps);
        expect(setting.game.plies.every(({ valued }) => !valued)).toBe(true);
      }),
    );
  });

  it("are read as far as a truncated address has them, with a sentence", () => {
    fc.assert(
      fc.property(
        anyGame.filter(({ steps }) => steps.length > 0),
        fc.nat(),
        ({ start, tiles, steps }, at) => {
          const text = writeMoves(tiles, steps);
          const least = text.indexOf(".") + 1;
          const cut = least + (at % (text.length - least));
          const read = readMoves(start, tiles, text.slice(0, cut));
          expect(read.steps).toEqual(steps.slice(0, cut - least));
          expect(read.problem).toBe(
            `This address was cut off: it has only ${cut - least} of the game's ${steps.length} moves.`,
          );
        },
      ),
    );
  });

  it("never fail to be read, whatever stands in the address", () => {
    fc.assert(
      fc.property(anyBoard, fc.string(), (board, text) => {
        for (const written of [text, `9.${text}`]) {
          const { steps, problem } = readMoves({ board, turn: "slider" }, TILES, written);
          if (problem === undefined) expect(writeMoves(TILES, steps)).toBe(written);
        }
      }),
    );
  });

  it.each([
    ["2.lZ", 'Move 2 of this address, "Z", is illegal. The moves before it are shown.', 1],
    ["1.lC", "This address has 2 moves, but the game has 1.", 2],
    ["lB", 'The moves "lB" cannot be read.', 0],
    ["2.l%", 'The moves "2.l%" cannot be read.', 0],
  ] as const)("say what is wrong with %s", (text, problem, count) => {
    const read = readMoves(parseBoard("2 2/0 0"), TILES, text);
    expect(read.problem).toBe(problem);
    expect(read.steps).toHaveLength(count);
  });

  it("mean nothing without their first board", () => {
    const page = pageOf({ start: parseBoard("2 2/0 0"), tiles: TILES });
    const setting = readSetting(page, "?moves=2.lB");
    expect(setting.problem).toBe("The address of this game lacks its first board.");
    expect(setting).toMatchObject({ reviewing: false, game: { plies: [] } });
  });
});

describe("the page of a game on a site", () => {
  const start = parseBoard("2 2/0 0");
  const known = [{ board: "2 2/0 0", lo: 12, hi: 12, value: 12 }];
  const page = { ...pageOf({ start, tiles: TILES }), starts: known };
  const startsAt = (variants: PlayPage["variants"] & {}) => {
    const at = pageAt({ ...page, variants }, { pathname: "/play/2x2/", search: "?tiles=2" });
    return (at as PlayPage).starts;
  };

  it("has the starts of the address's tiles, with their values if these are known", () => {
    const starts = [{ board: "2 2/0 0", lo: 4, hi: 4, value: 4 }];
    expect(startsAt([{ tiles: [2], starts }])).toEqual(starts);
    const unknown = { board: "2 2/0 0", lo: 0, hi: Number.POSITIVE_INFINITY, value: null };
    expect(startsAt([])).toEqual([unknown]);
  });
});

/** A game on 2×2 with one mistake, the slide up, and its values. */
function gameWithMistake() {
  const start = parseBoard("2 2/0 0");
  const steps = readMoves(start, TILES, "2.rA").steps;
  const answer = answerFor(start, ({ cells }) => (cells[0] === 4 ? [8, 8] : [2, 2]));
  return { answer, game: withAnswer(replay(start, TILES, steps), 0, answer) };
}

describe("a game from an address", () => {
  it("gets its values move by move", () => {
    const { game } = gameWithMistake();
    expect(game.plies.map(({ valued }) => valued)).toEqual([true, false]);
    expect(game.plies[0]).toMatchObject({ worth: { lo: 12, hi: 12 }, cost: { lo: 6, hi: 6 } });
    expect(earnedIn(game)).toBe(4);
    expect(isEnd(nodeAt(game).board)).toBe(false);
  });

  it("gets the cost of a move from the value of the board that it led to", () => {
    const start = parseBoard("2 2/0 0");
    const steps = readMoves(start, TILES, "2.rA").steps;
    // The value of the board before is known, and of its moves only that one of them is best.
    const open = answerFor(start, ({ cells }) => (cells[0] === 4 ? [8, 8] : [0, 4]));
    const before = withAnswer(replay(start, TILES, steps), 0, open);
    expect(before.plies[0]).toMatchObject({ valued: false, cost: { lo: 4, hi: 8 } });
    const [step] = steps;
    const next = answerFor(step?.after as Node, () => [2, 2]);
    const after = withAnswer(before, 1, next);
    expect(after.plies[0]).toMatchObject({
      valued: true,
      cost: { lo: 6, hi: 6 },
      total: { lo: 6, hi: 6 },
    });
    // The order of the answers does not matter.
    const other = withAnswer(withAnswer(replay(start, TILES, steps), 1, next), 0, open);
    expect(other).toEqual(after);
    // Nothing more is to come of an answer that is the last.
    const last = withAnswer(replay(start, TILES, steps), 0, open, true);
    expect(last.plies[0]).toMatchObject({ valued: true, cost: { lo: 4, hi: 8 } });
  });
});

describe("learning from mistakes", () => {
  it("goes through those of the reader, or of both players of a watched game", () => {
    const { game } = gameWithMistake();
    expect(mistakesIn(game, SEATS)).toEqual([0]);
    expect(mistakesIn(game, { slider: "perfect", placer: "you" })).toEqual([]);
    expect(mistakesIn(game, { slider: "emr", placer: "perfect" })).toEqual([0]);
  });

  it("says whether another move is best, better or not", () => {
    const start = parseBoard("0 0 0/0 2 0/0 0 0");
    const values = { up: 20, left: 12, right: 8, down: 8 };
    const answer = answerFor(start, ({ cells }) => {
      const at = ["", "up", "", "left", "", "right", "", "down"][cells.indexOf(2)];
      const value = values[at as keyof typeof values];
      return [value, value];
    });
    const steps = readMoves(start, TILES, "1.r").steps;
    const ply = withAnswer(replay(start, TILES, steps), 0, answer).plies[0];
    const said = gradeMoves(start, answer).map((move) => {
      if (ply === undefined) throw new Error("the game has a move");
      const { best, words } = compareWithMistake(move, ply);
      return [move.step.name, best, words];
    });
    expect(said).toEqual([
      ["up", true, "Slide up is best: it gives nothing away."],
      [
        "left",
        false,
        "Slide left is better: it gives away 8 instead of 12. There is a better move still.",
      ],
      ["down", false, "Slide down is no better: it gives away 12. Try another."],
      ["right", false, "Slide right is the move of the game: it gave away 12."],
    ]);
  });
});

describe("opponents", () => {
  it("are explained, the strongest first, and codes stand apart", () => {
    const named = (name: string) => ({ name, summary: `the summary of ${name}` });
    const players = {
      sliders: ["random", "emr", "new", "greedy", "r", "estimate"].map(named),
      placers: ["random", "evil"].map(named),
    };
    const { main, codes } = candidates("slider", players);
    expect(main.map(({ name }) => name)).toEqual([
      ..."you perfect estimate greedy random new".split(" "),
    ]);
    expect(main.at(-1)?.summary).toBe("the summary of new");
    expect(main.at(-2)?.summary).toBe("slides at random");
    expect(codes.map(({ name }) => name)).toEqual(["emr", "r"]);
    expect(candidates("placer", players).main.map(({ name }) => name)).toEqual([
      ..."you perfect evil random".split(" "),
    ]);
  });
});
