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
  const counts = new Map<number, number>();
  const pages: (readonly [first: number, end: number])[] = [];
  for (let page = lastPage / 4; page !== 0; page = (words[page] as number) / 4) {
    const first = page + PAGE_HEAD_BYTES / 4;
    const end = page + (words[page + 1] as number) / 4;
    pages.push([first, end]);
    for (let at = first; at < end; at += HELD_BYTES / 4) {
      const to = words[at + 3] as number;
      counts.set(to, (counts.get(to) ?? 0) + 1);
    }
  }
  const places = [...new Set([...counts.keys()].map((to) => to >> 1))];
  const offsets = new Map<number, number>();
  const all = new Map<number, Uint32Array>();
  const letters = places.map((place): Letters => {
    const demands = counts.get(2 * place) ?? 0;
    const answers = counts.get(2 * place + 1) ?? 0;
    const data = new Uint32Array((LETTER_BYTES / 4) * (demands + answers));
    offsets.set(2 * place, 0).set(2 * place + 1, (LETTER_BYTES / 4) * demands);
    all.set(place, data);
    const to = BigInt.asUintN(64, numberOf(place)).toString(16);
    return { to, demands, answers, bytes: new Uint8Array(data.buffer) };
  });
  for (const [first, end] of pages) {
    for (let at = first; at < end; at += HELD_BYTES / 4) {
      const to = words[at + 3] as number;
      const target = all.get(to >> 1) as Uint32Array;
      let offset = offsets.get(to) as number;
      for (let i = at; i < at + LETTER_BYTES / 4; i++) target[offset++] = words[i] as number;
      offsets.set(to, offset);
    }
  }
  return letters.sort((a, b) => (a.to < b.to ? -1 : 1));
}
