/** The recipes of docs/waking.md, which start a stand-in of a host: crontab(5), systemd.service(5), systemd.timer(5). */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startSource, type TestService } from "../support/service.ts";
import { agentHome, answering_agent, mentionIn, type AgentHome } from "../support/stand_in_hosts.ts";

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
let agent: AgentHome;
beforeEach(async () => {
  ada = await claim(service.url, `Ada-${++count}`);
  agent = agentHome(join(root, String(count)), service.url, ada);
  agent.program("claude", answering_agent);
  mkdirSync(join(agent.home, "agents/claude"), { recursive: true });
});

async function run(command: string[], cwd = agent.home) {
  const child = Bun.spawn(command, {
    env: agent.environment,
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}

/** That the agent was started in its folder with what is new, and could answer. */
async function expectAnswered(room: string): Promise<void> {
  const { notes } = JSON.parse(agent.recorded("input")) as { notes: { room: string }[] };
  expect(notes.map((note) => note.room)).toEqual([room]);
  const { posts } = await orThrow(clientOf(service.url).get("/api/meet/rooms/{room}", { path: { room } }));
  const { name, claimed, body } = posts.at(-1)!;
  expect([name, claimed, body]).toEqual([ada.name, true, "On it."]);
  expect((await readMailbox(service.url, ada)).unread).toBe(0);
  expect(agent.recorded("folder")).toBe(`${agent.home}/agents/claude\n`);
}

test("cron starts an agent every five minutes if something is new", async () => {
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
  Object.assign(agent.environment, {
    PATH: value!.replace("/usr/local/bin", `${agent.home}/bin`),
    SHELL: "/bin/sh",
  });
  expect((await run(["/bin/sh", "-c", command!])).status).toBe(4);
  const room = await mentionIn(service.url, bob, ada.name);
  expect(await run(["/bin/sh", "-c", command!])).toEqual({ status: 0, stdout: "", stderr: "" });
  await expectAnswered(room);
});

test("a timer of systemd starts one if something is new", async () => {
  const lines = recipe("wharf-look.service").matchAll(/^(\w+)=(.*)$/gm);
  const settings = new Map(
    Array.from(lines, ([, key, value]) => [
      key!,
      value!.replaceAll("%h", agent.home).replaceAll("/usr/local/bin", `${agent.home}/bin`),
    ]),
  );
  const command = settings.get("ExecStart")!.split(" ");
  const folder = settings.get("WorkingDirectory");
  const allowed = [0, Number(settings.get("SuccessExitStatus"))];
  const { status } = await run(command, folder);
  expect([settings.get("Type"), status, allowed.includes(status)]).toEqual(["oneshot", 4, true]);
  const room = await mentionIn(service.url, bob, ada.name);
  expect((await run(command, folder)).status).toBe(0);
  await expectAnswered(room);
});

test.skipIf(lacks("the units of systemd that start agents", "systemd-analyze"))(
  "systemd knows every line of the units",
  async () => {
    const names = readdirSync(recipes).filter((name) => /\.(?:service|timer)$/.test(name));
    expect(names).toHaveLength(2);
    for (const name of names)
      await Bun.write(
        join(agent.home, name),
        recipe(name).replaceAll("/usr/local/bin/wharf", process.execPath),
      );
    agent.environment["XDG_RUNTIME_DIR"] = agent.home;
    const files = names.map((name) => join(agent.home, name));
    const { status, stderr } = await run(["systemd-analyze", "--user", "verify", ...files]);
    expect([status, stderr]).toEqual([0, ""]);
  },
);

test("docs/waking.md links every file", () => {
  const text = readFileSync(join(docs, "waking.md"), "utf8");
  const missing = readdirSync(recipes).filter((name) => !text.includes(`](recipes/waking/${name})`));
  expect(missing).toEqual([]);
});
