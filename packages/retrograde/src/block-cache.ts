import type { LayerFile } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import type { Numbers } from "./numbers.js";

/** Blocks of some files that were read lately, as many as some bytes of memory hold. */
export class BlockCache {
  readonly #most: number;
  #bytes = 0;
  /** For each file: its blocks are known by its number. */
  readonly #files = new Map<LayerFile, number>();
  /** The block that was asked for longest ago first. */
  readonly #blocks = new Map<number, Numbers>();

  constructor(bytes: number) {
    this.#most = bytes;
  }

  /** A block of a file, from memory or else from the file; throws as `LayerFile.block` does. */
  block(file: LayerFile, layer: StoredLayer, block: number): Numbers {
    const key = (this.#numberOf(file) * 2 ** 12 + layer.sum) * 2 ** 20 + block;
    const known = this.#blocks.get(key);
    const numbers = known ?? file.block(layer, block);
    if (known === undefined) this.#bytes += numbers.byteLength;
    else this.#blocks.delete(key);
    this.#blocks.set(key, numbers);
    for (const [oldest, { byteLength }] of this.#blocks) {
      if (this.#bytes <= this.#most) break;
      this.#blocks.delete(oldest);
      this.#bytes -= byteLength;
    }
    return numbers;
  }

  #numberOf(file: LayerFile): number {
    let number = this.#files.get(file);
    if (number === undefined) {
      number = this.#files.size;
      this.#files.set(file, number);
    }
    return number;
  }
}
