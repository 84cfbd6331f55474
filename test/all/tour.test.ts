/** The scripted tour of the command line: the scripts in `tour`, the completeness of the scripts, and the help of every command. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { defaultOf } from "../../src/cli/completion/model.ts";
import { binary } from "../support/binary.ts";
import { commands, examplesOf, type Known } from "../support/commands.ts";
import { lacks } from "../support/programs.ts";
import { play, stepsOf } from "./tour/player.ts";

const folder = join(import.meta.dir, "tour");
const scripts = [...new Bun.Glob("*.txt").scanSync(folder)].sort();

const no_programs = lacks("the tour of the command line", "curl", "grep", "jq", "openssl", "sed");

describe("the scripts print what they say", () => {
  test.skipIf(no_programs).each(scripts)("%s", (script) => play(join(folder, script), binary()), 600_000);
});

const commandAt = (wanted: string): Known | undefined => commands.find(({ path }) => path === wanted);

/** The option of a command for a word such as `--port`, `--port=1` or `-p`. */
function optionOf({ command }: Known, word: string) {
  const flag = word.replace(/^(--[\w-]+|-[A-Za-z]).*$/s, "$1");
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

/** The command of a command line without `wharf`, and the options among its words. */
function callOf(words: string[]): { path: string; options: string[] } {
  let known = commandAt("wharf")!;
  // Options without a command are those of `serve`.
  if (words[0]?.startsWith("-") && !optionOf(known, words[0])) known = commandAt("wharf serve")!;
  const options: string[] = [];
  for (const word of words) {
    known = commandAt(`${known.path} ${word}`) ?? known;
    if (word.startsWith("-") && !optionOf(known, word)) known = usual(known);
    const option = optionOf(known, word);
    if (option) options.push(option.long ?? option.short!);
  }
  return { path: usual(known).path, options };
}

/** What a group such as `wharf name grants` runs without a further word; the command itself if it is none. */
function usual(known: Known): Known {
  const usual = known.path === "wharf" ? undefined : defaultOf(known.command);
  return (usual && commandAt(`${known.path} ${usual.name()}`)) ?? known;
}

/** The calls of `wharf` in a line for the shell. */
const callsIn = (line: string) =>
  line
    .split(/\|\||&&|[|;()]/)
    .map((part) => Array.from(part.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g), ([word]) => word))
    .filter((words) => words.includes("wharf"))
    .map((words) => callOf(words.slice(words.indexOf("wharf") + 1)));

/** Options that all commands of `wharf admin`, or of the client, get from the same code: one command uses each for all. */
const ofGroup = (option: string): string =>
  option
    .replace(/^(wharf admin) (?:clients )?\S+ (--(?:config|data-dir|url|json))$/, "$1 $2")
    .replace(/^wharf lease \S+ (--room)$/, "wharf lease $1")
    .replace(of_client, "wharf $1");
const of_client =
  /^wharf (?:ask|rooms|open|read|say|close|host|leave|login|inbox|watch|beacon (?:show|toss)|name grants \S+|(?:name|locker|jobs|lease|members|wake|webhook) \S+) (--(?:url|as|json))$/;

describe("the tour is complete", () => {
  const calls = scripts.flatMap((script) =>
    stepsOf(join(folder, script)).flatMap(({ command }) => callsIn(command)),
  );
  const used = new Set(calls.flatMap(({ path, options }) => [path, ...options.map((o) => `${path} ${o}`)]));
  // A group such as `wharf keys` does nothing by itself.
  const actions = commands.filter(({ command }) => command.commands.length === 0);

  test("a script uses every command", () => {
    expect(actions.map(({ path }) => path).filter((path) => !used.has(path))).toEqual([]);
  });

  test("a script uses every option", () => {
    const options = commands.flatMap(({ path, command }) =>
      command.options.map(({ long, short }) => `${path} ${long ?? short}`),
    );
    const used_of_all = new Set(Array.from(used, ofGroup));
    expect(options.filter((option) => !used_of_all.has(ofGroup(option)))).toEqual([]);
  });
});

describe("the help of each command is complete", () => {
  test.each(commands)("$path", ({ path, command }) => {
    expect(command.description()).not.toBe("");
    const described = [...command.options, ...command.registeredArguments];
    expect(described.filter(({ description }) => !description).map((one) => one.name())).toEqual([]);
    const examples = examplesOf(command);
    expect(examples).not.toEqual([]);
    for (const line of examples) {
      // It is a call of this command, or of one below it, and its options exist.
      const [call] = callsIn(line);
      expect(call?.path).toStartWith(path);
      const flags = line.match(/(?<= )--?[a-z][\w-]*/gi) ?? [];
      const { command: called } = commandAt(call!.path)!;
      const known = [...called.options.flatMap(({ long, short }) => [long, short]), "--help"];
      expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
    }
  });
});
