import type { Answer, Literature, Published } from "../data.js";
import { formatNumber } from "./words.js";

const CONFIRMED_BY: Readonly<Record<Published["confirmations"][number]["kind"], string>> = {
  certificate: "a checked certificate",
  "proof-by-layers": "a checked proof by layers",
  "second-search": "a second search",
  tabulation: "a tabulation",
};

/** Says where a published value stands, and what confirms it. */
function publishedWords({ source, confirmations }: Published): string {
  const kinds = [...new Set(confirmations.map(({ kind }) => CONFIRMED_BY[kind]))];
  const last = kinds.pop();
  if (last === undefined) return `published in ${source}, found by one search`;
  const all = kinds.length === 0 ? last : `${kinds.join(", ")} and ${last}`;
  return `published in ${source}, confirmed by ${all}`;
}

/** Says what an answer's value is known from. */
export function sourceWords({ source, published }: Answer): string {
  if (source === "published") return published ? publishedWords(published) : "published";
  if (source === "tabulation") return "from a tabulation of all positions";
  if (source === "database") return "from this database";
  if (source === "layers") return "from a proof by layers";
  if (source === "certificate") return "from a checked certificate";
  return source === "rules" ? "from the rules alone" : "found by a search";
}

/** Says what the literature knows of a value. */
export function literatureWords({ bound, citation }: Literature): string {
  return `at least ${formatNumber(bound)} by the literature (${citation}; not checked here)`;
}
