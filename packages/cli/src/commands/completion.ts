import { PLACERS, PLAYER_KINDS } from "@gridlock/players";
import { USUAL } from "@gridlock/tablebase";
import { Argument, Command, Help, type Option } from "commander";
import { writeOut } from "../output/print.js";

/** Completion scripts by shell. Where the command suggests nothing, the shell suggests files. */
const SCRIPTS = {
  bash: `# Completion of gridlock for bash. Load it with: source <(gridlock completion bash)
_gridlock() {
  mapfile -t COMPREPLY < <("$1" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _gridlock gridlock
`,
  zsh: `#compdef gridlock
# Completion of gridlock for zsh. Load it with: source <(gridlock completion zsh)
_gridlock() {
  local -a found=("\${(@f)$($words[1] completion zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n $found ]]; then _describe gridlock found; else _files; fi
}
# A function that zsh loads by itself is to run; one that is sourced, to be registered.
if [[ $funcstack[1] == _gridlock ]]; then _gridlock "$@"; else compdef _gridlock gridlock; fi
`,
  fish: `# Completion of gridlock for fish. Load it with: gridlock completion fish | source
function __gridlock_suggest
  set -l words (commandline -opc)
  gridlock completion fish -- $words[2..] "$(commandline -ct)" 2> /dev/null
end
complete -c gridlock -e
complete -c gridlock -a '(__gridlock_suggest)'
`,
} as const;
type Shell = keyof typeof SCRIPTS;

/** A word, and the description that goes with it in a shell that shows it. */
type Suggestion = readonly [word: string, description: string];

/** Formats a suggestion as a shell reads it. */
const LINES: Readonly<Record<Shell, (suggestion: Suggestion) => string>> = {
  bash: ([word]) => word,
  zsh: (suggestion) => suggestion.map((text) => text.replaceAll(":", "\\:")).join(":"),
  fish: (suggestion) => suggestion.join("\t"),
};

/**
 * Makes the command.
 *
 * @param load loads all commands, or the one with a name
 */
export function completionCommand(load: (name?: string) => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(
      new Argument("<shell>", "shell that will load the script").choices(Object.keys(SCRIPTS)),
    )
    .argument(
      "[words...]",
      "what follows gridlock on a command line: print suggestions for its last word",
    )
    .addHelpText(
      "after",
      `
To load the script whenever a shell starts, run one of these once:
  $ gridlock completion bash > ~/.local/share/bash-completion/completions/gridlock
  $ echo 'source <(gridlock completion zsh)' >> ~/.zshrc
  $ gridlock completion fish > ~/.config/fish/completions/gridlock.fish`,
    )
    .action(async (shell: Shell, words: readonly string[]) => {
      if (words.length === 0) return writeOut(SCRIPTS[shell]);
      const commands = await load(words.length > 1 ? words[0] : undefined);
      const lines = suggestionsFor(commands, words).map(LINES[shell]);
      writeOut(lines.map((line) => `${line}\n`).join(""));
    });
}

/** Returns suggestions for the last word typed; bash takes `--option=value` for three words. */
function suggestionsFor(
  commands: readonly Command[],
  [name, ...words]: readonly string[],
): Suggestion[] {
  const typed = words.at(-1);
  if (typed === undefined) {
    const named = commands.map((command): Suggestion => [command.name(), command.description()]);
    return beginning(name, [...named, ["--help", ""], ["--version", ""]]);
  }
  const command = commands.find((one) => one.name() === name);
  if (command === undefined) return [];
  const options = optionsOf(command);
  const [, start = "", long, part] = /^((--[\w-]+)=)(.*)$/.exec(typed) ?? [];
  const isSplit = typed === "=" || words.at(-2) === "=";
  const before = long ?? (typed === "=" ? words.at(-2) : words.at(isSplit ? -3 : -2));
  const value = valuesOf(options.find((option) => option.long === before));
  if (value) {
    const given = typed === "=" ? "" : (part ?? typed);
    return beginning(
      start + given,
      value.map((word) => [start + word, ""]),
    );
  }
  if (!typed.startsWith("-"))
    return beginning(
      typed,
      argumentsOf(command).map((word) => [word, ""]),
    );
  return beginning(
    typed,
    options.map(({ long, description }) => [long as string, description]),
  );
}

function beginning(start = "", all: readonly Suggestion[]): Suggestion[] {
  return all.filter(([word]) => word.startsWith(start));
}

/** Words that a shell suggests for an option or an argument, where a program accepts more. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = {
  "--tiles": ["2,4", "2"],
  "--player": PLAYER_KINDS.flatMap(({ names }) => names),
  "--placer": Object.keys(PLACERS),
  shape: ["2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3", "3x4"],
  variants: USUAL,
};

/** Returns the options that the help of a command, and of its subcommands, lists. */
function optionsOf(command: Command): Option[] {
  const all = [command, ...command.commands].flatMap((one) => new Help().visibleOptions(one));
  return [...new Map(all.map((option) => [option.long, option])).values()];
}

/** Returns the words to suggest for the value of an option; `undefined` for a switch. */
function valuesOf(option: Option | undefined): readonly string[] | undefined {
  return option?.required || option?.optional ? wordsOf(option, `${option.long}`) : undefined;
}

/** Returns the words to suggest for a command's arguments: those of all, or its subcommands. */
function argumentsOf({ registeredArguments, commands }: Command): readonly string[] {
  if (commands.length > 0) return commands.map((command) => command.name());
  return registeredArguments.flatMap((argument) => wordsOf(argument, argument.name()));
}

function wordsOf({ argChoices }: Option | Argument, name: string): readonly string[] {
  return argChoices ?? SUGGESTED[name] ?? [];
}
