import { PLACERS, PLAYER_KINDS } from "@gridlock/players";
import { USUAL } from "@gridlock/tablebase";
import { Argument, Command, Help, type Option } from "commander";
import { PATHS } from "../options/paths.js";
import { writeOut } from "../output/print.js";

/** The shells that completion scripts are made for, and what makes them. */
const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * Makes the command.
 *
 * @param loadAll loads all commands
 */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(
      new Argument("<shell>", "shell that will load the script").choices(Object.keys(SHELLS)),
    )
    .addHelpText(
      "after",
      `
To load the script whenever a shell starts, run one of these once:
  $ gridlock completion bash > ~/.local/share/bash-completion/completions/gridlock
  $ echo 'source <(gridlock completion zsh)' >> ~/.zshrc
  $ gridlock completion fish > ~/.config/fish/completions/gridlock.fish`,
    )
    .action(async (shell: keyof typeof SHELLS) => {
      writeOut(SHELLS[shell](await loadAll()));
    });
}

/** The completions of a value: a list of words, file names (`file`), or none (`any`). */
type Value = readonly string[] | "file" | "any";

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

/** Returns the completions of what follows an option; `undefined` for a switch. */
function afterOption(option: Option): Value | undefined {
  const { required, optional, long } = option;
  return required || optional ? completionOf(option, long as string) : undefined;
}

/** Returns the completions of a command's arguments, if it has any: those of all, or its subcommands. */
function argumentOf({ registeredArguments, commands }: Command): Value | undefined {
  if (commands.length > 0) return commands.map((command) => command.name());
  const values = registeredArguments.map((argument) => completionOf(argument, argument.name()));
  const words = values.filter((value) => typeof value !== "string");
  return words.length > 0 ? words.flat() : values[0];
}

function completionOf({ argChoices, parseArg }: Option | Argument, name: string): Value {
  return argChoices ?? SUGGESTED[name] ?? (PATHS.has(parseArg) ? "file" : "any");
}

function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    optionsOf(command).flatMap((option) => {
      const value = afterOption(option);
      const place = quoted(`${command.name()} ${option.long}`);
      return value === undefined ? [] : [`    ${place}) ${bashValue(value)}; return ;;`];
    }),
  );
  const all = commands.map((command) => {
    const words = optionsOf(command).map(({ long }) => long);
    return `    ${command.name()})
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$word")); else ${bashValue(argumentOf(command))}; fi ;;`;
  });
  return `# Completion of gridlock for bash. Load it with: source <(gridlock completion bash)
_gridlock() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted(`${commands.map((command) => command.name()).join(" ")} --help --version`)} -- "$word"))
    return
  fi
  # bash takes --option=value for three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  case "$command $before" in
${values.join("\n")}
  esac
  case $command in
${all.join("\n")}
  esac
}
complete -F _gridlock gridlock
`;
}

/** Returns the statement of bash that completes a value. */
function bashValue(value: Value | undefined): string {
  if (value === "file") {
    return 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")';
  }
  if (value === undefined || value === "any") return ":";
  return `COMPREPLY=($(compgen -W ${quoted(value.join(" "))} -- "$word"))`;
}

function zshScript(commands: readonly Command[]): string {
  const names = commands.map((command) =>
    quoted(`${command.name()}:${command.description().replaceAll(":", "\\:")}`),
  );
  const all = commands.map((command) => {
    const specs = optionsOf(command).map(zshOption);
    const argument = argumentOf(command);
    if (argument !== undefined) specs.push(quoted(`*:argument:${zshAction(argument)}`));
    return `    ${command.name()})
      _arguments ${specs.join(" \\\n        ")} ;;`;
  });
  return `#compdef gridlock
# Completion of gridlock for zsh. Load it with: source <(gridlock completion zsh)
_gridlock() {
  local -a commands
  commands=(
    ${names.join("\n    ")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${all.join("\n")}
  esac
}
# A function that zsh loads by itself is to run; one that is sourced, to be registered.
if [[ $funcstack[1] == _gridlock ]]; then _gridlock "$@"; else compdef _gridlock gridlock; fi
`;
}

function zshOption(option: Option): string {
  const text = option.description.replaceAll(/[[\]:\\]/g, "\\$&");
  const value = afterOption(option);
  const action = value === undefined ? "" : `:value:${zshAction(value)}`;
  return quoted(`${option.long}[${text}]${action}`);
}

function zshAction(value: Value): string {
  if (value === "file") return "_files";
  return value === "any" ? " " : `(${value.join(" ")})`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const name = command.name();
    const here = `complete -c gridlock -n ${fishQuoted(`__fish_seen_subcommand_from ${name}`)}`;
    const argument = argumentOf(command);
    return [
      `complete -c gridlock -n __fish_use_subcommand -a ${name} -d ${fishQuoted(command.description())}`,
      ...optionsOf(command).map(
        (option) =>
          `${here} -l ${option.long?.slice(2)}${fishValue(afterOption(option))} -d ${fishQuoted(option.description)}`,
      ),
      ...(argument === "file" ? [`${here} -F`] : []),
      ...(Array.isArray(argument) ? [`${here} -a ${fishQuoted(argument.join(" "))}`] : []),
    ];
  });
  return `# Completion of gridlock for fish. Load it with: gridlock completion fish | source
complete -c gridlock -e
complete -c gridlock -f
${lines.join("\n")}
`;
}

function fishValue(value: Value | undefined): string {
  if (value === undefined) return "";
  if (value === "file") return " -r -F";
  return value === "any" ? " -x" : ` -x -a ${fishQuoted(value.join(" "))}`;
}

/** Quotes a text for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text for fish. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
