import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The folder `shared` of a run, mounted from its folder `disk`. Mounting needs root. */
export class SharedMount implements Disposable {
  readonly #shared: string;
  readonly #disk: string;
  #isMounted = false;

  constructor(folder: string) {
    this.#shared = join(folder, "shared");
    this.#disk = join(folder, "disk");
    mkdirSync(this.#disk);
    this.mount();
  }

  mount(): void {
    run("mount", "--bind", this.#disk, this.#shared);
    this.#isMounted = true;
  }

  unmount(): void {
    // Lazily, since files in it may be open.
    run("umount", "-l", this.#shared);
    this.#isMounted = false;
  }

  /** Makes it read-only, or writable again; returns whether that has succeeded. */
  tryRemount(mode: "ro" | "rw"): boolean {
    try {
      run("mount", "-o", `remount,${mode},bind`, this.#shared);
      return true;
    } catch {
      return false;
    }
  }

  [Symbol.dispose](): void {
    if (this.#isMounted) this.unmount();
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
}
