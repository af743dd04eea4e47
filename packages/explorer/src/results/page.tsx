import type { DocumentPage, ResultsPage } from "../page.js";
import { GameCard } from "../ui/game-card.js";
import { Heading } from "../ui/layout.js";
import { groupFiles, startsAddress } from "./files.js";
import { renderMarkdown } from "./markdown.js";

/** The list of all tables, experiments and documents. */
export function ResultsView({ page }: { readonly page: ResultsPage }) {
  return (
    <>
      <Heading title="Results">
        Every value with a line of best play, the experiments of the papers, and how all of it
        works.
      </Heading>
      <section aria-labelledby="games">
        <h2 id="games">Every start</h2>
        <ul class="cards list">
          {page.shapes.map((game) => (
            <GameCard
              key={`${game.shape} ${game.tiles}`}
              game={game}
              starts={startsAddress(game, page.files)}
            />
          ))}
        </ul>
      </section>
      <div class="groups">
        {groupFiles(page.files).map(({ title, files }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul class="list">
              {files.map((file) => (
                <li key={file.href}>
                  <a href={file.href}>{file.title}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

/** A Markdown file of the results or the documentation. */
export function DocumentView({ page }: { readonly page: DocumentPage }) {
  return (
    <>
      <p class="crumb">
        <a href="results/">Results</a> / {page.path}
      </p>
      <article
        class="prose"
        dangerouslySetInnerHTML={{ __html: renderMarkdown(page.markdown, page.path) }}
      />
    </>
  );
}
