/** Makes each WebAssembly instance from now on export what `change` returns of its exports. */
export function changeExports(
  change: (exports: WebAssembly.Exports, imports?: WebAssembly.Imports) => WebAssembly.Exports,
): void {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class {
    readonly exports: WebAssembly.Exports;

    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      this.exports = change(new Instance(module, imports).exports, imports);
    }
  };
}
