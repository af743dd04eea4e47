import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  type DocumentPage,
  type ExplorePage,
  type Page,
  type PlayPage,
  renderPage as renderFor,
  type ShapeSummary,
  siteFolder,
  titleOf,
} from "@gridlock/explorer";
import { mostPointsToCome, parseBoard, slides } from "@gridlock/game";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { RunState } from "../src/data.js";
import { RunView } from "../src/runs/run.js";
import { answerFor } from "./boards.js";

const renderPage = (page: Page) => renderFor(page, { kind: "server", base: "/", here: "here/" });

const ROOT = join(import.meta.dirname, "../../..");

const SHAPES: readonly ShapeSummary[] = [
  {
    shape: "3x3",
    tiles: [2, 4],
    starts: 28,
    solved: 28,
    lowest: 164,
    highest: 184,
    atLeast: 164,
    published: null,
    tabulated: false,
    positions: null,
  },
  {
    shape: "2x3",
    tiles: [2],
    starts: 20,
    solved: 0,
    lowest: null,
    highest: null,
    atLeast: 0,
    published: null,
    tabulated: true,
    positions: 100,
  },
];

/** Makes a page of *Explore* on which boards are worth what `boundOf` says. */
function explore(
  text: string,
  boundOf: Parameters<typeof answerFor>[1] = () => [8, 8],
): ExplorePage {
  const node = parseBoard(text);
  const answer = answerFor(node, boundOf);
  const { board, turn } = answer;
  const shape = `${node.board.rows}x${node.board.cols}`;
  return {
    name: "explore",
    shape,
    tiles: [2, 4],
    board,
    turn,
    shapes: SHAPES,
    answer,
    notes: [],
    problem: null,
  };
}

const PLAY: PlayPage = {
  name: "play",
  shape: "2x3",
  tiles: [2, 4],
  shapes: SHAPES,
  search: "",
  starts: [{ board: "2 2 0/0 0 0", lo: 44, hi: 44, value: 44 }],
  players: { sliders: [{ name: "emr", summary: "merges" }], placers: [] },
};

function documentOf(markdown: string, path = "docs/search.md"): DocumentPage {
  return { name: "document", path, markdown };
}

const PAGES: readonly Page[] = [
  { name: "home", shapes: SHAPES },
  explore("2 0 0/0 4 0/0 0 0"),
  explore("2 0 0/0 4 0/0 0 0 placer"),
  { ...explore("2 0/0 4"), answer: null, board: "2 3", problem: '"3" is not a tile' },
  PLAY,
  { name: "results", shapes: SHAPES, files: [{ path: "results/a.md", title: "A" }] },
  { name: "docs", files: [{ path: "docs/search.md", title: "The search" }] },
  {
    name: "starts",
    path: "results/2x2.json",
    confirmations: [
      {
        kind: "tabulation",
        says: "All positions were tabulated.",
        date: null,
        command: "gridlock tabulate 2x2",
        source: "results/confirmations.md",
      },
    ],
    table: {
      shape: "2x2",
      tiles: [2, 4],
      starts: [
        { board: "2 2/0 0", value: 12, lo: 12, hi: 12, line: ["left", "2@1,2"] },
        { board: "2 0/0 2", value: null, lo: 8, hi: 2 ** 17 },
      ],
    },
  },
  documentOf("# A title\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n"),
  { name: "runs", runs: [] },
  { name: "problem", status: 404, title: "Not Found", detail: "there is nothing at /x" },
];

/** Lists the addresses of the links with a class. */
function linksOf(html: string, name: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)" class="([^"]*)"/g)]
    .filter(([, , classes]) => classes?.split(" ").includes(name))
    .map(([, href]) => (href as string).replaceAll("&amp;", "&"));
}

describe("every page", () => {
  it.each(PAGES)(
    "$name: has addresses below its base alone, and no styles in attributes",
    (page) => {
      const html = renderPage(page);
      expect(html).toMatch(/^<!doctype html><html lang="en">/);
      expect(html).not.toMatch(/\sstyle="/);
      const scripts = html.match(/<script[^>]*>/g) ?? [];
      expect(scripts.every((tag) => /src="site\/|type="application\/json"/.test(tag))).toBe(true);
      const [base, ...addresses] = [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(
        ([, address]) => address as string,
      );
      expect(base).toBe("/");
      expect(addresses.filter((address) => /^([/#]|$|\w+:)/.test(address))).toEqual([]);
    },
  );

  it("carries data that cannot end its script, and shows text as text", () => {
    const text = "</script><b>";
    const pages: readonly Page[] = [
      { ...explore("2 0/0 4"), answer: null, board: text, problem: text },
      { ...PLAY, search: `?slider=${text}&board=${text}` },
      { name: "runs", runs: [] },
      { name: "problem", status: 404, title: text, detail: text },
      { name: "results", shapes: [], files: [{ path: "docs/a.md", title: text }] },
    ];
    for (const page of pages) expect(renderPage(page)).not.toContain(text);
  });
});

describe("Runs", () => {
  it("puts solves that have ended under a heading of their own", () => {
    const run = {
      shape: "3x4",
      tiles: [2, 4],
      starts: 80,
      solved: 0,
      windows: [],
      workers: [],
      seconds: 1,
      nodes: 0,
      nodesPerSecond: 0,
      secondsLeft: null,
      question: null,
    };
    const html = renderPage({
      name: "runs",
      runs: [
        { ...run, id: "2", state: "running" },
        { ...run, id: "1", state: "stopped" },
      ],
    });
    const [, underWay, ended] = html.split("<h2");
    expect(underWay).toMatch(/Under way.*class="note">running/);
    expect(ended).toMatch(/Ended in the last ten minutes.*class="note">stopped/);
    const over = renderPage({ name: "runs", runs: [{ ...run, id: "1", state: "done" }] });
    expect(over.split("<h2")[1]).toContain("Nothing is being solved now");
    expect(renderPage({ name: "runs", runs: [] })).not.toContain("Ended");
  });
});

describe("A run", () => {
  const board = "2 2 0 0/0 0 0 0/0 0 0 0";
  const unknown = { lo: 0, hi: mostPointsToCome(parseBoard(board).board) };
  const state: RunState = {
    id: "1",
    shape: "3x4",
    tiles: [2, 4],
    state: "running",
    starts: 2,
    solved: 0,
    seconds: 100,
    nodes: 12_345_678,
    nodesPerSecond: 1_234_567.8,
    secondsLeft: 61,
    question: { board, threshold: 556 },
    windows: [
      { board, ...unknown },
      { board: "2 0 2 0/0 0 0 0/0 0 0 0", ...unknown },
    ],
    workers: [{ name: "one", threads: 2 }],
  };
  const textOf = (changes: Partial<RunState>) =>
    renderToString(h(RunView, { run: { ...state, ...changes } })).replace(/<[^>]*>/g, " ");

  it("says what is asked, and how long it still takes, and shows no bounds before there are some", () => {
    const text = textOf({});
    expect(text).toMatch(/1,234,568 +Time so far +1 min 40 s +Time left +about 2 min/);
    expect(text).toMatch(/can the slider force 556 points or more from/);
    expect(text).toMatch(/No bounds of the starts are proven yet/);
    expect(text).not.toMatch(/ … |from 0 to/);
    expect(text).not.toMatch(/not begun|No worker/);
    expect(textOf({ nodes: 0, question: null })).toMatch(/The search has not begun/);
    expect(textOf({ state: "done", seconds: 0.181 })).toMatch(/Time +181 ms/);
    const alone = textOf({ nodes: 0, question: null, workers: [] });
    expect(alone).toMatch(/No worker is in the run/);
    expect(alone).not.toMatch(/not begun/);
  });

  it("shows the bounds of the starts of which something is proven", () => {
    const text = textOf({ windows: [{ board, lo: 552, hi: 552 }, ...state.windows.slice(1)] });
    expect(text).toMatch(/Bounds of 1 start, .*; nothing is proven of the other 1 yet/);
    expect(text.match(/2 0 2 0/g)).toBeNull();
  });

  it("that has ended has no pace", () => {
    const text = textOf({ state: "stopped", secondsLeft: null, question: null, workers: [] });
    expect(text).not.toMatch(/a second|Time left|Workers/);
  });
});

describe("Explore, without scripts", () => {
  it("gives the reason why a board was not searched, or names what a search needs", () => {
    const page = explore("2 0/0 4", () => [0, 100]);
    expect(renderPage(page)).toMatch(/<noscript>[^/]*A search for the value needs JavaScript/);
    const answer = { ...page.answer, unsearched: "no memory" } as typeof page.answer;
    const html = renderPage({ ...page, answer });
    expect(html).toContain("Not searched: no memory.");
  });

  it("links each slide to the board after it, around the board and in the table", () => {
    const html = renderPage(explore("2 0 2/0 4 0/0 0 8"));
    const targets = slides(parseBoard("2 0 2/0 4 0/0 0 8").board).map(
      ({ board }) =>
        `explore/3x3/?board=${board.cells.join("_").replace(/^((?:\d+_){2}\d+)_((?:\d+_){2}\d+)_/, "$1/$2/")}&turn=placer&tiles=2,4`,
    );
    expect(targets).toHaveLength(4);
    expect(linksOf(html, "slide").sort()).toEqual([...targets].sort());
    for (const target of targets) {
      expect(html.split(target.replaceAll("&", "&amp;")).length - 1).toBe(2);
    }
  });

  it("links each placement, with its value", () => {
    const html = renderPage(
      explore("2 4/8 0 placer", ({ cells }) => (cells[3] === 4 ? [4, 4] : [0, 0])),
    );
    expect(linksOf(html, "place")).toEqual([
      "explore/2x2/?board=2_4/8_2&turn=slider&tiles=2,4",
      "explore/2x2/?board=2_4/8_4&turn=slider&tiles=2,4",
    ]);
    expect(html).toContain("gives the slider 4 more");
  });

  it("shows an open interval as one, and calls it best only if no other move is better", () => {
    const merged = ({ cells }: { cells: readonly number[] }) => cells.includes(4);
    const html = renderPage(explore("2 2/0 0", (board) => (merged(board) ? [8, 96] : [4, 4])));
    expect(html).toContain("12 … 100");
    expect(html).toContain("proven bounds");
    expect(html).not.toContain("grade-best");
    expect(html).toContain("grade-open");
    const left = explore("2 2/0 0", ({ cells }) => (cells[0] === 4 ? [8, 96] : [4, 4]));
    expect(renderPage(left)).toMatch(/to-left grade-best" aria-label="slide left: 12 … 100 points/);
  });

  it("shows no upper bound of the rules, and names the source and the literature", () => {
    const page = explore("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", () => [288, 3_932_160]);
    const answer = page.answer as NonNullable<ExplorePage["answer"]>;
    const html = renderPage({
      ...page,
      answer: {
        ...answer,
        source: "published",
        published: { source: "results/4x4.json", madeBy: "", version: null, confirmations: [] },
        literature: { bound: 1536, citation: "I. Slizkov", says: "", checked: false },
      },
    });
    const shown = html.slice(0, html.indexOf('id="page"'));
    expect(shown).not.toMatch(/3,932,1|… 4M/);
    expect(shown).toMatch(/<strong><span[^>]*>at least 292<\/span><\/strong> points still to come/);
    expect(shown).toContain("Source: published in results/4x4.json, found by one search.");
    expect(shown).toContain(
      "Also at least 1,536 by the literature (I. Slizkov; not checked here).",
    );
    expect(shown).toContain("may be better");
  });

  it("shows that nothing is known", () => {
    const html = renderPage(explore("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", () => [0, 3_932_160]));
    expect(html).toMatch(/at least 4<\/span>/); // the points of the slide itself
    const down = renderPage(explore("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2", () => [0, 3_932_160]));
    expect(down).toContain("not known</span></strong> how many points are still to come");
    expect(down).toContain("Slider to move. Its value is not known.");
  });

  it("says why a board is refused, and keeps its text in the form", () => {
    const page = { ...explore("2 0/0 4"), answer: null, board: "2 3/0 0", problem: "3 is no tile" };
    const html = renderPage(page);
    expect(html).toContain("3 is no tile");
    expect(html).toMatch(/<textarea[^>]*name="board"[^>]*>2 3\/0 0<\/textarea>/);
  });

  it("describes the board for previews of links", () => {
    const html = renderPage(explore("2 0/0 4 placer"));
    expect(html).toContain("<title>2 0/0 4, placer to move · Gridlock</title>");
    expect(html).toContain("Placer to move. Worth 8 points.");
  });
});

describe("play", () => {
  it("calls nobody perfect before the value of the board is known", () => {
    const start = { board: "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", lo: 288, hi: 3_932_164, value: null };
    const html = renderPage({ ...PLAY, shape: "4x4", starts: [start] });
    const shown = html.slice(0, html.indexOf('id="page"'));
    expect(shown).toContain("Slide against the strong placer.");
    expect(shown).toContain("The value of this board is not known yet: the placer is strong, but");
    expect(shown).toMatch(/<option value="perfect" selected>strong: makes the best move/);
    expect(shown).toContain("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0: at least 288");
    expect(shown).not.toMatch(/>perfect<|perfect placer/);
    const known = { ...start, hi: 288, value: 288 };
    const solved = renderPage({ ...PLAY, shape: "4x4", starts: [known] });
    expect(solved).toContain("The value of this board is known: the placer is perfect here.");
  });
});

describe("results", () => {
  it("lists each table once, and no files that a page cannot show", () => {
    const titled = (path: string, title = path) => ({ path, title });
    const html = renderPage({
      name: "results",
      shapes: SHAPES,
      files: [
        titled("results/3x3.json"),
        titled("results/3x3.md", "Adversarial 2048 on 3x3"),
        titled("results/3x3.csv"),
        titled("results/2x3-tiles-2.json"),
        titled("results/growth.md", "Growth"),
        titled("results/growth.json"),
        titled("results/positions/2x5.json"),
        titled("docs/search.md", "The search"),
      ],
    });
    const listed = [...html.matchAll(/<li><a href="([^"]*)">([^<]*)</g)].map(([, ...link]) => link);
    expect(listed).toEqual([
      ["v1/files/results/positions/2x5.json", "results/positions/2x5.json"],
      ["results/growth/", "Growth"],
    ]);
    expect(html).toContain('<a href="results/3x3/">All starts<');
    expect(html).toContain('<a href="results/2x3-tiles-2/">All starts<');
  });
});

describe("documents", () => {
  it("are listed by their titles, without pictures", () => {
    const files = [
      { path: "docs/search.md", title: "The search" },
      { path: "docs/explore.png", title: "docs/explore.png" },
      { path: "results/growth.md", title: "Growth" },
    ];
    const html = renderPage({ name: "docs", files });
    expect(html.match(/<li><a .*?<\/li>/g)).toEqual([
      '<li><a href="docs/search/">The search</a></li>',
    ]);
    expect(html).toContain('<a href="docs/" aria-current="page">Docs</a>');
  });

  const render = (markdown: string, path?: string) => renderPage(documentOf(markdown, path));

  it("contain no HTML, and no scripts in links", () => {
    const html = render(
      [
        "<script>alert(1)</script> <b onclick='x'>bold</b>",
        "",
        "<img src=x onerror=alert(1)>",
        "",
        "[bad](javascript:alert(1)) [data](data:text/html,x)",
        "",
        "<!-- a comment -->",
      ].join("\n"),
    );
    expect(html).not.toMatch(/alert\(1\)<|onclick|onerror|a comment|href="(javascript|data):/);
  });

  it("show commands as they are called outside a clone, where npx may install another package", () => {
    const html = render(
      "`npx gridlock solve 3x3`, `npx\ngridlock query`\n\n    npx gridlock status\n",
    );
    expect(html).toMatch(/>gridlock solve 3x3<.*>gridlock query<.*>gridlock status\n</s);
    expect(render("`npx gridlock` runs it in a clone")).toContain(">npx gridlock<");
  });

  it("link to the pages of other files, to their parts, and nowhere else", () => {
    const html = render(
      "[a](../../docs/search.md#the-table) [b](../3x3.json) [c](../bench) ![d](x.svg)\n",
      "results/paper/a.md",
    );
    expect(html).toContain('href="docs/search/#the-table"');
    expect(html).toContain('href="results/3x3/"');
    expect(html).toContain("<span>c</span>");
    // A server's own address, wherever it is.
    const own = render("[a](http://127.0.0.1:2048/openapi.json) [b](http://127.0.0.1:2048/)");
    expect(own).toMatch(/href="openapi.json">a<.*href="\.\/">b</);
    expect(html).toContain('src="v1/files/results/paper/x.svg"');
    expect(render("[a](../README.md) [b](#here)")).toMatch(/<span>a<\/span>.*href="[^"]+\/#here"/s);
    expect(render("## Two words\n\n## Two words\n")).toMatch(/id="two-words".*id="two-words-1"/s);
  });

  it("show lines of play as boards, every move of which is legal", () => {
    const path = "docs/perfect-play.md";
    const markdown = readFileSync(join(ROOT, path), "utf8");
    const html = render(markdown, path);
    const blocks = [...markdown.matchAll(/^```line\n[^\n]+\n([^`]+)```$/gm)];
    expect(blocks.length).toBeGreaterThan(1);
    for (const [, moves = ""] of blocks) {
      expect(html).toContain(`<summary>${moves.trim().split(/\s+/).length} moves, to a `);
    }
    expect(html.match(/<div class="line-block" data-line="/g)).toHaveLength(blocks.length);
  });

  it("have the title of their first heading", () => {
    expect(titleOf("text\n\n# Growth\n", "results/growth.md")).toBe("Growth");
    expect(titleOf("text", "results/growth.md")).toBe("results/growth.md");
  });
});

describe("the first load", () => {
  it("takes less than 100 KB, compressed", () => {
    const files = ["app.js", "app.css", "theme.js", "favicon.svg"];
    const sizes = files.map((file) => gzipSync(readFileSync(join(siteFolder, file))).length);
    const pages = PAGES.map((page) => gzipSync(renderPage(page)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0) + Math.max(...pages);
    expect(total).toBeLessThan(100_000);
  });
});
