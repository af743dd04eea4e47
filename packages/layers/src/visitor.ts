import { createHash } from "node:crypto";
import type { Game, PackedBoard } from "@gridlock/game";
import { instantiate, type LayerExports } from "./module.js";
import { type NewSection, PartFile, SECTION, type Section, writePartFile } from "./part-file.js";

/** The files of a part: bounds, and what the last visit left. */
export interface PartFiles {
  /** Most of the part's bounds. */
  readonly base: string | undefined;
  /** The bounds learned since the base was written, the open nodes, and the demands that these make. */
  readonly visit: string | undefined;
  /** The step of the last visit. */
  readonly step: number;
}

/** The parts of a layer. */
export interface LayerFiles {
  readonly partsLog2: number;
  /** By the number of the part; absent where nothing is known. */
  readonly parts: readonly (PartFiles | undefined)[];
}

/** Demands on a part: the file that has them, and the layers between. */
export interface Inbox {
  readonly file: string;
  readonly step: number;
}

/** A part to visit, with everything that the result depends on. */
export interface VisitTask {
  readonly layer: number;
  readonly part: number;
  readonly partsLog2: number;
  readonly step: number;
  readonly own: PartFiles | undefined;
  /** True if the demands of the last visit no longer count. */
  readonly isFresh: boolean;
  readonly inbox: readonly Inbox[];
  /** The two layers above. */
  readonly near: LayerFiles;
  readonly far: LayerFiles;
}

/** The starts of a tile sum to look at, with everything that the result depends on. */
export interface StartsTask {
  /** The layer of their slides. */
  readonly files: LayerFiles;
  readonly starts: readonly { readonly board: PackedBoard; readonly need: number }[];
}

/** Work done, in numbers that do not depend on the machine. */
export interface VisitCounts {
  /** Nodes expanded. */
  readonly expanded: number;
  /** Open nodes whose edges were looked at. */
  readonly revisited: number;
  /** Bounds looked up. */
  readonly looks: number;
}

/** What a visit has changed. */
export interface VisitResult extends VisitCounts {
  readonly files: PartFiles;
  /** Demands on other parts. */
  readonly demands: readonly Section[];
  /** Number of bounds learned. */
  readonly learned: number;
  /** Number of bounds of the part. */
  readonly bounds: number;
  /** Number of open nodes, and of those that something demands. */
  readonly open: number;
  readonly live: number;
}

/** What is known of a start's question: settled with a bound (points / 4), or open. */
export interface StartResult {
  readonly outcome: "reached" | "failed" | "open";
  readonly bound: number;
}

const PAGE_BYTES = 65_536;
/** Nodes visited between two checks of the room for their demands. */
const NODES_AT_ONCE = 4096;
/** Bytes of a recorded change of a demand, of an edge, and of an entry of news. */
const CHANGE_BYTES = 16;
const EDGE_BYTES = 4;
const NEWS_BYTES = 3;
/** Steps for which news are kept: a part is visited at most so many steps after the first that it has not seen. */
const NEWS_STEPS = 64;
/** Bytes of the longest item in a list of bounds or of demands, and of an open node without its edges. */
const MOST_ITEM_BYTES = 10 + 9;
/** Part of the memory for bounds of child parts. */
const CACHE_SHARE = 0.6;
/** A part's base is written again when this part of its bounds is not in it. */
const NEWS_SHARE = 1 / 4;

/** Visits parts, in the memory of one thread. */
export class Visitor {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #memory: WebAssembly.Memory;
  readonly #pages: number;
  readonly #mostEdges: number;
  readonly #cacheFrom: number;
  readonly #cacheEnd: number;
  #cacheFree: number;
  #cached = new Map<string, { table: number; slots: number }>();
  #layers: readonly LayerFiles[] = [];
  /** Address of the first free byte of the visit. */
  #free = 0;

  /** @param bytes memory to use */
  constructor(game: Game, folder: string, bytes: number) {
    this.#folder = folder;
    this.#pages = Math.min(Math.floor(bytes / PAGE_BYTES), 65_535);
    const memory = new WebAssembly.Memory({ initial: 64, maximum: this.#pages });
    this.#memory = memory;
    this.#module = instantiate(game, memory, (step, part) => this.#load(step, part));
    this.#mostEdges = 2 * game.shape.rows * game.shape.cols;
    this.#cacheFrom = this.#module.CACHE.value as number;
    this.#cacheEnd = aligned(this.#cacheFrom + CACHE_SHARE * this.#pages * PAGE_BYTES);
    this.#cacheFree = this.#cacheFrom;
  }

  /**
   * Visits a part and writes its files.
   *
   * @throws {DamagedFile} if a file is missing or damaged
   * @throws {StoreError} if a file cannot be written
   * @throws {RangeError} if the part needs more memory
   */
  visit(task: VisitTask): VisitResult {
    const module = this.#module;
    this.#begin([{ partsLog2: task.partsLog2, parts: [] }, task.near, task.far]);
    using base = task.own?.base ? new PartFile(this.#folder, task.own.base) : undefined;
    using last = task.own?.visit ? new PartFile(this.#folder, task.own.visit) : undefined;
    this.#takeNews(task);
    const demands = this.#takeDemands(task);
    const { table, slots, known } = this.#loadOwn(base, last, demands.count);
    const opens = last?.find(SECTION.open);
    const open = this.#reserve(opens?.bytes ?? 0);
    if (last && opens) this.#read(last, opens, open);
    const openEnd = open + (opens?.bytes ?? 0);
    const news = this.#reserve(demands.count * NEWS_BYTES);
    const written = this.#reserve(
      (opens?.bytes ?? 0) + demands.count * (MOST_ITEM_BYTES + this.#mostEdges * EDGE_BYTES),
    );
    const mostChanges = NODES_AT_ONCE * 2 * this.#mostEdges * CHANGE_BYTES;
    this.#room(mostChanges);
    module.clearDemands(this.#free);
    const before = this.#counts();
    module.beginVisit(
      ...([table, slots, demands.table, demands.end] as const),
      ...([open, openEnd, written, news, task.isFresh] as const),
    );
    let writtenEnd = written;
    while (!module.isVisited()) {
      writtenEnd = module.visitNodes(NODES_AT_ONCE) >>> 0;
      this.#free = module.recorded() >>> 0;
      this.#room(mostChanges);
    }
    const counts = difference(this.#counts(), before);
    const learned = module.learnedBounds();
    const sections = [
      this.#copy(SECTION.open, module.openNodesWritten(), written, writtenEnd),
      ...this.#recentNews(task, last),
      this.#copy(SECTION.news, learned, news, news + learned * NEWS_BYTES, task.step),
      ...this.#demands([task.near, task.far], 1, task.isFresh ? undefined : last),
    ];
    const result = this.#write(task, { table, slots, known }, sections);
    return {
      ...counts,
      ...{ learned, open: module.openNodesWritten(), live: module.liveNodesWritten() },
      ...result,
    };
  }

  /** Looks at starts; returns what is known of them, and their demands. */
  visitStarts({ files, starts }: StartsTask): {
    results: StartResult[];
    demands: readonly NewSection[];
  } {
    this.#begin([files]);
    this.#room(starts.length * CHANGE_BYTES);
    this.#module.clearDemands(this.#free);
    const results = starts.map(({ board, need }): StartResult => {
      const outcome = this.#module.visitStart(board, need);
      const bound = this.#module.boundOfStart();
      return { outcome: outcome > 0 ? "reached" : outcome < 0 ? "failed" : "open", bound };
    });
    this.#free = this.#module.recorded() >>> 0;
    return { results, demands: this.#demands([files], 0, undefined) };
  }

  #begin(layers: readonly LayerFiles[]): void {
    this.#layers = layers;
    this.#module.clearDirectory();
    const [own, near, far] = layers;
    this.#module.setParts(own?.partsLog2 ?? 0, near?.partsLog2 ?? 0, far?.partsLog2 ?? 0);
    this.#free = this.#cacheEnd;
    // Tables of files that no longer belong to any part would only take room.
    const names = new Set(layers.flatMap(({ parts }) => parts.map(cacheKey)));
    for (const key of this.#cached.keys()) if (!names.has(key)) this.#cached.delete(key);
    if (this.#cached.size === 0) this.#cacheFree = this.#cacheFrom;
  }

  #counts(): VisitCounts {
    const module = this.#module;
    return {
      expanded: Number(module.expandedNodes()),
      revisited: Number(module.revisitedNodes()),
      looks: Number(module.looksMade()),
    };
  }

  /** Ensures that so many bytes behind those in use exist. */
  #room(bytes: number): void {
    const missing = Math.ceil((this.#free + bytes - this.#memory.buffer.byteLength) / PAGE_BYTES);
    if (missing <= 0) return;
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
    if (pages + missing > this.#pages) {
      throw new RangeError("a part of a layer needs more memory than a thread may use");
    }
    this.#memory.grow(Math.min(missing + (pages >>> 3), this.#pages - pages));
  }

  #reserve(bytes: number): number {
    this.#room(bytes);
    const at = this.#free;
    this.#free = aligned(at + bytes);
    return at;
  }

  /** Reserves a cleared table for so many items. */
  #reserveTable(items: number): { table: number; slots: number; end: number } {
    const slots = this.#module.slotsFor(items) >>> 0;
    const bytes = this.#module.tableBytes(slots) >>> 0;
    const table = this.#reserve(bytes);
    new Uint8Array(this.#memory.buffer, table, bytes).fill(0);
    return { table, slots, end: table + bytes };
  }

  #read(file: PartFile, section: Section, at: number): void {
    file.read(section, new Uint8Array(this.#memory.buffer), at);
  }

  /** Reads a section behind what is in use, and passes its address on. */
  #stage(file: PartFile, section: Section, use: (at: number) => void): void {
    this.#room(section.bytes);
    this.#read(file, section, this.#free);
    use(this.#free);
  }

  /** Collects what the children's layers have learned since the last visit. */
  #takeNews({ own, near, far, isFresh }: VisitTask): void {
    this.#module.clearNews();
    if (isFresh || own === undefined) return; // then every node is looked at
    for (const files of [...near.parts, ...far.parts]) {
      if (files?.visit === undefined || files.step < own.step) continue;
      using file = new PartFile(this.#folder, files.visit);
      for (const section of file.sections) {
        if (section.kind !== SECTION.news || section.step < own.step) continue;
        this.#stage(file, section, (at) => this.#module.addNews(at, section.items));
      }
    }
  }

  /** Copies the news of earlier visits that others may not have seen. */
  #recentNews({ step }: VisitTask, last: PartFile | undefined): NewSection[] {
    const recent = last?.sections.filter(
      (section) =>
        section.kind === SECTION.news && section.items > 0 && section.step >= step - NEWS_STEPS,
    );
    return (recent ?? []).map((section) => this.#copyFrom(last as PartFile, section));
  }

  #copyFrom(file: PartFile, section: Section): NewSection {
    const data = new Uint8Array(section.bytes);
    file.read(section, data, 0);
    return { ...section, data };
  }

  /** Collects the demands on a part; `count` is their number at most. */
  #takeDemands({ part, inbox }: VisitTask) {
    const lists = inbox.map(({ file, step }) => {
      using source = new PartFile(this.#folder, file);
      const section = source.find(SECTION.demands, step, part);
      if (section === undefined) throw new Error(`${file} demands nothing of part ${part}`);
      const at = this.#reserve(section.bytes);
      this.#read(source, section, at);
      return { at, items: section.items };
    });
    const count = lists.reduce((sum, { items }) => sum + items, 0);
    const found = this.#reserveTable(count);
    for (const { at, items } of lists) {
      this.#module.takeDemands(found.table, found.slots, at, items);
    }
    return { ...found, count };
  }

  /** Loads the bounds of the part itself, with room for as many new ones. */
  #loadOwn(base: PartFile | undefined, last: PartFile | undefined, more: number) {
    const old = base?.find(SECTION.bounds);
    const news = last?.find(SECTION.bounds);
    const known = { base: old?.items ?? 0, news: news?.items ?? 0 };
    const slots = this.#module.slotsFor(known.base + known.news + more) >>> 0;
    const table = this.#reserve(this.#module.tableBytes(slots) >>> 0);
    const fill = (at: number) => this.#module.fill(table, slots, at, known.base);
    if (base && old) this.#stage(base, old, fill);
    else fill(0);
    if (last && news) {
      this.#stage(last, news, (at) => this.#module.add(table, slots, at, known.news));
    }
    return { table, slots, known };
  }

  /** Loads the bounds of a child part into the cache, and lists them in the directory. */
  #load(step: number, part: number): void {
    const files = this.#layers[step]?.parts[part];
    const key = cacheKey(files);
    let found = this.#cached.get(key);
    if (found === undefined) {
      using base = files?.base ? new PartFile(this.#folder, files.base) : undefined;
      using last = files?.visit ? new PartFile(this.#folder, files.visit) : undefined;
      const old = base?.find(SECTION.bounds);
      const news = last?.find(SECTION.bounds);
      const items = (old?.items ?? 0) + (news?.items ?? 0);
      const slots = this.#module.slotsFor(items) >>> 0;
      const bytes = this.#module.tableBytes(slots) >>> 0;
      const staged = Math.max(old?.bytes ?? 0, news?.bytes ?? 0);
      const table = this.#makeRoom(bytes, staged);
      const staging = table + bytes;
      if (base && old) this.#read(base, old, staging);
      this.#module.fill(table, slots, staging, old?.items ?? 0);
      if (last && news) {
        this.#read(last, news, staging);
        this.#module.add(table, slots, staging, news.items);
      }
      found = { table, slots };
      this.#cached.set(key, found);
    }
    this.#module.listPart(step, part, found.table, found.slots);
  }

  /** Returns the address of so many bytes in the cache; empties the cache if it is full. */
  #makeRoom(bytes: number, staged: number): number {
    if (this.#cacheFree + bytes + staged > this.#cacheEnd) {
      this.#module.clearDirectory();
      this.#cached.clear();
      this.#cacheFree = this.#cacheFrom;
      if (this.#cacheFree + bytes + staged > this.#cacheEnd) {
        throw new RangeError("a part of a layer needs more memory than a thread may use");
      }
    }
    const at = this.#cacheFree;
    this.#cacheFree = aligned(at + bytes);
    return at;
  }

  #copy(kind: number, items: number, from: number, to: number, step = 0, part = 0): NewSection {
    const data = new Uint8Array(this.#memory.buffer).slice(from, to);
    return { kind, step, part, items, data };
  }

  /**
   * Returns the demands on the parts of layers as sections: those of the last visit, changed as recorded.
   *
   * @param firstStep the step to the first of the layers
   */
  #demands(
    layers: readonly LayerFiles[],
    firstStep: number,
    last: PartFile | undefined,
  ): NewSection[] {
    const module = this.#module;
    const targets = layers.flatMap(({ partsLog2 }, i) =>
      Array.from({ length: 2 ** partsLog2 }, (_, part) => {
        const step = i + firstStep;
        const old = last?.find(SECTION.demands, step, part);
        return { step, part, old, changes: module.changesOn(step, part) >>> 0 };
      }).filter(({ old, changes }) => old !== undefined || changes > 0),
    );
    const changed = targets.filter(({ changes }) => changes > 0);
    this.#free = aligned(this.#free);
    const scratch = this.#reserveTable(Math.max(0, ...changed.map(({ changes }) => changes))).table;
    const sections = targets.map(({ step, part, old, changes }): NewSection => {
      if (last && old && changes === 0) return this.#copyFrom(last, old);
      const from = this.#free;
      const at = aligned(from + (old?.bytes ?? 0));
      this.#room(at - from + ((old?.items ?? 0) + changes) * MOST_ITEM_BYTES);
      if (last && old) this.#read(last, old, from);
      const items = module.writeDemands(step, part, from, old?.items ?? 0, at, scratch);
      return this.#copy(SECTION.demands, items, at, module.written() >>> 0, step, part);
    });
    return sections.filter(({ items }) => items > 0);
  }

  /** Writes the bounds and the other sections of a visit. */
  #write(
    task: VisitTask,
    own: { table: number; slots: number; known: { base: number; news: number } },
    sections: readonly NewSection[],
  ): Pick<VisitResult, "files" | "demands" | "bounds"> {
    const { table, slots, known } = own;
    const name = visitName(task);
    const at = this.#free;
    const most = known.base + known.news + this.#module.learnedBounds();
    this.#room(most * MOST_ITEM_BYTES);
    const list = (onlyChanged: boolean) => {
      const items = this.#module.writeBounds(table, slots, onlyChanged, at);
      return this.#copy(SECTION.bounds, items, at, this.#module.written() >>> 0);
    };
    let news = list(true);
    let baseName = task.own?.base;
    let count = known.base;
    if (news.items > NEWS_SHARE * known.base) {
      const all = list(false);
      count = all.items;
      baseName = `${name}.bounds`;
      writePartFile(this.#folder, baseName, [all]);
      news = { ...news, items: 0, data: new Uint8Array() };
    }
    const written = writePartFile(this.#folder, `${name}.visit`, [news, ...sections]);
    return {
      files: { base: baseName, visit: `${name}.visit`, step: task.step },
      demands: written.filter(({ kind }) => kind === SECTION.demands),
      bounds: count + news.items,
    };
  }
}

function aligned(address: number): number {
  return Math.ceil(address / 64) * 64;
}

function cacheKey(files: PartFiles | undefined): string {
  return `${files?.base ?? ""} ${files?.visit ?? ""}`;
}

function difference(a: VisitCounts, b: VisitCounts): VisitCounts {
  return {
    expanded: a.expanded - b.expanded,
    revisited: a.revisited - b.revisited,
    looks: a.looks - b.looks,
  };
}

/** Returns the name of the files that a visit makes, without their endings: a digest of what they are made from. */
function visitName({ layer, part, step, own, isFresh, inbox, near, far }: VisitTask): string {
  const digest = createHash("sha256");
  const inputs = [step, own, isFresh, inbox, near.parts, far.parts];
  digest.update(JSON.stringify(inputs));
  return `${layer}.${part}.${digest.digest("hex").slice(0, 20)}`;
}
