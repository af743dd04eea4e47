import { Argument, Command } from "commander";
import { completionFor, SHELLS, type Shell } from "../completion/shells.js";
import { completedCommands } from "../completion/tree.js";
import { writeOut } from "../output/stdout.js";

/**
 * Makes the command.
 *
 * @param loadAll loads all commands
 */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "shell that will load the script").choices(SHELLS))
    .addHelpText(
      "after",
      `
To load the script whenever a shell starts, run one of these once:
  $ gridlock completion bash > ~/.local/share/bash-completion/completions/gridlock
  $ echo 'source <(gridlock completion zsh)' >> ~/.zshrc
  $ gridlock completion fish > ~/.config/fish/completions/gridlock.fish`,
    )
    .action(async (shell: Shell) => {
      writeOut(completionFor(shell, completedCommands(await loadAll())));
    });
}
