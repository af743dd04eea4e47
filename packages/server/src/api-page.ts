import { STATUS_CODES } from "node:http";
import { html, raw } from "hono/html";
import type { Operation } from "./operation.js";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin: 2.5rem 0 .25rem; font-size: 1.1rem; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { text-transform: uppercase; }
.scroll { overflow-x: auto; }
`;

/** Renders the description of the API as a page that needs no script and no network. */
export async function renderApiPage(
  description: Readonly<Record<string, unknown>>,
  operations: readonly Operation[],
): Promise<string> {
  const { components, paths } = description as unknown as Description;
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API · Gridlock</title>
    <link rel="icon" href="/site/favicon.svg" type="image/svg+xml" />
    <style>${raw(STYLE)}</style>
  </head>
  <body>
    <header><a href="/">Gridlock</a></header>
    <main>
      <h1>API</h1>
      <p>
        All values are points for the slider, of the move and everything after it, whoever moves. The same as OpenAPI 3.1:
        <a href="/openapi.json">/openapi.json</a>.
      </p>
      ${operations.map(({ path, method }) => operationPart(path, method, paths[path]?.[method]))}
      <h1>Objects</h1>
      ${Object.entries(components.schemas).map(
        ([name, schema]) => html`<section aria-labelledby="${name}">
          <h2 id="${name}">${name}</h2>
          <p>${schema.description ?? ""}</p>
          <pre tabindex="0">${JSON.stringify({ ...schema, description: undefined }, null, 2)}</pre>
        </section>`,
      )}
    </main>
  </body>
</html>`;
  return String(await page);
}

interface Described {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
  }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Readonly<Record<string, { schema?: object }>>;
      }
    >
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly description?: string }>>;
  };
}

function operationPart(path: string, method: string, described: Described | undefined) {
  if (described === undefined) return "";
  const { summary, parameters, responses } = described;
  return html`<section aria-labelledby="${method}${path}">
    <h2 id="${method}${path}"><span class="method">${method}</span> <code>${path}</code></h2>
    <p>${summary}.</p>
    ${
      parameters.length === 0
        ? ""
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters of ${method} ${path}">
      <table>
        <thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead>
        <tbody>
          ${parameters.map(
            (each) => html`<tr>
              <td><code>${each.name}</code>${each.required ? "" : " (optional)"}</td>
              <td>${each.in}</td>
              <td>${each.description ?? ""}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`
    }
    <ul>
      ${Object.entries(responses).map(([status, { description, content }]) => {
        const [type, { schema }] = Object.entries(content)[0] as [string, { schema?: object }];
        return html`<li>
          ${status} ${STATUS_CODES[status] ?? ""}: ${description}
          <code>${type}</code> ${linksOf(schema)}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** Links to the named schemas that a schema refers to. */
function linksOf(schema: object | undefined) {
  const names = [...JSON.stringify(schema ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)];
  return names.map(([, name]) => html`<a href="#${name}">${name}</a> `);
}
