import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { expectDatabase, MEMORY } from "@gridlock/store";
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../exit.js";
import { valuesOf } from "./effects.js";

/*
 * All paths on the command line and in variables, by one rule, which docs/commands.md states. A
 * parser refuses an empty path; `expectPaths` looks at the rest once all options are known, before
 * the command does anything.
 */

/** The parsers of paths, each with the reason why a path cannot be used, if there is one. */
const PATHS = new Map<unknown, (path: string) => string | undefined>();

/**
 * Makes a parser of paths.
 *
 * @param isMade whether the file or folder may not exist yet; then it must lie in a folder that
 *   does
 */
function parserOf(kind: "file" | "folder", isMade: boolean) {
  const parse = (text: string) => {
    if (text.trim() !== "") return text;
    throw new InvalidArgumentError(`expected the name of a ${kind}, not "${text}".`);
  };
  PATHS.set(parse, (path) => whyNot(kind, path, isMade));
  return parse;
}

const parseDatabase = parserOf("file", true);
/** Parses the name of a folder to write to. */
export const parseFolder = parserOf("folder", true);

function whyNot(kind: "file" | "folder", path: string, isMade: boolean): string | undefined {
  const stats = statsIfAny(path);
  const found = stats?.isDirectory() ? "folder" : "file";
  if (stats) return found === kind ? undefined : `it is a ${found}; expected a ${kind}`;
  if (!isMade) return `there is no such ${kind}`;
  const above = dirname(path);
  if (statsIfAny(above)?.isDirectory()) return undefined;
  return `there is no folder ${above}; make it first`;
}

/** Returns a path's attributes, if they can be read; whoever opens it reports why they cannot. */
function statsIfAny(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const optionOf = (parser: (text: string) => string) => (flags: string, description: string) =>
  new Option(flags, description).argParser(parser);

/** Makes the option of a file to write. */
export const fileOption = optionOf(parserOf("file", true));
/** Makes the option of a file to read. */
export const existingFileOption = optionOf(parserOf("file", false));
/** Makes the option of a folder to write to. */
export const folderOption = optionOf(parseFolder);
/** Makes the option of a folder to read. */
export const existingFolderOption = optionOf(parserOf("folder", false));
/** Makes the option of a database. */
export const databaseOption = (flags: string, description: string) =>
  optionOf(parseDatabase)(flags, description).env("GRIDLOCK_DB");

/**
 * Checks the paths that a command was given, and its default ones where they must not be another
 * program's files.
 *
 * @throws {UsageError} for the first path that cannot be used
 * @throws {StoreError} if a database is another program's file
 */
export function expectPaths(command: Command): void {
  for (const { name, path, parser, isDefault } of pathsOf(command)) {
    if (path === MEMORY && parser === parseDatabase) continue;
    const reason = isDefault ? undefined : PATHS.get(parser)?.(path); // default folders are made
    if (reason !== undefined) throw new UsageError(`${name} ${path} cannot be used: ${reason}`);
    if (parser === parseDatabase) expectDatabase(path);
  }
}

function* pathsOf(command: Command) {
  for (const { option, value: path, source, name } of valuesOf(command)) {
    if (!PATHS.has(option.parseArg) || typeof path !== "string") continue;
    yield { name, path, parser: option.parseArg, isDefault: source === "default" };
  }
  for (const [i, argument] of command.registeredArguments.entries()) {
    const path: unknown = command.processedArgs[i];
    if (!PATHS.has(argument.parseArg) || typeof path !== "string") continue;
    yield {
      name: argument.name().toUpperCase(),
      path,
      parser: argument.parseArg,
      isDefault: false,
    };
  }
}
