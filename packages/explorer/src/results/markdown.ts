import { posix } from "node:path";
import MarkdownIt, { type RendererRule } from "markdown-it";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { LineBlock } from "../ui/line.js";
import { addressOfFile } from "./files.js";

/**
 * A call of the command as files of the repository show it. The pages are read elsewhere too, where
 * npx may install another package.
 */
const IN_CLONE = /\bnpx\s+gridlock(?=\s+[a-z"-])/g;

/** The home page of a server, as documents write it; pages have relative addresses instead. */
const HOME = "http://127.0.0.1:2048/";

const { escapeHtml } = new MarkdownIt().utils;

/** Returns where a link in a file of the project leads on the pages; `undefined` if nowhere. */
function linkOf(address: string, path: string): string | undefined {
  if (address.startsWith(HOME)) return address.slice(HOME.length) || "./";
  // Whatever has a scheme or a host is no file of the project.
  if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(address)) return address;
  const [file, hash] = address.split("#");
  const target = file ? posix.normalize(posix.join(posix.dirname(path), file)) : path;
  const shown = addressOfFile(target);
  return shown === undefined || hash === undefined ? shown : `${shown}#${hash}`;
}

/** Returns the name of a heading for links: `what-each-failure-does`. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** Opens a cell with a class in place of a style attribute, which the pages do not use. */
const openCell: RendererRule = (...[tokens, index, options, , self]) => {
  const token = tokens[index];
  const isNumber = String(token?.attrGet("style")).includes("right");
  if (token) token.attrs = isNumber ? [["class", "number"]] : null;
  return self.renderToken(tokens, index, options);
};

/** Shows code in a box that scrolls, by the keyboard too, and a line of play as boards. */
const codeBlock: RendererRule = (tokens, index) => {
  const text = tokens[index]?.content ?? "";
  const escaped = escapeHtml(text);
  if (tokens[index]?.info !== "line") return `<pre tabindex="0"><code>${escaped}</code></pre>`;
  return `<div class="line-block" data-line="${escaped}">${renderToString(h(LineBlock, { text }))}</div>`;
};

/**
 * Renders a Markdown file of the project as HTML. HTML in the file is left out: comments, and
 * scripts that somebody has put there. Links and pictures lead to the pages; tables scroll in boxes of
 * their own.
 *
 * @param path the file's path from the project's root
 */
export function renderMarkdown(markdown: string, path: string): string {
  const renderer = new MarkdownIt({ html: true, linkify: false });
  const anchors = new Map<string, number>();
  const { image } = renderer.renderer.rules;
  Object.assign(renderer.renderer.rules, {
    html_block: () => "",
    html_inline: () => "",
    table_open: () => '<div class="scroll" tabindex="0"><table>',
    fence: codeBlock,
    code_block: codeBlock,
    th_open: openCell,
    td_open: openCell,
    table_close: () => "</table></div>",
    heading_open: (...[tokens, index, options, , self]) => {
      const text = tokens[index + 1]?.children?.map(({ content }) => content).join("") ?? "";
      const anchor = anchorOf(text);
      const before = anchors.get(anchor) ?? 0;
      anchors.set(anchor, before + 1);
      tokens[index]?.attrSet("id", before === 0 ? anchor : `${anchor}-${before}`);
      return self.renderToken(tokens, index, options);
    },
    link_open: (...[tokens, index, options, , self]) => {
      const token = tokens[index];
      const target = linkOf(String(token?.attrGet("href")), path);
      const end = tokens.slice(index).find(({ type }) => type === "link_close");
      if (target !== undefined) token?.attrSet("href", target);
      // A link to a file that the server does not show is plain text.
      else if (token && end) [token.tag, token.attrs, end.tag] = ["span", null, "span"];
      // Within a sentence a link has no room of its own.
      if (index === 0 && end === tokens.at(-1) && token?.tag === "a")
        token.attrJoin("class", "alone");
      return self.renderToken(tokens, index, options);
    },
    image: (...[tokens, index, options, env, self]) => {
      const token = tokens[index];
      token?.attrSet("src", linkOf(String(token.attrGet("src")), path) ?? "");
      token?.attrSet("loading", "lazy");
      return image?.(tokens, index, options, env, self) ?? "";
    },
  } satisfies Record<string, RendererRule>);
  return renderer.render(markdown.replaceAll(IN_CLONE, "gridlock"));
}
