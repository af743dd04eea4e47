import { readFileSync } from "node:fs";

/** The folder of a package's compiled modules. Each file in it is read once. */
export class WasmFolder<Sizes = never> {
  readonly #folder: URL;
  readonly #modules = new Map<string, WebAssembly.Module>();
  #sizes: Readonly<Record<string, Sizes>> | undefined;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** Returns the compiled module of a file. */
  module(file: string): WebAssembly.Module {
    let module = this.#modules.get(file);
    if (module === undefined) {
      module = new WebAssembly.Module(this.#read(file));
      this.#modules.set(file, module);
    }
    return module;
  }

  /** Returns the sizes that were recorded when the module of a shape was compiled. */
  sizes(shape: string): Sizes {
    this.#sizes ??= JSON.parse(this.#read("sizes.json").toString()) as Record<string, Sizes>;
    return this.#sizes[shape] as Sizes;
  }

  #read(file: string): Buffer<ArrayBuffer> {
    return readFileSync(new URL(file, this.#folder));
  }
}
