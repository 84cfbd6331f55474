/** The completion script for bash, from version 3.2 on (paths: from 4 on). */

import { allCommands, type CompletedCommand, type Value } from "./model.ts";

/** A word for bash. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const list = (words: readonly string[]): string => `(${words.map(quoted).join(" ")})`;

/** Returns the script. `root` is the program. */
export const bashScript = (
  root: CompletedCommand,
): string => `# Completion of wharf for bash. Written by: wharf completion bash

# Sets what can follow the command $1: its words, joined by a space.
_wharf_command() {
  commands=() options=()
  case $1 in
${allCommands(root).map(commandCase).join("\n")}
  esac
}

# Sets what the option $2 of the command $1 takes: file, directory, text, or the words in choices; nothing for a switch.
_wharf_value() {
  value='' choices=()
  case "$1 $2" in
${allCommands(root).flatMap(valueCases).join("\n")}
  esac
}

# Completes $cur by what can stand there.
_wharf_offer() {
  local word
  case $1 in
    file) compopt -o default 2>/dev/null ;;
    directory) compopt -o dirnames 2>/dev/null ;;
    words)
      shift
      for word in "$@"; do
        [[ $word == "$cur"* ]] || continue
        printf -v word %q "$word"
        COMPREPLY+=("$prefix$word")
      done
      ;;
  esac
}

_wharf() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prefix='' path='' option='' value='' joined='' ended='' index word name at=0
  local -a commands options choices
  COMPREPLY=()
  _wharf_command ''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    # Bash splits words at these characters: --read=anyone, http://localhost.
    if [[ $word == [:=]* ]]; then joined=1; continue; fi
    if [[ $joined ]]; then joined='' option=''; continue; fi
    if [[ $option ]]; then option=''; continue; fi
    if [[ $ended || $word != -?* ]]; then
      for name in "\${commands[@]}"; do
        [[ ! $ended && $name == "$word" ]] && { path="\${path:+$path }$word"; at=-1; break; }
      done
      if ((at < 0)); then _wharf_command "$path"; at=0; else ((at += 1)); fi
    elif [[ $word == -- ]]; then ended=1
    else
      _wharf_value "$path" "$word"
      [[ $value ]] && option=$word
    fi
  done
  if [[ $option && $cur == = ]]; then cur=''
  elif [[ ! $option && $cur == --*=* ]]; then option=\${cur%%=*} prefix="\${cur%%=*}=" cur=\${cur#*=}
  elif [[ $joined && ! $option ]]; then return
  fi
  if [[ $option ]]; then
    _wharf_value "$path" "$option"
    _wharf_offer "$value" "\${choices[@]}"
  elif [[ $cur == -* && ! $ended ]]; then
    _wharf_offer words "\${options[@]}"
  elif ((\${#commands[@]} > 0 && at == 0)); then
    _wharf_offer words "\${commands[@]}"
  else
    _wharf_value "$path" "$at"
    _wharf_offer "$value" "\${choices[@]}"
  fi
}

complete -F _wharf wharf`;

function commandCase({ words, commands, options }: CompletedCommand): string {
  const names = commands.map((child) => child.words.at(-1)!);
  const flags = options.flatMap((option) => option.flags);
  return `    ${quoted(words.join(" "))}) commands=${list(names)} options=${list(flags)} ;;`;
}

/** The options of a command that take a value, and its arguments, by their places. */
function valueCases({ words, options, arguments: places }: CompletedCommand): string[] {
  const taking: [string[], Value | null][] = [
    ...options.map(({ flags, value }): [string[], Value | null] => [flags, value]),
    ...places.map((value, at): [string[], Value] => [[String(at)], value]),
  ];
  return taking.flatMap(([names, value]) => {
    if (value === null) return [];
    const patterns = names.map((name) => quoted(`${words.join(" ")} ${name}`)).join(" | ");
    const sets = typeof value === "string" ? `value=${value}` : `value=words choices=${list(value)}`;
    return [`    ${patterns}) ${sets} ;;`];
  });
}
