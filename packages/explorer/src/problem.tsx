import type { ProblemPage } from "./page.js";
import { Heading } from "./ui/layout.js";

/** A page for what cannot be shown. */
export function ProblemView({ page }: { readonly page: ProblemPage }) {
  return (
    <div class="problem">
      <p class="status">{page.status}</p>
      <Heading title={page.title}>{page.detail}</Heading>
      <p class="ways row">
        <a class="button" href="./">
          Go to the start page
        </a>
      </p>
    </div>
  );
}
