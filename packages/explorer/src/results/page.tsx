import type { DocsPage, DocumentPage, ResultsPage } from "../page.js";
import { GameCards } from "../ui/game-card.js";
import { Heading } from "../ui/layout.js";
import { documentsIn, groupFiles } from "./files.js";
import { renderMarkdown } from "./markdown.js";

/** The list of all tables and experiments. */
export function ResultsView({ page }: { readonly page: ResultsPage }) {
  return (
    <>
      <Heading title="Results">
        Every value with a line of best play, and the experiments of the papers.
      </Heading>
      <section aria-labelledby="games">
        <h2 id="games">Every start</h2>
        <GameCards games={page.shapes} />
      </section>
      <div class="groups">
        {groupFiles(page.files).map(({ title, files }) => (
          <section key={title}>
            <h2>{title}</h2>
            <Links files={files} />
          </section>
        ))}
      </div>
    </>
  );
}

function Links({ files }: { readonly files: ReturnType<typeof documentsIn> }) {
  return (
    <ul class="list">
      {files.map((file) => (
        <li key={file.href}>
          <a href={file.href}>{file.title}</a>
        </li>
      ))}
    </ul>
  );
}

/** The list of all documents. */
export function DocsView({ page }: { readonly page: DocsPage }) {
  return (
    <>
      <Heading title="Documentation">
        How to use Gridlock, what it has found out, and how all of it works.
      </Heading>
      <div class="groups">
        <Links files={documentsIn(page.files)} />
      </div>
    </>
  );
}

/** A Markdown file of the results or the documentation. */
export function DocumentView({ page }: { readonly page: DocumentPage }) {
  const isResult = page.path.startsWith("results/");
  return (
    <>
      <p class="crumb">
        {isResult ? <a href="results/">Results</a> : <a href="docs/">Documentation</a>} /{" "}
        {page.path}
      </p>
      <article
        class="prose"
        dangerouslySetInnerHTML={{ __html: renderMarkdown(page.markdown, page.path) }}
      />
    </>
  );
}
