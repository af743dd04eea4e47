/*
 * A rule of markdownlint: relative links lead to files that exist, and their anchors to headings.
 * Links to other sites are not followed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import GithubSlugger from "github-slugger";

/** The anchors of the pages read so far, by path. */
const anchorsOfPages = new Map();

/** Returns the anchors that GitHub gives the headings of a page. */
function anchorsOf(file) {
  if (!anchorsOfPages.has(file)) {
    const slugger = new GithubSlugger();
    const text = readFileSync(file, "utf8").replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "");
    const headings = [...text.matchAll(/^#{1,6} +(.*?) *#*$/gm)];
    const anchors = headings.map(([, heading]) => slugger.slug(textOf(heading)));
    anchorsOfPages.set(file, new Set(anchors));
  }
  return anchorsOfPages.get(file);
}

/** Returns the text of a heading without links and marks. */
function textOf(heading) {
  return heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[*`]/g, "");
}

/** Returns the fault of a link of a page, or `undefined`. */
function faultOf(page, link) {
  if (/^([a-z][a-z+.-]*:|\/\/)/i.test(link)) return;
  const [path, anchor] = link.split("#");
  const file = path === "" ? page : join(dirname(page), decodeURI(path));
  if (!existsSync(file)) return `there is no ${path}`;
  if (anchor === undefined || !file.endsWith(".md") || anchorsOf(file).has(anchor)) return;
  return `${path || "the page"} has no heading #${anchor}`;
}

/** Yields tokens of the given types, at any depth. */
function* tokensOf(tokens, types) {
  for (const token of tokens) {
    if (types.includes(token.type)) yield token;
    yield* tokensOf(token.children, types);
  }
}

export default {
  names: ["relative-links"],
  description: "Relative links lead to files and headings that exist",
  tags: ["links"],
  parser: "micromark",
  function({ name, parsers }, onError) {
    const types = ["resourceDestinationString", "definitionDestinationString"];
    for (const { text, startLine } of tokensOf(parsers.micromark.tokens, types)) {
      const fault = faultOf(name, text);
      if (fault !== undefined) onError({ lineNumber: startLine, detail: fault, context: text });
    }
  },
};
