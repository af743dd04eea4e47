/* The command lines of scripts. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Parses the command line of the script that runs, as `parseArgs` of Node.js does. For `--help`,
 * prints the script's first lines instead, and ends it; for a wrong command line, prints what is
 * wrong, and ends it with 2.
 *
 * @type {typeof parseArgs}
 */
export function parseCommandLine(config) {
  try {
    const options = { ...config.options, help: { type: "boolean" } };
    const parsed = parseArgs({ ...config, options });
    if (!parsed.values.help) return parsed;
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    const [sentence] = error.message.split(". ");
    refuse(`${sentence}; --help lists the options`);
  }
  const [, comment] = /^\/\*\n([\s\S]*?)\n \*\//.exec(readFileSync(process.argv[1], "utf8")) ?? [];
  console.log(comment.replace(/^ \* ?/gm, ""));
  process.exit();
}

/** Prints what is wrong with a command line, and ends the script with 2. */
export function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}

/** Returns an option's number, if given; refuses all but whole numbers of at least `least`. */
export function wholeNumber(option, text, least) {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  return refuse(`--${option} ${text}: expected a whole number of at least ${least}`);
}
