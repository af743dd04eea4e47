import { posix } from "node:path";
import MarkdownIt, { type RendererRule } from "markdown-it";
import { pageOfFile } from "./files.js";

/** Whether an address leads elsewhere than to a file of the project. */
function isAbsolute(address: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/|#)/i.test(address);
}

/** Returns where a link in a file of the project leads on the pages. */
function linkOf(address: string, path: string): string {
  if (isAbsolute(address)) return address;
  const [file = "", hash] = address.split("#");
  const target = posix.normalize(posix.join(posix.dirname(path), file));
  const page = /^results\/.*\.(svg|png)$/.test(target) ? `/v1/${target}` : pageOfFile(target);
  return hash === undefined ? page : `${page}#${hash}`;
}

/** Returns the name of a heading for links: `what-each-failure-does`. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/**
 * Renders a Markdown file of the project as HTML. HTML in the file appears as text, so that no script can be in it. Links
 * and pictures lead to the pages; tables scroll in boxes of their own.
 *
 * @param path the file's path from the project's root
 */
export function renderMarkdown(markdown: string, path: string): string {
  const renderer = new MarkdownIt({ html: false, linkify: false });
  const anchors = new Map<string, number>();
  const { image } = renderer.renderer.rules;
  Object.assign(renderer.renderer.rules, {
    table_open: () => '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>',
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
      token?.attrSet("href", linkOf(String(token.attrGet("href")), path));
      return self.renderToken(tokens, index, options);
    },
    image: (...[tokens, index, options, env, self]) => {
      const token = tokens[index];
      token?.attrSet("src", linkOf(String(token.attrGet("src")), path));
      token?.attrSet("loading", "lazy");
      return image?.(tokens, index, options, env, self) ?? "";
    },
  } satisfies Record<string, RendererRule>);
  return renderer.render(markdown);
}
