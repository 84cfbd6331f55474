/** The completion script for zsh. */

import { allCommands, type CompletedCommand, type CompletedOption, type Value } from "./model.ts";

/** A word for zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** A text within a specification of `_arguments`. */
const escaped = (text: string): string => text.replace(/[\\[\]:]/g, String.raw`\$&`);

const functionOf = ({ words }: CompletedCommand): string =>
  ["_wharf", ...words].join("_").replaceAll("-", "_");

/** Returns the script. `root` is the program. It can be read by a shell, or be the file `_wharf` in a folder of $fpath. */
export const zshScript = (root: CompletedCommand): string => `#compdef wharf
# Completion of wharf for zsh. Written by: wharf completion zsh

${allCommands(root).map(commandFunction).join("\n\n")}

# The first is true if zsh has loaded this file to complete a word.
if [ "\${funcstack[1]}" = _wharf ]; then
  _wharf "$@"
else
  compdef _wharf wharf
fi`;

function commandFunction(command: CompletedCommand): string {
  const { options, arguments: places, commands } = command;
  const specs = options.map(optionSpec);
  if (commands.length === 0) {
    const of_places = places.map((value) => quoted(`:${message(value)}:${action(value)}`));
    return `${functionOf(command)}() {\n  _arguments -S ${[...specs, ...of_places].join(" \\\n    ")}\n}`;
  }
  const names = commands.map(({ words, description }) =>
    quoted(`${words.at(-1)!.replaceAll(":", String.raw`\:`)}:${description.replaceAll("\\", "\\\\")}`),
  );
  const cases = commands.map((child) => `        ${child.words.at(-1)!}) ${functionOf(child)} && found=0 ;;`);
  return `${functionOf(command)}() {
  local context state state_descr line found=1
  typeset -A opt_args
  local -a commands
  commands=(
    ${names.join("\n    ")}
  )
  _arguments -S -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")} && found=0
  case $state in
    command) _describe -t commands command commands && found=0 ;;
    rest)
      case $words[1] in
${cases.join("\n")}
      esac
      ;;
  esac
  return found
}`;
}

function optionSpec({ flags, description, value }: CompletedOption): string {
  const takes = value === null ? "" : `:${message(value)}:${action(value)}`;
  const text = `[${escaped(description)}]${takes}`;
  const spelled = flags.map((flag) =>
    value === null ? flag : `${flag}${flag.startsWith("--") ? "=" : "+"}`,
  );
  // A spelling excludes the others: an option is given once.
  if (spelled.length === 1) return quoted(`${spelled[0]!}${text}`);
  return `${quoted(`(${flags.join(" ")})`)}{${spelled.join(",")}}${quoted(text)}`;
}

const message = (value: Value): string => (typeof value === "string" ? value : "value");

function action(value: Value): string {
  if (value === "file") return "_files";
  if (value === "directory") return "_files -/";
  if (value === "text") return " ";
  return `(${value.map((word) => word.replace(/[\\ :()'"$`;&|<>*?[\]]/g, String.raw`\$&`)).join(" ")})`;
}
