import { createHash } from "node:crypto";
import type { Game } from "@gridlock/game";
import {
  BlockFile,
  DamagedFile,
  type NewSection,
  SECTION,
  type Section,
  writeBlockFile,
} from "./block-file.js";
import { type BlockNumber, firstLayerOf } from "./blocks.js";
import { instantiate, type LayerExports, OutOfMemory } from "./module.js";
import type {
  Letter,
  StartResult,
  StartsTask,
  Visit,
  VisitCounts,
  VisitOutcome,
  VisitResult,
  VisitTask,
} from "./visits.js";

const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_535;
/** Parts of the memory for the table, the nodes and their edges; what is left is for lists. */
const TABLE_SHARE = 0.3;
const NODES_SHARE = 0.22;
const EDGES_SHARE = 0.33;
/** Keys for which a table has room beside those that are known: some, and a share of these. */
const MORE_KEYS = 4096;
const MORE_KEYS_SHARE = 0.15;
/** A block's base is written again when this part of its bounds is not in it. */
const CHANGED_SHARE = 1 / 4;

/** Fields of a peer; see `assembly/peers.ts`. */
const PEER = { demands: 8, otherDemands: 12, list: 16, listEnd: 20 } as const;

/** Visits blocks, in the memory of one thread. */
export class Visitor {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #lists: number;
  /** Address of the first free byte among the lists. */
  #free = 0;

  /** @param bytes memory to use */
  constructor(game: Game, folder: string, bytes: number) {
    this.#folder = folder;
    const pages = Math.min(Math.floor(bytes / PAGE_BYTES), MOST_PAGES);
    // Pages that are never touched take no memory.
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
    this.#module = instantiate(game, memory);
    const heap = aligned(this.#module.HEAP.value as number);
    const end = pages * PAGE_BYTES;
    const nodes = aligned(heap + TABLE_SHARE * (end - heap));
    const edges = aligned(nodes + NODES_SHARE * (end - heap));
    this.#lists = aligned(edges + EDGES_SHARE * (end - heap));
    this.#module.setRegions(heap, nodes, edges, this.#lists, end);
  }

  /**
   * Visits a block and writes its files.
   *
   * @throws {StoreError} if a file cannot be written
   * @throws {OutOfMemory} if the block needs more memory
   */
  visit(task: VisitTask): VisitOutcome {
    try {
      return this.#visit(task);
    } catch (error) {
      if (error instanceof DamagedFile) return { damaged: error.file };
      throw error;
    }
  }

  #visit(task: VisitTask): VisitResult {
    const module = this.#module;
    const began = performance.now();
    using files = new OwnFiles(this.#folder, task);
    this.#free = this.#lists;
    const letters = task.demands.map((letter) => this.#receive(letter, SECTION.demands, task));
    const before = this.#counts();
    this.#begin(
      task,
      files,
      letters.reduce((sum, { items }) => sum + items, 0),
    );
    const takeDemands = () => {
      for (const { at, items } of letters) module.takeDemands(at, items);
      return module.takeChanges() !== 0;
    };
    takeDemands();
    // A board may fail what one block demands, and not yet what another does, or the block itself.
    do {
      module.pass(firstLayerOf(task.block));
      module.forgetDemands();
    } while (takeDemands());
    const order = this.#close();
    const answers = letters.map(({ at, items, isNew, from }): NewSection => {
      const count = module.answer(at, items, isNew, this.#free);
      const other = module.newAnswersGiven();
      return { ...this.#written(SECTION.answers, from, count), other };
    });
    return {
      ...this.#end(task, order, answers),
      ...difference(this.#counts(), before),
      seconds: (performance.now() - began) / 1000,
      open: module.openNodesLeft(),
      live: module.liveNodesLeft(),
      waiting: module.waitingNodesLeft(),
    };
  }

  /** Looks at starts; returns what is known of them. */
  lookAtStarts(task: StartsTask): StartResult[] {
    const module = this.#module;
    using files = new OwnFiles(this.#folder, task);
    this.#free = this.#lists;
    this.#begin(task, files, task.starts.length);
    module.forgetNeeds();
    return task.starts.map(({ board, need }): StartResult => {
      const outcome = module.lookAtStart(board, need);
      const bound = module.boundOfStart();
      return { outcome: outcome > 0 ? "reached" : outcome < 0 ? "failed" : "open", bound };
    });
  }

  /** Looks at starts, and writes what they demand. */
  visitStarts(task: StartsTask): { results: StartResult[]; visit: VisitResult } {
    const before = this.#counts();
    const results = this.lookAtStarts(task);
    const visit = {
      ...this.#end(task, this.#close(), []),
      ...difference(this.#counts(), before),
      ...{ seconds: 0, open: 0, live: 0, waiting: 0 },
    };
    return { results, visit };
  }

  #counts(): VisitCounts {
    const module = this.#module;
    return {
      expanded: Number(module.expandedNodes()),
      chosenAgain: Number(module.nodesChosenAgain()),
      looks: Number(module.looksMade()),
    };
  }

  /** Reads a section of another block's file to the lists that are kept. */
  #receive({ file, from, isNew }: Letter, kind: number, { block }: Visit) {
    using source = new BlockFile(this.#folder, file);
    const section = source.find(kind, block);
    if (section === undefined) throw new Error(`${file} has nothing for block ${block}`);
    const at = this.#free;
    this.#free = aligned(at + section.bytes);
    this.#read(source, section, at);
    return { at, items: section.items, isNew, from };
  }

  #read(file: BlockFile, section: Section, at: number): void {
    if (at + section.bytes > this.#bytes.length) throw new OutOfMemory();
    file.read(section, this.#bytes, at);
  }

  /** Reads a section behind the lists that are kept, and others behind it until the end of `use`. */
  #stage(
    file: BlockFile | undefined,
    kind: number,
    use: (at: number, items: number) => void,
  ): void {
    const section = file?.sections.find((section) => section.kind === kind);
    if (file === undefined || section === undefined) {
      use(0, 0);
      return;
    }
    const at = this.#free;
    this.#read(file, section, at);
    this.#free = aligned(at + section.bytes);
    use(at, section.items);
    this.#free = at;
  }

  /** Takes what is known in a block, what was open in it, and the answers to its demands. */
  #begin(task: Visit, { base, last }: OwnFiles, demands: number): void {
    const module = this.#module;
    const keys = Math.ceil((itemsOf(base) + itemsOf(last)) * (1 + MORE_KEYS_SHARE)) + demands;
    module.begin(BigInt(`0x${task.block}`), keys + MORE_KEYS);
    this.#stage(last, SECTION.peers, (at, items) => {
      for (let i = 0; i < items; i++) module.peerOf(this.#view.getBigUint64(at + 8 * i, true));
    });
    this.#stage(last, SECTION.edges, (edges) =>
      this.#stage(last, SECTION.nodes, (at, items) => {
        if (items > 0) module.takeNodes(at, items, edges, task.isFresh);
      }),
    );
    this.#stage(base, SECTION.table, (baseAt, baseItems) =>
      this.#stage(last, SECTION.table, (at, items) =>
        module.takeTable(baseAt, baseItems, at, items),
      ),
    );
    module.queueWaiting();
    for (const letter of task.answers) {
      const free = this.#free;
      const { at, items } = this.#receive(letter, SECTION.answers, task);
      module.takeAnswers(at, items, module.peerOf(BigInt(`0x${letter.from}`)));
      this.#free = free;
    }
  }

  /** Ends the passes; returns the address of the order of the nodes to be written. */
  #close(): number {
    const order = this.#free;
    this.#free = aligned(this.#module.closeVisit(order) >>> 0);
    return order;
  }

  /** Returns the section that was just written behind the lists that are kept. */
  #written(kind: number, block: BlockNumber, items: number): NewSection {
    return this.#copy(kind, block, items, this.#free, this.#module.written() >>> 0);
  }

  #copy(kind: number, block: BlockNumber, items: number, from: number, to: number): NewSection {
    return { kind, block, items, other: 0, data: this.#bytes.slice(from, to) };
  }

  /** Writes the files of a visit. */
  #end(
    task: Visit,
    order: number,
    answers: readonly NewSection[],
  ): Pick<VisitResult, "files" | "letters" | "boards"> {
    const module = this.#module;
    const { block } = task;
    const name = visitName(task);
    module.writeNodes(order, this.#free);
    const nodes = this.#written(SECTION.nodes, block, module.nodesToWrite());
    module.writeEdges(order, this.#free);
    const edges = this.#written(SECTION.edges, block, module.edgesToWrite());
    const isBased = module.slotsChanged() > CHANGED_SHARE * module.slotsHeld();
    if (isBased) {
      const table = this.#written(SECTION.table, block, module.writeBase(this.#free));
      writeBlockFile(this.#folder, `${name}.bounds`, [table]);
    }
    const items = module.writeTable(isBased, this.#free);
    const [from, to] = [module.writtenTable() >>> 0, module.written() >>> 0];
    const written = writeBlockFile(
      this.#folder,
      `${name}.visit`,
      [
        ...[this.#peers(block), this.#copy(SECTION.table, block, items, from, to)],
        ...[nodes, edges, ...this.#demands(), ...answers],
      ].filter(({ items }) => items > 0),
    );
    return {
      files: { base: isBased ? `${name}.bounds` : task.own?.base, visit: `${name}.visit` },
      letters: written.filter(({ kind }) => kind === SECTION.demands || kind === SECTION.answers),
      boards: module.slotsHeld(),
    };
  }

  /** The addresses of the block's peers, itself included. */
  #peerAddresses(): number[] {
    const count = this.#module.peersMet();
    return Array.from({ length: count }, (_, i) => this.#module.addressOfPeer(i) >>> 0);
  }

  #peers(block: BlockNumber): NewSection {
    const numbers = this.#peerAddresses().map((at) => this.#view.getBigUint64(at, true));
    const data = new Uint8Array(BigUint64Array.from(numbers).buffer);
    return { kind: SECTION.peers, block, items: numbers.length, other: 0, data };
  }

  #demands(): NewSection[] {
    return this.#peerAddresses().map((at) => {
      const number = (field: number) => this.#view.getUint32(at + field, true);
      const block = this.#view.getBigUint64(at, true).toString(16);
      const list = [number(PEER.list), number(PEER.listEnd)] as const;
      const section = this.#copy(SECTION.demands, block, number(PEER.demands), ...list);
      return { ...section, other: number(PEER.otherDemands) };
    });
  }
}

/** Returns the number of items of a file's table. */
function itemsOf(file: BlockFile | undefined): number {
  return file?.sections.find(({ kind }) => kind === SECTION.table)?.items ?? 0;
}

/** The files of a block, open for reading. */
class OwnFiles implements Disposable {
  readonly base: BlockFile | undefined;
  readonly last: BlockFile | undefined;

  constructor(folder: string, { own }: Visit) {
    this.base = own?.base === undefined ? undefined : new BlockFile(folder, own.base);
    try {
      this.last = own && new BlockFile(folder, own.visit);
    } catch (error) {
      this.base?.[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.base?.[Symbol.dispose]();
    this.last?.[Symbol.dispose]();
  }
}

function aligned(address: number): number {
  return Math.ceil(address / 64) * 64;
}

function difference(a: VisitCounts, b: VisitCounts): VisitCounts {
  return {
    expanded: a.expanded - b.expanded,
    chosenAgain: a.chosenAgain - b.chosenAgain,
    looks: a.looks - b.looks,
  };
}

/** Returns the name of the files that a visit makes, without their endings: a digest of what they are made from. */
function visitName(task: Visit): string {
  const digest = createHash("sha256").update(
    JSON.stringify(task, (_, value) => (typeof value === "bigint" ? value.toString() : value)),
  );
  return `${task.block}.${digest.digest("hex").slice(0, 20)}`;
}
