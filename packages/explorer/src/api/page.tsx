import { useEffect, useState } from "preact/hooks";
import type { ApiOperation, ApiPage } from "../page.js";
import { Heading, Scroll } from "../ui/layout.js";
import { EXAMPLE_HOME } from "./request.js";
import { TryIt } from "./try-it.js";

/** The page that describes the HTTP API, with a form for each operation. */
export function ApiView({ page }: { readonly page: ApiPage }) {
  // What the server renders must not depend on its address, which proxies change.
  const [home, setHome] = useState<string | undefined>();
  useEffect(() => setHome(document.baseURI), []);
  const { groups, objects } = page;
  return (
    <>
      <Heading title="The HTTP API">
        All values are points for the slider, of the move and everything after it, whoever moves.{" "}
        <a href="docs/api/">The guide</a> explains them; <a href="openapi.json">openapi.json</a>{" "}
        describes the same as OpenAPI 3.1.
      </Heading>
      <div class="api">
        <Contents page={page} />
        <div class="operations">
          {groups.map(({ name, operations }) => (
            <section key={name} aria-labelledby={`group-${name}`}>
              <h2 id={`group-${name}`}>{name}</h2>
              {operations.map((operation) => (
                <Operation key={operation.id} operation={operation} home={home} />
              ))}
            </section>
          ))}
          <section aria-labelledby="objects">
            <h2 id="objects">Objects</h2>
            {objects.map(({ name, description, schema }) => (
              <article key={name} class="object" aria-labelledby={name}>
                <h3 id={name}>{name}</h3>
                <p>{description}</p>
                <details>
                  <summary>Schema of {name}</summary>
                  <Scroll label={`Schema of ${name}`}>
                    <pre>
                      <code>{schema}</code>
                    </pre>
                  </Scroll>
                </details>
              </article>
            ))}
          </section>
        </div>
      </div>
    </>
  );
}

function Contents({ page: { groups, objects } }: { readonly page: ApiPage }) {
  return (
    <nav class="contents" aria-label="Contents">
      {groups.map(({ name, operations }) => (
        <div key={name}>
          <p>{name}</p>
          <ul class="list">
            {operations.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`v1/docs#${id}`}>
                  {method === "get" ? "" : `${method.toUpperCase()} `}
                  {path}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p>Objects</p>
        <ul class="objects list row">
          {objects.map(({ name }) => (
            <li key={name}>
              <a href={`v1/docs#${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function Operation({
  operation,
  home,
}: {
  readonly operation: ApiOperation;
  readonly home: string | undefined;
}) {
  const { id, method, path, summary, parameters, responses } = operation;
  return (
    <article class="operation" aria-labelledby={id}>
      <h3 id={id}>
        <span class="method">{method.toUpperCase()}</span> <code>{path}</code>
      </h3>
      <p>{summary}.</p>
      {parameters.length > 0 && (
        <Scroll label={`Parameters of ${id}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Parameter</th>
                <th scope="col">In</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map(({ name, place, required, description }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                    {!required && <span class="note"> optional</span>}
                  </th>
                  <td>{place}</td>
                  <td>{description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <TryIt operation={operation} home={home ?? EXAMPLE_HOME} isLive={home !== undefined} />
      <details>
        <summary>Answers</summary>
        <ul>
          {responses.map(({ status, title, description, type, objects }) => (
            <li key={status}>
              {status} {title}: {description} <code>{type}</code>{" "}
              {objects.map((name) => (
                <>
                  <a key={name} href={`v1/docs#${name}`}>
                    {name}
                  </a>{" "}
                </>
              ))}
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
