/** How the program explains itself: documents, the help of each command, and what `wharf` alone does. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { document_names, documentText } from "../../src/cli/documents.ts";
import { completedCommand } from "../../src/cli/completion/model.ts";
import { program } from "../../src/cli/program.ts";
import { setting_groups } from "../../src/cli/setting_groups.ts";
import { wharf_command } from "../support/binary.ts";
import { commands, silent_terminal } from "../support/commands.ts";

const root = join(import.meta.dir, "../..");

function run(...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...wharf_command, ...args], {
    env: { PATH: process.env.PATH },
    cwd: root,
  });
  return { printed: stdout.toString(), errors: stderr.toString(), status: exitCode };
}

/** The help of a command, with the texts that are added to it. */
function helpOf(path: string): string {
  let help = "";
  commands
    .find((known) => known.path === path)!
    .command.configureOutput({ writeOut: (text) => void (help += text) })
    .outputHelp();
  return help;
}

describe("documents", () => {
  test("are printed by help, without files beside the program", () => {
    const { printed, errors, status } = run("help", "waking");
    expect([errors, status]).toEqual(["", 0]);
    const file = readFileSync(join(root, "docs/waking.md"), "utf8");
    expect(printed).toStartWith(`${file.split("\n").slice(0, 3).join("\n")}\n`);
    // A link to another of them is the command that prints it.
    expect(printed).toContain("[one wait](wharf help contract)");
    // Of one to a file that the reader may not have, the text remains.
    expect(file).toContain("[test/SOAK.md](../test/SOAK.md)");
    expect(printed).not.toContain("../test/SOAK.md");
    expect(printed).toContain("test/SOAK.md");
  });

  test.each(document_names)("%s has no link to a file", async (name) => {
    const links = [...(await documentText(name))!.matchAll(/\]\(([^()\s][^()]*)\)/g)].map(
      ([, target]) => target!,
    );
    const known = (target: string) =>
      /^https?:/.test(target) || document_names.some((other) => target === `wharf help ${other}`);
    expect(links.filter((target) => !known(target))).toEqual([]);
  });

  test("follow the help of the command with that name", () => {
    const { printed } = run("help", "beacon");
    expect(printed).toStartWith("Usage: wharf beacon");
    expect(printed).toContain("\n# The beacon");
  });

  test("are listed in the help of the program, and completed after help", async () => {
    const help = helpOf("wharf");
    const completed = completedCommand(await program(silent_terminal)).commands.find(
      ({ words }) => words.join(" ") === "help",
    )!;
    for (const name of document_names) {
      const files = [`docs/${name}.md`, `docs/${name}/README.md`];
      expect([name, files.some((file) => existsSync(join(root, file)))]).toEqual([name, true]);
      expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(completed.arguments[0]).toContain(name);
    }
  });

  test("one that does not exist is a usage error with the nearest", () => {
    const { printed, errors, status } = run("help", "wakin");
    expect([printed, status]).toEqual(["", 2]);
    expect(errors).toContain("The nearest is 'waking'");
  });
});

test.each([
  [["say"], "missing required argument 'room'. See 'wharf say --help'."],
  [["jobs", "post", "x"], "missing required argument 'detail'. See 'wharf jobs post --help'."],
  [["admin", "ban"], "required option '--reason <text>' not specified. See 'wharf admin ban --help'."],
  [
    ["watch", "--all", "--inbox"],
    "use one of --room, --inbox and --all, and only one. See 'wharf watch --help'.",
  ],
])("%j points to the help of its command", (args, said) => {
  expect(run(...args)).toEqual({ printed: "", errors: `wharf: ${said}\n`, status: 2 });
});

test.each(["name claim", "jobs post", "beacon toss"])("help %s prints the help of that command", (path) => {
  const words = path.split(" ");
  const helped = run("help", ...words);
  expect(helped).toMatchObject({ errors: "", status: 0 });
  expect(helped.printed).toStartWith(`Usage: wharf ${path} `);
  expect(helped).toEqual(run(...words, "--help"));
});

test.each([
  [
    ["help", "jobs", "pots"],
    "there is no command 'jobs pots'. The nearest is 'jobs post'; 'wharf --help' lists all.",
  ],
  [["help", "say", "more"], "'wharf say' has no commands. See 'wharf say --help'."],
])("%j is a usage error", (args, said) => {
  expect(run(...args)).toEqual({ printed: "", errors: `wharf: ${said}\n`, status: 2 });
});

test("watch --help says what excludes what", () => {
  const help = helpOf("wharf watch");
  expect(help).toContain("one of --room, --inbox and --all, which exclude each other");
  expect(help).toContain("--wait is for --once");
});

test.each(["-v", "-V", "--version", "version"])("wharf %s prints the version", (word) => {
  expect(run(word)).toEqual({ printed: run("version").printed, errors: "", status: 0 });
  expect(run(word).printed).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("serve --help has its options in groups, and names the variables once", () => {
  const help = helpOf("wharf serve");
  for (const group of new Set(Object.values(setting_groups))) expect(help).toContain(`\n${group}\n  -`);
  expect(help).toContain("--port is WHARF_PORT");
  expect(help.split("\n").length).toBeLessThan(182);
});

test("the help says what wharf does without a command", () => {
  expect(helpOf("wharf")).toContain("Without a command it runs the service: 'wharf' is 'wharf serve'");
});
