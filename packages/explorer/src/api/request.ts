import type { ApiOperation } from "../page.js";

/** The address of the home page in examples, until the browser knows the real one. */
export const EXAMPLE_HOME = "http://127.0.0.1:2048/";

/** The values of an operation's parameters by their names; empty ones are left out. */
export type Values = Readonly<Record<string, string>>;

/** Returns the values of the example of an operation: those of its required parameters. */
export function exampleOf({ parameters }: ApiOperation): Values {
  return Object.fromEntries(
    parameters.flatMap(({ name, required, example }) => (required ? [[name, example]] : [])),
  );
}

/** Returns the address of a request, relative to the home page. */
export function addressOf({ path, parameters }: ApiOperation, values: Values): string {
  const filled = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? ""));
  const query = parameters
    .filter(({ name, place }) => place === "query" && values[name])
    .map(({ name }) => `${name}=${encoded(values[name] as string)}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Encodes a value, but not the characters that boards and paths have and that mean nothing in a value. */
function encoded(value: string): string {
  return encodeURIComponent(value)
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("'", "%27");
}

/** Returns the curl command of a request, whose body is JSON. */
export function curlOf(home: string, address: string, body: string | undefined): string {
  const sent = body === undefined ? "" : `--json '${body.replaceAll("'", "'\\''")}' `;
  return `curl ${sent}'${home}${address}'`;
}

/** Formats JSON, or lines of JSON, for reading; any other text stays as it is. */
export function readable(text: string, type: string): string {
  if (!/json/.test(type)) return text;
  try {
    if (!type.includes("ndjson")) return JSON.stringify(JSON.parse(text), null, 2);
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join("\n");
  } catch {
    return text;
  }
}
