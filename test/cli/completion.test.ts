/** What `wharf completion` finds in the program: nothing is listed by hand. The shells themselves are in test/all/completion.test.ts. */

import { describe, expect, test } from "bun:test";
import { Command, Option } from "commander";
import { program } from "../../src/cli/program.ts";
import { bashScript } from "../../src/cli/completion/bash.ts";
import { fishScript } from "../../src/cli/completion/fish.ts";
import { allCommands, completedCommand } from "../../src/cli/completion/model.ts";
import { zshScript } from "../../src/cli/completion/zsh.ts";
import { silent_terminal } from "../support/commands.ts";

const root = completedCommand(await program(silent_terminal));
const all = allCommands(root);
const optionOf = (path: string, flag: string) =>
  all.find(({ words }) => words.join(" ") === path)!.options.find(({ flags }) => flags.includes(flag));

test("finds the words of a setting, the paths, and what takes any text", () => {
  expect(optionOf("serve", "--read")?.value).toEqual(["anyone", "members"]);
  expect(optionOf("serve", "--log-format")?.value).toEqual(["json", "text"]);
  expect(optionOf("jobs ls", "--state")?.value).toEqual(["open", "held", "delivered", "withdrawn"]);
  expect(optionOf("serve", "-d")?.value).toBe("directory");
  expect(optionOf("keys rotate", "--config")?.value).toBe("file");
  expect(optionOf("serve", "--port")?.value).toBe("text");
  expect(optionOf("serve", "--no-rate-limit")?.value).toBeNull();
});

test("offers the options of the default command without its name, each once", () => {
  const flags = root.options.flatMap((option) => option.flags);
  expect(flags).toContain("--port");
  expect(flags.filter((flag) => flag === "--help")).toHaveLength(1);
});

test("offers the names of commands after help, in each group", () => {
  const help = all.find(({ words }) => words.join(" ") === "keys help")!;
  expect(help.arguments).toEqual([["rotate"]]);
});

test("leaves out what is hidden, at every level", () => {
  const inner = new Command("inner").addCommand(new Command("deep"), { hidden: true });
  inner.addOption(new Option("--hidden-option").hideHelp()).option("--shown", "shown");
  const planted = completedCommand(
    new Command("wharf").addCommand(inner).addCommand(new Command("gone"), { hidden: true }),
  );
  const names = allCommands(planted).flatMap(({ words, options }) => [
    ...words,
    ...options.flatMap(({ flags }) => flags),
  ]);
  expect(names).toContain("--shown");
  for (const word of ["deep", "gone", "--hidden-option"]) expect(names).not.toContain(word);
});

describe.each([
  ["bash", bashScript(root), (flag: string) => `'${flag}'`],
  ["zsh", zshScript(root), (flag: string) => flag],
  ["fish", fishScript(root), (flag: string) => flag.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s ")],
] as const)("the script for %s", (_shell, script, spelled) => {
  test("has every command and every option", () => {
    const missing = all.flatMap(({ words, options }) => [
      ...words.filter((word) => !script.includes(word)),
      ...options.flatMap(({ flags }) => flags.filter((flag) => !script.includes(spelled(flag)))),
    ]);
    expect(missing).toEqual([]);
  });

  test("starts no program", () => {
    expect(script).not.toMatch(/\$\(wharf|`wharf|\bwharf \S+ *[<|]/);
  });
});
