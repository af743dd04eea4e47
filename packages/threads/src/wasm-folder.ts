/** A package's modules, in `wasm`. Each file is read once: an installation may change it later. */
export class WasmFolder<Sizes = never> {
  readonly #base: string;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #modules = new Map<string, WebAssembly.Module>();
  #sizes: Readonly<Record<string, Sizes>> | undefined;

  /** @param base the `import.meta.url` of a module of the package, in a folder beside `wasm` */
  constructor(base: string) {
    this.#base = base;
  }

  /** The address of the folder. */
  get url(): URL {
    // Not `import.meta.url` itself: beside a literal path, bundlers for browsers look for the file.
    return new URL("../wasm/", this.#base);
  }

  /** Provides files by name, in place of those that are installed: in a browser nothing is. */
  provide(files: Iterable<readonly [name: string, bytes: Uint8Array<ArrayBuffer>]>): void {
    for (const [name, bytes] of files) {
      this.#files.set(name, bytes);
      this.#modules.delete(name);
    }
  }

  /**
   * Returns the bytes of a file.
   *
   * @throws {Error} if it is neither installed nor provided
   */
  bytes(file: string): Uint8Array<ArrayBuffer> {
    let bytes = this.#files.get(file);
    if (bytes === undefined) {
      bytes = readInstalled(file, () => new URL(file, this.url));
      this.#files.set(file, bytes);
    }
    return bytes;
  }

  /** Returns the compiled module of a file. */
  module(file: string): WebAssembly.Module {
    let module = this.#modules.get(file);
    if (module === undefined) {
      module = new WebAssembly.Module(this.bytes(file));
      this.#modules.set(file, module);
    }
    return module;
  }

  /** Returns the sizes that were recorded when the module of a shape was compiled. */
  sizes(shape: string): Sizes {
    const read = () => JSON.parse(new TextDecoder().decode(this.bytes("sizes.json")));
    this.#sizes ??= read() as Record<string, Sizes>;
    return this.#sizes[shape] as Sizes;
  }
}

/** Reads a file with Node.js, which is not imported: this module runs in browsers too. */
function readInstalled(name: string, url: () => URL): Uint8Array<ArrayBuffer> {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  const fs = process?.getBuiltinModule?.("fs");
  if (fs === undefined) throw new Error(`${name} is neither installed nor provided`);
  return fs.readFileSync(url());
}
