import type { Command, Option } from "commander";
import { UsageError } from "../exit.js";

/** An option by its name in the code, `lowerBounds`, or one of its values, `method=layers`. */
type Name = string;

/** The options of a command that have an effect only with others, and those that have none together. */
interface Effects {
  /** For options, others that each of them needs. */
  readonly needs?: readonly (readonly [options: readonly Name[], needed: readonly Name[]])[];
  /** For an option, those that cannot be combined with it. */
  readonly excludes?: readonly (readonly [option: Name, others: readonly Name[]])[];
}

/** The options of a Redis server, and those of a service. */
const REDIS = ["prefix", "redisCluster", "redisCa", "redisPasswordFile"];
const SERVICE = ["metrics", "metricsHost", "logLevel"];
/** Options of `solve` for a search, be it on many machines, which a proof by layers does not have. */
export const OF_SEARCH = ["check", "lowerBounds", "goal", "seed", "withoutBound", "otherOrder"];

/**
 * The rules of each command's options. An option on the command line that has no effect is refused; one that a variable
 * sets is ignored, and overridden by those on the command line that exclude it.
 */
export const EFFECTS: Readonly<Record<string, Effects>> = {
  solve: {
    needs: [
      [[...REDIS, ...SERVICE, "check"], ["redis"]],
      [["metricsHost"], ["metrics"]],
      [["split"], ["method=layers"]],
      [["yes"], ["fresh"]],
    ],
    excludes: [
      ["redis", ["lowerBounds", "goal", "withoutBound", "otherOrder", "start", "method=layers"]],
      ["redis", ["snapshotEvery", "snapshotEffort"]],
      ["method=layers", [...OF_SEARCH, "start", "snapshotEvery", "snapshotEffort"]],
      ["goal", ["lowerBounds", "withoutBound", "otherOrder", "for", "fresh", "seed", "guess"]],
      ["goal", ["start", "db", "snapshotEvery", "snapshotEffort"]],
      ["start", ["fresh"]],
      ["lowerBounds", ["guess"]],
    ],
  },
  worker: { needs: [[["metricsHost"], ["metrics"]]] },
  analyze: { excludes: [["board", ["out", "memory", "workers"]]] },
  query: {
    excludes: [
      ["csv", ["json", "player"]],
      ["values", ["player"]],
      ["verified", ["published"]],
    ],
  },
  status: {
    needs: [[[...REDIS, "watch"], ["redis"]]],
    excludes: [["redis", ["db", "published"]]],
  },
  verify: {
    needs: [[["seed"], ["sample"]]],
    excludes: [
      ["certificate", ["db", "tiles", "memory", "method=layers"]],
      ["method=layers", ["sample", "seed"]],
      ["method=certificate", ["memory"]],
      ["sample", ["memory"]],
    ],
  },
  export: {
    needs: [[["format=png"], ["board"]]],
    excludes: [
      ["board", ["db", "tiles", "format=md", "format=json", "format=csv", "format=certificate"]],
    ],
  },
  play: {
    needs: [[["placer", "games", "workers", "quiet", "json"], ["player"]]],
    excludes: [["player", ["tiles", "budget"]]],
  },
  serve: { needs: [[REDIS, ["redis"]]] },
  assess: { excludes: [["strategies", ["player"]]] },
};

/**
 * Checks that each option on the command line has an effect beside the others. Options that variables set give way to
 * those on the command line that exclude them.
 *
 * @throws {UsageError} for the first option that has none
 */
export function expectEffects(command: Command): void {
  if (command.options.length === 0) return; // as a research command that only says where it is
  const { needs = [], excludes = [] } = EFFECTS[command.name()] ?? {};
  for (const [first, others] of excludes) {
    for (const second of others) {
      const [one, two] = [given(command, first), given(command, second)];
      if (one?.source === "cli" && two?.source === "cli") {
        throw new UsageError(`${one.words} cannot be combined with ${two.words}`);
      }
      if (one?.source === "cli") giveWay(command, two?.option);
      if (two?.source === "cli") giveWay(command, one?.option);
    }
  }
  for (const [options, needed] of needs) {
    for (const name of options) {
      const one = given(command, name);
      const missing = needed.find((other) => given(command, other) === undefined);
      if (missing === undefined) continue;
      if (one?.source !== "cli") giveWay(command, one?.option);
      else
        throw new UsageError(`${one.words} needs ${wordsOf(optionOf(command, missing), missing)}`);
    }
  }
}

/**
 * Refuses an empty text or variable, as a script leaves it that names a variable without a value.
 *
 * @throws {UsageError} for the first option that has one
 */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const isSet = command.getOptionValueSource(name) === "env";
    if (isSet && process.env[option.envVar as string] === "") {
      throw new UsageError(`${option.envVar} is empty; unset it, or give it a value`);
    }
    if (command.getOptionValue(name) !== "") continue;
    throw new UsageError(`${option.long} is empty; expected a value: ${option.flags}`);
  }
}

/** Returns an option that the command line or a variable sets, if to the value that its name has. */
function given(command: Command, name: Name) {
  const option = optionOf(command, name);
  const source = command.getOptionValueSource(option.attributeName());
  const [, value] = name.split("=");
  if (value !== undefined && command.getOptionValue(option.attributeName()) !== value) return;
  return source === "cli" || source === "env"
    ? { option, source, words: value === undefined ? option.long : wordsOf(option, name) }
    : undefined;
}

/** Returns the option of a name, which the command must have. */
function optionOf(command: Command, name: Name): Option {
  const [attribute] = name.split("=");
  const option = command.options.find((one) => one.attributeName() === attribute);
  if (option === undefined) throw new Error(`gridlock ${command.name()} has no ${name}`);
  return option;
}

/** Returns an option as it is typed: `--redis URL`, `--method layers`. */
function wordsOf({ flags, long }: Option, name: Name): string {
  const [, value] = name.split("=");
  if (value !== undefined) return `${long} ${value}`;
  return flags.replace(/<(.*)>/, (_, argument: string) => argument.toUpperCase());
}

function giveWay(command: Command, option: Option | undefined): void {
  if (option === undefined) return;
  command.setOptionValueWithSource(option.attributeName(), option.defaultValue, "default");
}
