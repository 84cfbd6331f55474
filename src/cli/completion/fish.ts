/** The completion script for fish, from version 3.1 on. */

import { allCommands, type CompletedCommand, type CompletedOption, type Value } from "./model.ts";

/** A word for fish. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

const at = ({ words }: CompletedCommand, place = ""): string =>
  ` -n ${quoted(`__wharf_at ${quoted(words.join(" "))}${place}`)}`;

/** Returns the script. `root` is the program. */
export function fishScript(root: CompletedCommand): string {
  const all = allCommands(root);
  const with_value = all.flatMap(({ words, options }) =>
    options
      .filter(({ value }) => value !== null)
      .flatMap(({ flags }) => flags.map((flag) => [...words, flag].join(" "))),
  );
  const paths = all.map(({ words }) => words.join(" ")).filter((path) => path !== "");
  return `# Completion of wharf for fish. Written by: wharf completion fish

set -g __wharf_commands ${paths.map(quoted).join(" ")}
set -g __wharf_options_with_value ${with_value.map(quoted).join(" ")}

# Whether the words before the cursor are the command $argv[1], followed by $argv[2] arguments if that is given.
function __wharf_at
    set -l path
    set -l arguments 0
    set -l skip 0
    set -l ended 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '-?*' "$word"
            contains -- (string join -- ' ' $path $word) $__wharf_options_with_value; and set skip 1
        else if test $ended = 0; and test $arguments = 0; and contains -- (string join -- ' ' $path $word) $__wharf_commands
            set -a path $word
        else
            set arguments (math $arguments + 1)
        end
    end
    test "$path" = "$argv[1]"; or return 1
    test (count $argv) = 1; or test $arguments = $argv[2]
end

complete -c wharf -e
complete -c wharf -f
${all.flatMap(linesOf).join("\n")}`;
}

const linesOf = (command: CompletedCommand): string[] => [
  ...command.commands.map(
    ({ words, description }) =>
      `complete -c wharf${at(command, " 0")} -a ${quoted(words.at(-1)!)} -d ${quoted(description)}`,
  ),
  ...command.options.map((option) => `complete -c wharf${at(command)}${optionFlags(option)}`),
  ...command.arguments.flatMap((value, place) =>
    value === "text" ? [] : [`complete -c wharf${at(command, ` ${place}`)}${taken(value)}`],
  ),
];

function optionFlags({ flags, description, value }: CompletedOption): string {
  const spelled = flags.map((flag) =>
    flag.startsWith("--") ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
  );
  const takes = value === null ? "" : ` -r${taken(value)}`;
  return `${spelled.join("")}${takes} -d ${quoted(description)}`;
}

function taken(value: Value): string {
  if (value === "file") return " -F";
  if (value === "text") return " -f";
  if (value === "directory") return ` -f -a ${quoted("(__fish_complete_directories)")}`;
  return ` -f -a ${quoted(value.map(quoted).join(" "))}`;
}
