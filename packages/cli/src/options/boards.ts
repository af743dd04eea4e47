import {
  type Board,
  formatBoard,
  parseOrder,
  parseShape,
  type ReadOptions,
  readBoard,
  type Shape,
} from "@gridlock/game";
import type { Command } from "commander";
import { UsageError } from "../exit.js";
import { asArgument } from "./parse.js";

/** The options that say what the text of a board leaves open. */
export type BoardFlags = Pick<ReadOptions, "shape" | "exponents" | "order">;

/** Adds the options for reading boards to a command. */
export function withBoards(command: Command): Command {
  return command
    .option(
      "--shape <shape>",
      "shape of the boards, for boards with all cells in a row",
      asArgument(parseShape),
    )
    .option("--exponents", "read numbers as exponents: 1 is a tile of 2, 2 is a 4")
    .option(
      "--order <order>",
      "digit of the first cell in a board of 16 hexadecimal digits: high or low (default: high)",
      asArgument(parseOrder),
    );
}

/**
 * Returns the board of `--board`, of the command's shape and with the slider to move.
 *
 * @throws {UsageError} if the placer is to move
 */
export function positionOf(shape: Shape, text: string): Board {
  const { board, turn } = readBoard(text, { shape });
  if (turn === "slider") return board;
  throw new UsageError(
    `--board ${formatBoard(board, turn)} has the placer to move; expected the slider to move`,
  );
}

/**
 * Lets a command take boards that begin with `-` for an empty cell: `- 2/2 -` is not an option. The
 * dash becomes `·`, the same cell.
 */
export function allowDashes(command: Command): Command {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(args.map(withoutDash));
  return command;
}

/** The characters that can follow an empty cell and no dash of an option. */
const AFTER_CELL = " \t\r\n/;|,_";

function withoutDash(arg: string): string {
  return arg.startsWith("-") && arg.length > 1 && AFTER_CELL.includes(arg[1] as string)
    ? `·${arg.slice(1)}`
    : arg;
}

/**
 * Returns the boards of a command's arguments. If any argument contains blanks, or if each is a
 * board by itself (hexadecimal digits, an array, an object, an address, rows with commas), each is
 * a board; otherwise all of them are the words of one.
 */
export function boardsIn(words: readonly string[]): string[] {
  const isTurn = (word: string) => /^(slider|placer)$/i.test(word);
  const areBoards =
    words.some((word) => /\s/.test(word.trim())) ||
    words.every((word) => isTurn(word) || isBoard(word));
  if (!areBoards) return [words.join(" ")];
  const boards: string[] = [];
  for (const word of words) {
    if (isTurn(word) && boards.length > 0) boards.push(`${boards.pop()} ${word}`);
    else boards.push(word);
  }
  return boards;
}

/** Returns whether a word without blanks is a whole board. */
function isBoard(word: string): boolean {
  if (/^(0x)?[0-9a-f]{16}$/i.test(word) || /^(\[\[|\{|array\()/.test(word)) return true;
  return /[_,]/.test(word) && /[/;|]/.test(word);
}
