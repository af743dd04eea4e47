import type { DocumentPage } from "../page.js";
import { renderMarkdown } from "./markdown.js";

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
