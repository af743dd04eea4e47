import type { Section } from "./part-file.js";
import type { Inbox, LayerFiles, PartFiles, VisitResult, VisitTask } from "./visitor.js";

/** A part of a layer, and what its last visit left. */
export interface PartState {
  readonly layer: number;
  readonly part: number;
  readonly files: PartFiles;
  /** True if something has changed since that the part depends on. */
  readonly dirty: boolean;
  /** The round in which it was visited: demands of earlier rounds no longer count. */
  readonly round: number;
  readonly bounds: number;
  readonly open: number;
  readonly live: number;
}

/** Nothing is known of a part that was never visited. */
const UNVISITED: Omit<PartState, "layer" | "part"> = {
  files: { base: undefined, visit: undefined, step: 0 },
  ...{ dirty: false, round: 0, bounds: 0, open: 0, live: 0 },
};

/** The source of demands on a part: a part of a lower layer or, with `part` −1, the starts of the same tile sum. */
interface Source {
  readonly layer: number;
  readonly part: number;
}

interface Demand extends Source, Inbox {}

/**
 * The parts of all layers, the demands between them, and which of them have to be visited again: those on which other
 * demands are made than before, and those of whose children something new is known.
 */
export class ProofState {
  readonly #partsLog2: (layer: number) => number;
  readonly #layers = new Map<number, Map<number, PartState>>();
  /** The demands that a source makes, as sections of its last file. */
  readonly #made = new Map<
    string,
    { source: Source; file: string; sections: readonly Section[] }
  >();
  /** The demands on a part, by their source. */
  readonly #inbox = new Map<string, Map<string, Demand>>();
  /** Parts changed since they were last taken by {@link takeChanges}. */
  readonly #changed = new Set<PartState>();
  /** Files that no part has any more. */
  #obsolete: string[] = [];
  round = 0;

  /** @param partsLog2 binary logarithm of the number of parts of a layer */
  constructor(partsLog2: (layer: number) => number) {
    this.#partsLog2 = partsLog2;
  }

  /** Takes a part and the demands of its last file from an earlier run. */
  restore(state: PartState, sections: readonly Section[]): void {
    this.#put(state);
    this.#changed.clear();
    if (state.round === this.round) this.#record(state, state.files.visit as string, sections);
  }

  /** Begins another round: no demands are made until starts make them. */
  beginRound(round: number): void {
    this.round = round;
    for (const [, file] of this.startFiles()) this.#obsolete.push(file);
    this.#made.clear();
    this.#inbox.clear();
    for (const state of this.#all()) if (state.dirty) this.#put({ ...state, dirty: false });
  }

  *#all(): Iterable<PartState> {
    for (const parts of this.#layers.values()) yield* parts.values();
  }

  get parts(): Iterable<PartState> {
    return this.#all();
  }

  /** The layers with parts that have to be visited. */
  dirtyLayers(): number[] {
    return [...this.#layers].flatMap(([layer, parts]) =>
      [...parts.values()].some(({ dirty }) => dirty) ? [layer] : [],
    );
  }

  /** The tasks for a layer's parts that have to be visited, in the order of the parts. */
  tasksOf(layer: number, step: number): VisitTask[] {
    const dirty = [...(this.#layers.get(layer)?.values() ?? [])].filter(({ dirty }) => dirty);
    if (dirty.length === 0) return [];
    const [near, far] = [this.filesOf(layer + 1), this.filesOf(layer + 2)];
    const partsLog2 = this.#partsLog2(layer);
    return dirty
      .sort((a, b) => a.part - b.part)
      .map(({ part, files, round }) => {
        const inbox = [...(this.#inbox.get(keyOf({ layer, part }))?.values() ?? [])]
          .sort((a, b) => a.layer - b.layer || a.part - b.part)
          .map(({ file, step: distance }) => ({ file, step: distance }));
        const own = files.visit === undefined ? undefined : files;
        const isFresh = round < this.round;
        return { layer, part, partsLog2, step, own, isFresh, inbox, near, far };
      });
  }

  filesOf(layer: number): LayerFiles {
    const partsLog2 = this.#partsLog2(layer);
    const parts = this.#layers.get(layer);
    return {
      partsLog2,
      parts: Array.from({ length: 2 ** partsLog2 }, (_, part) => parts?.get(part)?.files),
    };
  }

  /** Takes the results of a step's visits. */
  apply(results: readonly { readonly task: VisitTask; readonly result: VisitResult }[]): void {
    for (const { task, result } of results) {
      const { layer, part } = task;
      const { files, bounds, open, live } = result;
      this.#discard(task.own, files);
      this.#put({ ...{ layer, part, files, bounds, open, live }, dirty: false, round: this.round });
    }
    // Marks come last: a part may have been visited in the same step as one that it depends on.
    for (const { task, result } of results) {
      this.#replace(task, result.files.visit as string, result.demands);
    }
    for (const { task, result } of results) if (result.learned > 0) this.#markParents(task);
  }

  /** Takes the demands of the starts of a tile sum. */
  applyStarts(layer: number, file: string, sections: readonly Section[]): void {
    const source = { layer, part: -1 };
    const old = this.#made.get(keyOf(source));
    this.#replace(source, file, sections);
    if (old && old.file !== file) this.#obsolete.push(old.file);
  }

  /** Takes a file of starts' demands from an earlier run. */
  restoreStarts(layer: number, file: string, sections: readonly Section[]): void {
    this.#record({ layer, part: -1 }, file, sections);
  }

  /** The files of the starts' demands, by layer. */
  startFiles(): [layer: number, file: string][] {
    return [...this.#made.values()].flatMap(({ source, file }) =>
      source.part === -1 ? [[source.layer, file]] : [],
    );
  }

  /** Replaces the demands of a source, and marks the parts on which others are made than before. */
  #replace(source: Source, file: string, sections: readonly Section[]): void {
    const before = new Map(
      (this.#made.get(keyOf(source))?.sections ?? []).map((section) => [
        `${section.step}.${section.part}`,
        section,
      ]),
    );
    for (const section of sections) {
      const name = `${section.step}.${section.part}`;
      const old = before.get(name);
      before.delete(name);
      const isSame =
        old?.items === section.items && old.bytes === section.bytes && old.crc === section.crc;
      if (!isSame) this.#mark(source.layer + section.step, section.part);
    }
    for (const { step, part } of before.values()) {
      const target = { layer: source.layer + step, part };
      this.#inbox.get(keyOf(target))?.delete(keyOf(source));
      this.#mark(target.layer, part);
    }
    this.#record(source, file, sections);
  }

  #record(source: Source, file: string, sections: readonly Section[]): void {
    this.#made.set(keyOf(source), { source, file, sections });
    for (const { step, part } of sections) {
      const target = keyOf({ layer: source.layer + step, part });
      let inbox = this.#inbox.get(target);
      if (inbox === undefined) {
        inbox = new Map();
        this.#inbox.set(target, inbox);
      }
      inbox.set(keyOf(source), { ...source, file, step });
    }
  }

  /** Marks the parts that demand something of a part. */
  #markParents(child: Source): void {
    for (const { layer, part } of this.#inbox.get(keyOf(child))?.values() ?? []) {
      if (part >= 0) this.#mark(layer, part);
    }
  }

  #mark(layer: number, part: number): void {
    const state = this.#layers.get(layer)?.get(part) ?? { ...UNVISITED, layer, part };
    if (!state.dirty) this.#put({ ...state, dirty: true });
  }

  #put(state: PartState): void {
    const { layer, part } = state;
    let parts = this.#layers.get(layer);
    if (parts === undefined) {
      parts = new Map();
      this.#layers.set(layer, parts);
    }
    const old = parts.get(part);
    if (old) this.#changed.delete(old);
    parts.set(part, state);
    this.#changed.add(state);
  }

  #discard(old: PartFiles | undefined, now: PartFiles): void {
    for (const file of [old?.base, old?.visit]) {
      if (file !== undefined && file !== now.base && file !== now.visit) this.#obsolete.push(file);
    }
  }

  /** Returns the parts that have changed since the last call, and the files that no part has any more. */
  takeChanges(): { changed: PartState[]; obsolete: string[] } {
    const changes = { changed: [...this.#changed], obsolete: this.#obsolete };
    this.#changed.clear();
    this.#obsolete = [];
    return changes;
  }
}

function keyOf({ layer, part }: Source): string {
  return `${layer}.${part}`;
}
