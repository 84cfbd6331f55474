/** `wharf completion` in the shells that it is for: each gets the script and completes lines. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { bashScript } from "../../src/cli/completion/bash.ts";
import { fishScript } from "../../src/cli/completion/fish.ts";
import { completedCommand } from "../../src/cli/completion/model.ts";
import { zshScript } from "../../src/cli/completion/zsh.ts";
import { binary } from "../support/binary.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { inTerminal, type InTerminal } from "../support/terminal.ts";

/** Every character that one of the shells could take for its own. */
const strange = `it's: "a" [b] {c} $HOME \`id\` $(id) \\ 100% ~ # & | ; < > * ? ! end`;

/** A program that has what the real one does not. */
const planted = new Command("wharf").addCommand(
  new Command("paint")
    .description(strange)
    .addOption(new Option("-c, --colour <name>", strange).choices(["red", "light blue", "a:b", "it's"]))
    .option("--to <file>", "the file")
    .option("--in <directory>", "the folder")
    .option("--dry", "paint nothing")
    .option("--optional [file]", "perhaps a file")
    .addOption(new Option("--secret", "not shown").hideHelp())
    .argument("<path>", "what to paint"),
);
planted.addCommand(new Command("hollow").description("not shown"), { hidden: true });

const directory = newDirectory();
writeFileSync(join(directory, "wall one.txt"), "");
mkdirSync(join(directory, "windows"));
afterAll(() => removeDirectory(directory));

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;

/** Writes the script of the real program, from the binary, and that of the planted one. */
function scriptFiles(shell: Shell): { real: string; of_planted: string } {
  const [real, of_planted] = ["real", "planted"].map((name) => join(directory, `${name}.${shell}`)) as [
    string,
    string,
  ];
  const { stdout } = Bun.spawnSync([binary(), "completion", shell]);
  writeFileSync(real, stdout);
  writeFileSync(of_planted, scripts[shell](completedCommand(planted)));
  return { real, of_planted };
}

/** What a shell makes of a line when the tabulator is pressed at its end: the new line, and what it lists. */
type Complete = (line: string) => Promise<{ line: string; listed: string }>;

/** Commands that print `<line>` and empty the line at Ctrl-G. */
const preparation = {
  bash: `PS1='ready> '; bind 'set show-all-if-ambiguous on'; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
show() { printf '<%s>\\n' "$READLINE_LINE"; READLINE_LINE=''; }; bind -x '"\\C-g": show'`,
  zsh: `PS1='ready> '; autoload -U compinit; compinit -u -D
show() { print; print -r -- "<$BUFFER>"; BUFFER=''; zle redisplay }; zle -N show; bindkey '^G' show; unsetopt beep`,
};

/** An interactive shell that has read a script. */
async function shellWith(
  shell: "bash" | "zsh",
  script: string,
): Promise<{ complete: Complete; terminal: InTerminal }> {
  const plain = { bash: ["bash", "--norc", "--noprofile", "-i"], zsh: ["zsh", "-f", "-i"] }[shell];
  const terminal = inTerminal(plain, { cwd: directory });
  const first = join(directory, `first.${shell}`);
  writeFileSync(first, `${preparation[shell]}\nsource '${script}'\n`);
  terminal.type(`source '${first}'; echo PREP''ARED\r`);
  await terminal.until(/PREPARED\r?\n/);
  return {
    terminal,
    async complete(line) {
      const before = terminal.shown().length;
      terminal.type(`${line}\t\x07`);
      const pattern = new RegExp(String.raw`^[\s\S]{${before},}<(wharf[^\n]*)>\r?\n`);
      const shown = await terminal.until(pattern);
      const after = shown.slice(before);
      return { line: pattern.exec(shown)![1]!, listed: after.slice(after.indexOf(line) + line.length) };
    },
  };
}

const first_words = ["admin", "backup", "beacon", "completion", "serve", "version"];

describe.each(["bash", "zsh"] as const)("%s", (shell) => {
  const is_missing = lacks(`completion in ${shell}`, shell);
  let real: Awaited<ReturnType<typeof shellWith>>;
  let of_planted: Awaited<ReturnType<typeof shellWith>>;
  beforeAll(async () => {
    if (is_missing) return;
    const files = scriptFiles(shell);
    real = await shellWith(shell, files.real);
    of_planted = await shellWith(shell, files.of_planted);
  });
  afterAll(async () => {
    for (const one of [real, of_planted]) {
      one?.terminal.process.kill("SIGKILL");
      await one?.terminal.process.exited;
    }
  });

  test.skipIf(is_missing).each([
    ["wharf bea", "wharf beacon "],
    ["wharf beacon ver", "wharf beacon verify "],
    ["wharf keys rot", "wharf keys rotate "],
    ["wharf admin reserv", "wharf admin reserve "],
    ["wharf help heal", "wharf help healthcheck "],
    ["wharf completion z", "wharf completion zsh "],
    ["wharf serve --read mem", "wharf serve --read members "],
    ["wharf serve --read=mem", "wharf serve --read=members "],
    ["wharf --read mem", "wharf --read members "],
    ["wharf healthcheck --url http://x:1/ --wa", "wharf healthcheck --url http://x:1/ --wait"],
    ["wharf backup --url http://x:1/ ./win", "wharf backup --url http://x:1/ ./windows/"],
  ])("completes %j to %j", async (line, completed) => {
    expect((await real.complete(line)).line.replace(/(--wait)[= ]$/, "$1")).toBe(completed);
  });

  test.skipIf(is_missing)("lists the commands", async () => {
    const { listed } = await real.complete("wharf ");
    for (const word of first_words) expect(listed).toContain(word);
  });

  test.skipIf(is_missing).each([
    ["wharf paint --colour li", String.raw`wharf paint --colour light\ blue `],
    ["wharf paint -c it", String.raw`wharf paint -c it\'s `],
    ["wharf paint --colour=re", "wharf paint --colour=red "],
    ["wharf paint -c a", "wharf paint -c a:b "],
    ["wharf paint --to w", "wharf paint --to w"],
    ["wharf paint --to wa", String.raw`wharf paint --to wall\ one.txt `],
    ["wharf paint --dry wa", String.raw`wharf paint --dry wall\ one.txt `],
    ["wharf paint --in w", "wharf paint --in windows/"],
    ["wharf hol", "wharf hol"],
    ["wharf paint --sec", "wharf paint --sec"],
    ["wharf paint one wa", "wharf paint one wa"],
  ])("completes %j to %j", async (line, completed) => {
    expect((await of_planted.complete(line)).line).toBe(completed);
  });

  test.skipIf(is_missing)("lists nothing that is hidden, and descriptions as they are", async () => {
    const { listed } = await of_planted.complete("wharf ");
    expect(listed).toContain("help");
    expect(listed).not.toContain("hollow");
    if (shell === "zsh") expect(listed).toContain(strange);
    const options = (await of_planted.complete("wharf paint --")).listed;
    expect(options).toContain("--colour");
    expect(options).not.toContain("--secret");
    if (shell === "zsh") expect(options).toContain(strange);
  });
});

describe("fish", () => {
  const is_missing = lacks("completion in fish", "fish");
  let files: ReturnType<typeof scriptFiles>;
  beforeAll(() => {
    if (!is_missing) files = scriptFiles("fish");
  });

  /** The words that are offered for a line, each with its description. */
  function offered(script: string, line: string): Record<string, string> {
    const { stdout, stderr } = Bun.spawnSync(
      ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line],
      { cwd: directory, env: { PATH: process.env.PATH, HOME: directory, TERM: "dumb" } },
    );
    expect(stderr.toString()).toBe("");
    const lines = stdout.toString().split("\n").filter(Boolean);
    return Object.fromEntries(lines.map((one) => one.split("\t") as [string, string]));
  }

  test.skipIf(is_missing).each([
    ["wharf bea", ["beacon"]],
    ["wharf beacon ver", ["verify"]],
    ["wharf keys ", ["help", "rotate"]],
    ["wharf help heal", ["healthcheck"]],
    ["wharf completion ", ["bash", "fish", "zsh"]],
    ["wharf serve --read ", ["anyone", "members"]],
    ["wharf --read=m", ["--read=members"]],
    ["wharf healthcheck --url http://x:1/ --wa", ["--wait"]],
    ["wharf backup --url http://x:1/ ./win", ["./windows/"]],
  ])("offers for %j: %j", (line, words) => {
    expect(Object.keys(offered(files.real, line))).toEqual(words);
  });

  test.skipIf(is_missing)("offers the commands", () => {
    expect(Object.keys(offered(files.real, "wharf "))).toEqual(expect.arrayContaining(first_words));
  });

  test.skipIf(is_missing).each([
    ["wharf paint --colour ", ["a:b", "it's", "light blue", "red"]],
    ["wharf paint --to wa", ["wall one.txt"]],
    ["wharf paint --in w", ["windows/"]],
    ["wharf paint w", ["wall one.txt", "windows/"]],
    ["wharf paint one w", []],
    ["wharf hol", []],
    ["wharf paint --sec", []],
  ])("offers for %j: %j", (line, words) => {
    expect(Object.keys(offered(files.of_planted, line)).toSorted()).toEqual(words);
  });

  test.skipIf(is_missing)("shows descriptions as they are", () => {
    expect(offered(files.of_planted, "wharf pa")).toEqual({ paint: strange });
    expect(offered(files.of_planted, "wharf paint --colo")).toMatchObject({ "--colour": strange });
  });
});
