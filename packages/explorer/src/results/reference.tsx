import type { ComponentChildren } from "preact";
import type { ReferencePage } from "../page.js";
import { Heading } from "../ui/layout.js";
import type { Reference, ReferenceExport } from "./contents.js";
import { addressOfFile } from "./files.js";
import { linkOf, renderMarkdown } from "./markdown.js";

/** Lines of a declaration that is shown at once; longer ones unfold. */
const MOST_LINES = 80;
/** Levels of indentation that have a class of their own. */
const MOST_LEVELS = 8;

/** The words for a tag of a docstring. */
const TAGS: Readonly<Record<string, string>> = { throws: "Throws", returns: "Returns", see: "See" };

/** The reference of a package: each export of each entry, with its docstring and its declaration. */
export function ReferenceView({ page: { path, reference } }: { readonly page: ReferencePage }) {
  const address = addressOfFile(path) ?? "";
  const { name, description, entries } = reference;
  return (
    <>
      <p class="crumb">
        <a href="results/">Results</a> / <a href="docs/library/">Gridlock as a library</a> / {path}
      </p>
      <Heading title={<span class="reference-name">{name}</span>}>{description}</Heading>
      <div class="api reference">
        <Contents reference={reference} address={address} />
        <div class="operations">
          {entries.map((entry) => (
            <section key={entry.name} aria-labelledby={entry.name}>
              <h2 id={entry.name} class={entries.length === 1 ? "hidden" : "reference-name"}>
                {entry.name}
              </h2>
              {entry.shared.length > 0 && (
                <p class="note">
                  Also exports{" "}
                  {entry.shared.map((shared, i) => (
                    <>
                      {i > 0 && ", "}
                      <a href={`${address}#${shared}`}>{shared}</a>
                    </>
                  ))}
                  , as above.
                </p>
              )}
              {entry.exports.map((each) => (
                <Export key={each.id} each={each} path={path} address={address} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** Links to all exports, module by module. */
function Contents({
  reference: { entries },
  address,
}: {
  readonly reference: Reference;
  readonly address: string;
}) {
  return (
    <nav class="contents" aria-label="Contents">
      {entries.map(({ name, exports }) => (
        <div key={name}>
          {entries.length > 1 && <p class="reference-name">{name}</p>}
          {[...new Set(exports.map(({ module }) => module))].map((module) => (
            <div key={module}>
              <p class="module">{module}</p>
              <ul class="list">
                {exports
                  .filter((each) => each.module === module)
                  .map((each) => (
                    <li key={each.id}>
                      <a href={`${address}#${each.id}`}>{each.name}</a>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** An export with its docstring and its declaration. */
function Export({
  each: { name, id, about, tags, code, links },
  path,
  address,
}: {
  readonly each: ReferenceExport;
  readonly path: string;
  readonly address: string;
}) {
  const html = (markdown: string) => ({ __html: renderMarkdown(markdown, path) });
  const lines = code.split("\n");
  const declaration = (
    <pre class="declaration">
      <code>
        {lines.map((line) => (
          <Line line={line} links={links} path={path} />
        ))}
      </code>
    </pre>
  );
  return (
    <article class="operation prose" aria-labelledby={id}>
      <h3 id={id}>
        <a class="anchor" href={`${address}#${id}`}>
          <code>{name}</code>
        </a>
      </h3>
      <div dangerouslySetInnerHTML={html(about)} />
      {lines.length <= MOST_LINES ? (
        declaration
      ) : (
        <details>
          <summary>
            Declaration of {name}, {lines.length} lines
          </summary>
          {declaration}
        </details>
      )}
      {tags.length > 0 && (
        <dl class="tags">
          {tags.map((tag) => (
            <div class="row">
              <dt>
                {TAGS[tag.kind]} {tag.name && <code>{tag.name}</code>}
              </dt>
              <dd dangerouslySetInnerHTML={html(tag.text)} />
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

/** A line of a declaration, which wraps below its own indentation. The names of exports are links. */
function Line({
  line,
  links,
  path,
}: {
  readonly line: string;
  readonly links: ReferenceExport["links"];
  readonly path: string;
}) {
  const level = Math.min(MOST_LEVELS, (line.length - line.trimStart().length) / 2);
  const isComment = line.trimStart().startsWith("//");
  const words: ComponentChildren = isComment
    ? line
    : line.split(/\b/).map((word) => {
        const target = Object.hasOwn(links, word) ? linkOf(links[word] as string, path) : undefined;
        return target === undefined ? word : <a href={target}>{word}</a>;
      });
  return (
    <span class={`code-line c${level}${isComment ? " comment" : ""}`}>
      {words}
      {"\n"}
    </span>
  );
}
