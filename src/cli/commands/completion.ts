/** `wharf completion`: prints the script by which a shell completes the words of this program. */

import { Argument, Command } from "commander";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { completedCommand, type CompletedCommand } from "../completion/model.ts";
import { zshScript } from "../completion/zsh.ts";
import { withExamples, type Terminal } from "../terminal.ts";

const scripts: Record<string, (root: CompletedCommand) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const installation = `
Install it for new shells:
  bash: wharf completion bash > ~/.local/share/bash-completion/completions/wharf
        Without the package bash-completion, write it to another file and add to ~/.bashrc: source FILE
  zsh:  wharf completion zsh > DIRECTORY/_wharf, where DIRECTORY is in $fpath before compinit runs
        Or write it to another file and add to ~/.zshrc, below compinit: source FILE
  fish: wharf completion fish > ~/.config/fish/completions/wharf.fish
Write it again after an update of wharf: the script is static, and starts no program.`;

export function completionCommand(terminal: Terminal): Command {
  const command = new Command("completion")
    .description("print a script by which a shell completes commands, options and their values")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .addHelpText("after", installation)
    .action((shell: string) => terminal.print(scripts[shell]!(completedCommand(command.parent!))));
  return withExamples(command, "wharf completion bash", "wharf completion fish");
}
