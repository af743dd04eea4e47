import type { Command, Option } from "commander";
import { UsageError } from "../exit.js";

/** An option by its name in the code, `lowerBounds`. */
type Name = string;

/** The options of a command that need others to have an effect, and those that exclude others. */
interface Effects {
  /** For options, others that each of them needs. */
  readonly needs?: readonly (readonly [options: readonly Name[], needed: readonly Name[]])[];
  /** For an option, those that cannot be combined with it. */
  readonly excludes?: readonly (readonly [option: Name, others: readonly Name[]])[];
  /** Options whose variable is refused, not ignored, if excluded: it says what the command does. */
  readonly decisive?: readonly Name[];
}

/** The options of a Redis server, and those of a service. */
const REDIS = ["prefix", "redisCluster", "redisCa", "redisPasswordFile"];
const SERVICE = ["metrics", "metricsHost", "logLevel"];

/**
 * The rules of each command's options. An option on the command line that has no effect is refused.
 * One that a variable sets is ignored, unless it is decisive.
 */
export const EFFECTS: Readonly<Record<string, Effects>> = {
  solve: {
    needs: [
      [[...REDIS, ...SERVICE, "verify"], ["redis"]],
      [["metricsHost"], ["metrics"]],
      [["yes"], ["fresh"]],
    ],
    decisive: ["redis"],
    excludes: [
      ["redis", ["lowerBounds", "goal", "withoutBound", "otherOrder", "start"]],
      ["redis", ["snapshotEvery", "workers", "memory"]],
      ["goal", ["lowerBounds", "withoutBound", "otherOrder", "for", "fresh", "seed", "guess"]],
      ["goal", ["start", "db", "snapshotEvery"]],
      ["start", ["fresh"]],
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
    needs: [[REDIS, ["redis"]]],
    excludes: [["redis", ["db", "published"]]],
  },
  verify: { excludes: [["certificate", ["db", "tiles"]]] },
  play: {
    needs: [[["placer", "games", "workers", "quiet", "json"], ["player"]]],
    excludes: [["player", ["tiles", "budget"]]],
  },
  serve: { needs: [[REDIS, ["redis"]]] },
};

/** An option of a command with its value. */
export interface OptionValue {
  readonly option: Option;
  readonly value: unknown;
  readonly source: "cli" | "env" | "default";
  /** The name of what sets it: `--redis` or `GRIDLOCK_REDIS`. */
  readonly name: string;
}

/** Lists a command's options that have a value. */
export function valuesOf(command: Command): OptionValue[] {
  return command.options.flatMap((option) => {
    const attribute = option.attributeName();
    const value: unknown = command.getOptionValue(attribute);
    if (value === undefined) return [];
    const given = command.getOptionValueSource(attribute);
    const source = given === "cli" ? "cli" : given === "env" ? "env" : "default";
    const name = (source === "env" ? option.envVar : option.long) as string;
    return [{ option, value, source, name }];
  });
}

/**
 * Checks that each option on the command line has an effect beside the others. Options that
 * variables set give way to those on the command line that exclude them, unless they are decisive.
 *
 * @throws {UsageError} for the first option that has none
 */
export function expectEffects(command: Command): void {
  const { needs = [], excludes = [], decisive = [] } = EFFECTS[command.name()] ?? {};
  for (const [first, others] of excludes) {
    for (const second of others) {
      const [one, two] = [given(command, first), given(command, second)];
      if (one === undefined || two === undefined) continue;
      const variable = [one, two].find(({ source }) => source === "env");
      if (variable === undefined) {
        throw new UsageError(`${one.name} cannot be combined with ${two.name}`);
      }
      const other = variable === one ? two : one;
      if (other.source === "env") continue; // both only set defaults
      if (decisive.includes(variable.option.attributeName())) {
        throw new UsageError(
          `${variable.name} cannot be combined with ${other.name}; unset the variable`,
        );
      }
      giveWay(command, variable.option);
    }
  }
  for (const [options, needed] of needs) {
    for (const name of options) {
      const one = given(command, name);
      const missing = needed.find((other) => given(command, other) === undefined);
      if (one === undefined || missing === undefined) continue;
      if (one.source === "env") giveWay(command, one.option);
      else {
        throw new UsageError(`${one.name} needs ${wordsOf(optionOf(command, missing))}`);
      }
    }
  }
}

/**
 * Refuses an empty text or variable, as a script leaves it that names a variable without a value.
 *
 * @throws {UsageError} for the first option that has one
 */
export function refuseEmpty(command: Command): void {
  for (const { option, value, source, name } of valuesOf(command)) {
    const isSet = source === "env";
    // The variable of an option without a value makes it true.
    if ((isSet ? process.env[name] : value) !== "") continue;
    const advice = isSet ? "unset it, or give it a value" : `expected a value: ${option.flags}`;
    throw new UsageError(`${name} is empty; ${advice}`);
  }
}

/** Returns an option that the command line or a variable has set. */
function given(command: Command, name: Name): OptionValue | undefined {
  const option = optionOf(command, name);
  return valuesOf(command).find((one) => one.option === option && one.source !== "default");
}

/** Returns the option of a name, which the command must have. */
function optionOf(command: Command, name: Name): Option {
  const option = command.options.find((one) => one.attributeName() === name);
  if (option === undefined) throw new Error(`gridlock ${command.name()} has no ${name}`);
  return option;
}

/** Returns an option as it is typed: `--redis URL`. */
function wordsOf({ flags }: Option): string {
  return flags.replace(/<(.*)>/, (_, argument: string) => argument.toUpperCase());
}

function giveWay(command: Command, option: Option): void {
  command.setOptionValueWithSource(option.attributeName(), option.defaultValue, "default");
}
