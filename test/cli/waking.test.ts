/**
 * The recipes of docs/waking.md, against stand-ins of the documented interfaces of their hosts, as of November 2026:
 * - Claude Code, code.claude.com/docs/en/headless: `claude -p PROMPT --allowedTools RULES`.
 * - Codex, developers.openai.com/codex/noninteractive: `codex exec PROMPT` takes standard input too.
 * - Gemini CLI, geminicli.com/docs/cli/headless: `gemini -p PROMPT`.
 * - crontab(5) and systemd.service(5), systemd.timer(5).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { wharf_command } from "../support/binary.ts";
import { clientOf } from "../support/client.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startSource, type TestService } from "../support/service.ts";
import { environmentOf, startWatch } from "../support/watchers.ts";

const docs = join(import.meta.dir, "../../docs");
const recipes = join(docs, "recipes/waking");
const recipe = (name: string): string => readFileSync(join(recipes, name), "utf8");

const root = newDirectory();
let service: TestService;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  bob = await claim(service.url, "Bob");
});
afterAll(async () => {
  await service.stop();
  removeDirectory(root);
});

let count = 0;
let ada: Holder;
let home: string;
let env: Record<string, string>;
/** A home with `wharf` on the path and the scripts where the recipes expect them. */
beforeEach(async () => {
  ada = await claim(service.url, `Ada-${++count}`);
  home = join(root, String(count));
  const [programs, scripts] = [join(home, "bin"), join(home, ".local/share/wharf")];
  for (const folder of [programs, scripts, join(home, "project")]) mkdirSync(folder, { recursive: true });
  cpSync(join(recipes, "wake-agent.sh"), join(scripts, "wake-agent.sh"));
  env = environmentOf(home, service.url, ada);
  env["PATH"] = `${programs}:${env["PATH"]}`;
  await program("wharf", `exec ${wharf_command.map((word) => `'${word}'`).join(" ")} "$@"`);
});

async function program(name: string, text: string): Promise<void> {
  const file = join(home, "bin", name);
  await Bun.write(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

/** Bob mentions Ada in a new room. Returns the room. */
async function mention(): Promise<string> {
  const client = clientOf(service.url, bob);
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal: "Talk", name: "Bob" } }));
  const body = { name: "Bob", body: `@${ada.name}, look` };
  await orThrow(client.post("/api/meet/rooms/{room}/posts", { path: { room: slug }, body }));
  return slug;
}

async function run(command: string[], input = "", cwd = home) {
  const child = Bun.spawn(command, { env, cwd, stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}

describe("wake-agent.sh", () => {
  /** An agent that writes its words and its input into files, and answers in the rooms. */
  const agent = `printf '%s\\n' "$@" >"$HOME/words"; pwd >"$HOME/folder"; cat >"$HOME/input"
for room in $WHARF_ROOMS; do wharf say "$room" "On it." >/dev/null; done`;
  /** That the agent was started with what is new, and could answer. Returns its words, without the prompt. */
  async function started(room: string): Promise<string[]> {
    const { notes } = JSON.parse(await Bun.file(join(home, "input")).text()) as { notes: { room: string }[] };
    expect(notes.map((note) => note.room)).toEqual([room]);
    const read = await orThrow(clientOf(service.url).get("/api/meet/rooms/{room}", { path: { room } }));
    expect(read.posts.map(({ name, claimed, body }) => [name, claimed, body]).at(-1)).toEqual([
      ada.name,
      true,
      "On it.",
    ]);
    expect((await readMailbox(service.url, ada)).unread).toBe(0);
    const words = await Bun.file(join(home, "words")).text();
    const prompt = /^You are .*? if that helps\.$/ms.exec(words)![0];
    expect(prompt).toContain(`You are ${ada.name} on ${service.url}.`);
    return words.replace(prompt, "PROMPT").trimEnd().split("\n");
  }

  test.each([
    ["claude", ["-p", "PROMPT", "--allowedTools", "Bash(wharf *)"]],
    [
      "codex",
      [
        ...["exec", "--sandbox", "workspace-write", "-c", "sandbox_workspace_write.network_access=true"],
        ...["--skip-git-repo-check", "PROMPT"],
      ],
    ],
    ["gemini", ["-p", "PROMPT"]],
  ])("starts %s with what is new", async (name, words) => {
    await program(name, agent);
    const room = await mention();
    const script = join(home, ".local/share/wharf/wake-agent.sh");
    const watched = ["watch", "--inbox", "--once", "--ack", "--", script, name];
    expect(await run(["wharf", ...watched])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(await started(room)).toEqual(words);
  });

  test("is started by cron every five minutes", async () => {
    await program("claude", agent);
    const lines = recipe("crontab")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const [path, job, ...more] = lines;
    expect(more).toEqual([]);
    const [, value] = /^PATH=(.*)$/.exec(path!)!;
    const [, times, command] = /^((?:\S+ ){5})(.*)$/.exec(job!)!;
    expect(times).toBe("*/5 * * * * ");
    // cron would end the command there.
    expect(command).not.toContain("%");
    env["PATH"] = value!.replace("/usr/local/bin", `${home}/bin`);
    env["SHELL"] = "/bin/sh";
    expect((await run(["/bin/sh", "-c", command!])).status).toBe(4);
    const room = await mention();
    expect(await run(["/bin/sh", "-c", command!])).toEqual({ status: 0, stdout: "", stderr: "" });
    await started(room);
    expect(await Bun.file(join(home, "folder")).text()).toBe(`${home}/project\n`);
  });

  /** The settings of a unit by their names, with the paths of this home. */
  function unit(name: string): Map<string, string> {
    const lines = recipe(name).matchAll(/^(\w+)=(.*)$/gm);
    return new Map(
      Array.from(lines, ([, key, value]) => [
        key!,
        value!.replaceAll("%h", home).replace("/usr/local/bin", `${home}/bin`),
      ]),
    );
  }

  test("is started by a service of systemd, which SIGTERM ends in order", async () => {
    // It gets the signal, too, and ends when it is done.
    await program("claude", `trap "" TERM\n${agent}\necho started`);
    const settings = unit("wharf-watch.service");
    const [wharf, watch, ...words] = settings.get("ExecStart")!.split(" ");
    expect([wharf, watch, settings.get("WorkingDirectory")]).toEqual([
      `${home}/bin/wharf`,
      "watch",
      `${home}/project`,
    ]);
    const watcher = startWatch(env, ...words);
    const room = await mention();
    expect(await watcher.line()).toBe("started");
    watcher.process.kill("SIGTERM");
    expect(await watcher.ended).toBe(0);
    await started(room);
  });

  test("is started by a timer of systemd if something is new", async () => {
    await program("claude", agent);
    const settings = unit("wharf-look.service");
    const command = settings.get("ExecStart")!.split(" ");
    const allowed = [0, Number(settings.get("SuccessExitStatus"))];
    const { status } = await run(command, "", settings.get("WorkingDirectory"));
    expect([settings.get("Type"), status, allowed.includes(status)]).toEqual(["oneshot", 4, true]);
    const room = await mention();
    expect((await run(command, "", settings.get("WorkingDirectory"))).status).toBe(0);
    await started(room);
  });
});

test.skipIf(lacks("the units of systemd that start agents", "systemd-analyze"))(
  "systemd knows every line of the units",
  async () => {
    const names = readdirSync(recipes).filter((name) => /\.(?:service|timer)$/.test(name));
    expect(names).toHaveLength(3);
    for (const name of names) {
      await Bun.write(join(home, name), recipe(name).replace("/usr/local/bin/wharf", process.execPath));
    }
    env["XDG_RUNTIME_DIR"] = home;
    const { status, stderr } = await run([
      "systemd-analyze",
      "--user",
      "verify",
      ...names.map((name) => join(home, name)),
    ]);
    expect([status, stderr]).toEqual([0, ""]);
  },
);

test.skipIf(lacks("the scripts that wake agents", "shellcheck"))(
  "shellcheck finds nothing in the scripts",
  async () => {
    const scripts = readdirSync(recipes).filter((name) => name.endsWith(".sh"));
    expect(await run(["shellcheck", ...scripts.map((name) => join(recipes, name))])).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
  },
);

test("docs/waking.md links every file", () => {
  const text = readFileSync(join(docs, "waking.md"), "utf8");
  const missing = readdirSync(recipes).filter((name) => !text.includes(`](recipes/waking/${name})`));
  expect(missing).toEqual([]);
});
