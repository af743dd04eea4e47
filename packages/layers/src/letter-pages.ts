import { LETTER_BYTES, type Letters } from "./block-file.js";
import type { LayerExports } from "./module.js";

/* The pages in which a visit leaves its letters; see `assembly/letters.ts`. */

/** Bytes of a letter in memory, and of the head of a page. */
const HELD_BYTES = 16;
const PAGE_HEAD_BYTES = 16;

/**
 * Groups the letters of a visit by addressed block.
 *
 * @param words the memory
 * @param lastPage address of the last page of the letters, or 0
 */
export function lettersIn(
  words: Uint32Array,
  lastPage: number,
  { numberOf }: Pick<LayerExports, "numberOf">,
): Letters[] {
  /** The words at which letters begin, by the place of the addressed block and their kind. */
  const found = new Map<number, number[]>();
  for (let page = lastPage / 4; page !== 0; page = (words[page] as number) / 4) {
    const end = page + (words[page + 1] as number) / 4;
    for (let at = page + PAGE_HEAD_BYTES / 4; at < end; at += HELD_BYTES / 4) {
      const to = words[at + 3] as number;
      const known = found.get(to);
      if (known) known.push(at);
      else found.set(to, [at]);
    }
  }
  const places = new Set([...found.keys()].map((to) => to >> 1));
  const letters = [...places].map((place): Letters => {
    const [demands = [], answers = []] = [found.get(2 * place), found.get(2 * place + 1)];
    const data = new Uint32Array((LETTER_BYTES / 4) * (demands.length + answers.length));
    let next = 0;
    for (const at of [...demands, ...answers]) {
      for (let i = at; i < at + LETTER_BYTES / 4; i++) data[next++] = words[i] as number;
    }
    return {
      to: BigInt.asUintN(64, numberOf(place)).toString(16),
      ...{ demands: demands.length, answers: answers.length },
      bytes: new Uint8Array(data.buffer),
    };
  });
  return letters.sort((a, b) => (a.to < b.to ? -1 : 1));
}
