import { type Bound, type Game, type PackedBoard, packedFromBits } from "@gridlock/game";
import { BlockFile } from "./block-file.js";
import { instantiate } from "./module.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/** Pages of memory for a module that only computes boards. */
const MODULE_PAGES = 2;
const MOST_PAGES = 65_536;

/**
 * Reads the bounds of a block's boards from its file.
 *
 * @throws {DamagedFile} if the file is missing or damaged
 */
export function* boundsIn(game: Game, folder: string, name: string): Iterable<ProvenNode> {
  const memory = new WebAssembly.Memory({
    ...{ initial: MODULE_PAGES, maximum: MOST_PAGES, shared: true },
  });
  const { boardOfKey } = instantiate(game, memory, {
    makeRoom: () => undefined,
    tooManyBlocks: () => undefined,
  });
  using file = new BlockFile(folder, name);
  for (const bytes of file.chunks()) {
    let key = 0n;
    const decoder = new Decoder(bytes);
    while (!decoder.isDone) {
      const board = decoder.board();
      key += board.difference;
      if (board.isGuest) continue;
      const [lo, hi] = [4 * board.lo, 4 * board.hi];
      yield { board: packedFromBits(boardOfKey(key)), lo, hi };
    }
  }
}

/* What a board's byte says. */
const IS_GUEST = 1;
const HAS_NODE = 2;

/** Decodes boards, as `assembly/files.ts` writes them; of their nodes nothing is kept. */
class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  board(): { difference: bigint; lo: number; hi: number; isGuest: boolean } {
    const difference = this.#number();
    const code = Number(this.#number());
    const value = code >> 2;
    const lo = code & 1 ? value : 0;
    const hi =
      (code & 3) === 3
        ? value + Number(this.#number())
        : code & 2
          ? value
          : Number.POSITIVE_INFINITY;
    const kind = this.#bytes[this.#at++] as number;
    const isGuest = (kind & IS_GUEST) !== 0;
    if (kind & HAS_NODE) this.#skipNode(isGuest);
    return { difference, lo, hi, isGuest };
  }

  #skipNode(isGuest: boolean): void {
    this.#skip(2); // need, and what its block was told or what its edges fulfil
    if (isGuest) return;
    for (let edges = Number(this.#number()); edges > 0; edges--) {
      this.#skip(2); // child and points
      this.#at++;
    }
    this.#skip(2 * Number(this.#number())); // blocks and what they demand
  }

  #skip(numbers: number): void {
    for (; numbers > 0; numbers--) {
      while ((this.#bytes[this.#at++] as number) > 127);
    }
  }

  #number(): bigint {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = this.#bytes[this.#at++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  }
}
