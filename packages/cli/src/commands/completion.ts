import { Argument, Command, type Option } from "commander";
import { parseFile } from "../options/parse.js";
import { writeOut } from "../output/stdout.js";

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
      writeOut(SHELLS[shell]((await loadAll()).map(completedCommand)));
    });
}

/** The completions of a value: a list of words, file names (`file`), or none (`any`). */
type Value = readonly string[] | "file" | "any";

/** Words that a shell suggests for an option or an argument, where a program accepts more. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = {
  "--tiles": ["2,4", "2"],
  shape: ["2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3", "3x4"],
};

/** A command, its options and its argument. */
type CompletedCommand = ReturnType<typeof completedCommand>;
/** An option with its dashes and the value that follows it; `undefined` for a switch. */
type CompletedOption = ReturnType<typeof completedOption>;

/** Describes a command for the completion of a shell. */
function completedCommand(command: Command) {
  const options = command.options.filter(({ hidden, long }) => !hidden && long);
  const help = { long: "--help", value: undefined, description: "display help for command" };
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: [...options.map(completedOption), help],
    argument: argument && completionOf(argument, argument.name()),
  };
}

function completedOption(option: Option) {
  const { required, optional, description } = option;
  const long = option.long as string;
  return {
    long,
    value: required || optional ? completionOf(option, long) : undefined,
    description,
  };
}

function completionOf({ argChoices, parseArg }: Option | Argument, name: string): Value {
  return argChoices ?? SUGGESTED[name] ?? (parseArg === parseFile ? "file" : "any");
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .map(({ long, value }) => `    ${quoted(`${name} ${long}`)}) ${bashValue(value)}; return ;;`),
  );
  const all = commands.map(({ name, options, argument }) => {
    const words = options.map(({ long }) => long).join(" ");
    return `    ${name})
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W ${quoted(words)} -- "$word")); else ${bashValue(argument)}; fi ;;`;
  });
  return `# Completion of gridlock for bash. Load it with: source <(gridlock completion bash)
_gridlock() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted(`${commands.map(({ name }) => name).join(" ")} --help --version`)} -- "$word"))
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

function zshScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, description }) =>
    quoted(`${name}:${description.replaceAll(":", "\\:")}`),
  );
  const all = commands.map(({ name, options, argument }) => {
    const specs = options.map(zshOption);
    if (argument !== undefined) specs.push(quoted(`*:argument:${zshAction(argument)}`));
    return `    ${name})
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

function zshOption({ long, value, description }: CompletedOption): string {
  const text = description.replaceAll(/[[\]:\\]/g, "\\$&");
  const action = value === undefined ? "" : `:value:${zshAction(value)}`;
  return quoted(`${long}[${text}]${action}`);
}

function zshAction(value: Value): string {
  if (value === "file") return "_files";
  return value === "any" ? " " : `(${value.join(" ")})`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, argument }) => {
    const here = `complete -c gridlock -n ${fishQuoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c gridlock -n __fish_use_subcommand -a ${name} -d ${fishQuoted(description)}`,
      ...options.map(
        ({ long, value, description: text }) =>
          `${here} -l ${long.slice(2)}${fishValue(value)} -d ${fishQuoted(text)}`,
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
