import { quoted } from "@gridlock/game";
import { estimatePlayer } from "./estimate.js";
import { gradientPlayer } from "./gradient.js";
import { ntuple } from "./ntuple/player.js";
import { perfect, perfectOrdinary } from "./perfect-player.js";
import { type NameParts, PlayerError, type PlayerKind, UnknownPlayerError } from "./player.js";
import { greedy, random } from "./reference.js";
import { strategy } from "./strategy.js";
import { zakyExpectimax, zakyMinimax } from "./zaky.js";

/** All kinds of players, in the order in which they are listed. */
export const PLAYER_KINDS: readonly PlayerKind[] = [
  strategy,
  estimatePlayer,
  gradientPlayer,
  zakyMinimax,
  zakyExpectimax,
  random,
  greedy,
  perfect,
  perfectOrdinary,
  ntuple,
];

/**
 * Splits a player's name into its parts.
 *
 * @throws {PlayerError} if the player, depth or variant does not exist, with the possible ones
 */
export function parsePlayerName(name: string): NameParts & { readonly kind: PlayerKind } {
  const [given = "", ...suffixes] = name.trim().split(":");
  const [base, kind] = findKind(given);
  if (kind.file !== undefined && suffixes.length > 0) {
    const file = suffixes.join(":");
    if (file === "") throw new PlayerError(`expected a file after the colon in ${quoted(name)}`);
    return { kind, name: `${base}:${file}`, base, depth: 0, variants: new Set(), file };
  }
  let depth: number | undefined;
  const variants = new Set<string>();
  for (const suffix of suffixes) {
    if (kind.depth && depth === undefined && /^\d{1,4}$/.test(suffix)) {
      depth = Number(suffix);
      if (depth < 1 || depth > kind.depth.most) {
        const expected = `expected 1 to ${kind.depth.most}`;
        throw new PlayerError(
          `a depth of ${suffix} in ${quoted(name)} is not possible; ${expected}`,
        );
      }
    } else if (kind.variants && Object.hasOwn(kind.variants, suffix) && !variants.has(suffix)) {
      variants.add(suffix);
    } else throw new PlayerError(noSuffix(name, suffix, kind));
  }
  const ordered = Object.keys(kind.variants ?? {}).filter((variant) => variants.has(variant));
  const depths = kind.depth ? [String(depth ?? kind.depth.byDefault)] : [];
  return {
    kind,
    name: [base, ...depths, ...ordered].join(":"),
    base,
    depth: depth ?? kind.depth?.byDefault ?? 0,
    variants,
  };
}

/** Finds the kind of a name without depth and variants; a strategy's name need not end in r. */
function findKind(base: string): [name: string, kind: PlayerKind] {
  for (const name of base === "" ? [] : [base, `${base}r`]) {
    const kind = PLAYER_KINDS.find(({ names }) => names.includes(name));
    if (kind) return [name, kind];
  }
  // There are 65 strategies.
  const names = PLAYER_KINDS.flatMap((kind) =>
    kind === strategy ? "letters of e, m, u and g such as emr" : kind.names,
  );
  throw new UnknownPlayerError(`there is no player ${quoted(base)}; expected ${names.join(", ")}`);
}

function noSuffix(name: string, suffix: string, { depth, variants = {} }: PlayerKind): string {
  const known = Object.keys(variants);
  if (depth) known.unshift(`DEPTH (1 to ${depth.most})`);
  const expected =
    known.length === 0
      ? "it has no variants"
      : `after the name it takes ${known.map((one) => `:${one}`).join(", ")}, each once`;
  return `${quoted(suffix)} in ${quoted(name)} is not a variant of the player ${name.split(":")[0]}; ${expected}`;
}
