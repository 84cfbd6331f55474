/** `wharf wake test`: whether it finds how an agent was reached, and what it says if none was. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import type { Note } from "../../src/api/mailbox.ts";
import { saveSetup } from "../../src/cli/setup/state.ts";
import { claimNotes } from "../../src/cli/shell/announced.ts";
import { wharf_command } from "../support/binary.ts";
import { clientOf } from "../support/client.ts";
import { readMailbox } from "../support/jobs.ts";
import { started } from "../support/leftovers.ts";
import { claim, type Holder } from "../support/names.ts";
import {
  newDirectory,
  removeDirectory,
  startProgram,
  startSource,
  type SourceService,
} from "../support/service.ts";
import { agentHome, type AgentHome } from "../support/stand_in_hosts.ts";
import { startWatch } from "../support/watchers.ts";

const root = newDirectory();
let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(async () => {
  await service.stop();
  removeDirectory(root);
});

let count = 0;
let ada: Holder;
let agent: AgentHome;
let state: string;
beforeEach(async () => {
  ada = await claim(service.url, `Ada-${++count}`);
  agent = agentHome(join(root, String(count)), service.url, ada);
  state = join(agent.home, ".local/state");
});

function wakeTest(...words: string[]) {
  const child = Bun.spawn([...wharf_command, "wake", "test", ...words], {
    env: agent.environment,
    cwd: agent.home,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const ended = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]).then(([printed, errors, status]) => ({ printed, errors, status }));
  return { child, ended };
}

/** The first note after the one with the seq `since`, when it is there. */
async function noteAfter(url: string, who: Holder, since: number): Promise<Note & { room: string }> {
  for (;;) {
    const { notes } = await readMailbox(url, who, `?since=${since}&wait_seconds=10`);
    if (notes.length > 0) return notes[0] as never;
  }
}

/** The note about the mention, when it is there. */
const mention = () => noteAfter(service.url, ada, 0);

/** The service behind a server that runs `before_answer` when something was posted, before the caller gets to know. */
function serveAfter(before_answer: () => Promise<void>) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { method, headers } = request;
      const { pathname, search } = new URL(request.url);
      const body = request.body && (await request.bytes());
      const answer = await fetch(`${service.url}${pathname}${search}`, { method, headers, body });
      if (method === "POST" && pathname.endsWith("/posts")) await before_answer();
      return answer;
    },
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

const client = () => clientOf(service.url, ada);
const report = (through: number, by: "channel" | "watch") =>
  orThrow(client().post("/api/mailbox/reached", { body: { through, by } }));

async function expectClosed(room: string): Promise<void> {
  const read = await orThrow(client().get("/api/meet/rooms/{room}", { path: { room } }));
  expect([read.room.closed, read.room.visibility]).toEqual([true, "unlisted"]);
}

describe("says that the agent was reached", () => {
  test.each([
    ["watch", "wharf watch"],
    ["channel", "the channel of its session"],
  ] as const)("by %s, and closes the room", async (by, way) => {
    const { ended } = wakeTest();
    const note = await mention();
    expect(note).toMatchObject({ kind: "room.mention", by: expect.stringMatching(/^wake-test-[a-z]{4}$/) });
    await report(note.seq, by);
    const { printed, errors, status } = await ended;
    expect([errors, status]).toEqual(["", 0]);
    expect(printed).toMatch(new RegExp(`^${ada.name} was reached by ${way}, \\d+ s after the mention\\.\n$`));
    await expectClosed(note.room);
  });

  test("as JSON", async () => {
    const { ended } = wakeTest("--json");
    const { seq, room } = await mention();
    await report(seq, "watch");
    expect(JSON.parse((await ended).printed)).toEqual({
      ...{ name: ada.name, url: service.url, room, reached: true, by: "watch" },
      after_seconds: expect.any(Number),
    });
  });

  test("not by what reached it before", async () => {
    const first = wakeTest();
    await report((await mention()).seq, "watch");
    await first.ended;
    expect((await wakeTest("--wait", "0").ended).status).toBe(4);
  });
});

test("does not take the run for an earlier note, of the second before, for that of its own", async () => {
  const real = await startProgram(wharf_command, { port: 0 });
  const bob = await claim(real.url, "Bob");
  agent = agentHome(join(root, "bob"), real.url, bob);
  await wakeTest("--wait", "0").ended;
  const { ended } = wakeTest("--wait", "2");
  expect(await noteAfter(real.url, bob, 1)).toMatchObject({ seq: 2 });
  await orThrow(clientOf(real.url, bob).post("/api/mailbox/reached", { body: { through: 1, by: "watch" } }));
  expect((await ended).status).toBe(4);
  await real.stop();
});

describe("says that it was not reached, and what was tried", () => {
  const tried = async () => JSON.parse((await wakeTest("--wait", "0", "--json").ended).printed) as object;

  test("nothing", async () => {
    const { printed, errors, status } = await wakeTest("--wait", "0").ended;
    expect([errors, status]).toEqual(["", 4]);
    expect(printed.split("\n")).toEqual([
      `${ada.name} was not reached in 0 s.`,
      expect.stringContaining(
        `wharf watch: it does not run here for this name. Start it by 'wharf setup --service HOST'`,
      ),
      expect.stringContaining("none has announced the note"),
      "",
    ]);
    await expectClosed((await mention()).room);
    expect(await tried()).toMatchObject({ reached: false, watched: false, announced: false, read: false });
  });

  test("a watcher that runs, and whose run does not end", async () => {
    agent.program("my-agent", 'echo started; cat >/dev/null; read line <"$HOME/end"');
    Bun.spawnSync(["mkfifo", join(agent.home, "end")]);
    const watcher = startWatch(agent.environment, "--inbox", "--ack", "--exec", "my-agent");
    // It has begun before the test looks for it.
    while (service.open().waits === 0) await Bun.sleep(10);
    const { ended } = wakeTest("--wait", "2", "--json");
    expect(await watcher.line()).toBe("started");
    const { printed, status } = await ended;
    expect([JSON.parse(printed), status]).toMatchObject([{ reached: false, watched: true, read: false }, 4]);
    await Bun.write(join(agent.home, "end"), "now\n");
    watcher.process.kill("SIGTERM");
    await watcher.ended;
  });

  test("a hook that has announced the note, and somebody who has read it", async () => {
    const served = serveAfter(async () => {
      const { seq } = await mention();
      claimNotes({ environment: { XDG_STATE_HOME: state } }, { url: served.url, name: ada.name }, [{ seq }]);
      await orThrow(client().post("/api/mailbox/ack", { body: { through: seq } }));
    });
    agent = agentHome(join(root, "served"), served.url, ada);
    state = join(agent.home, ".local/state");
    expect(await tried()).toMatchObject({ announced: true, read: true, watched: false });
    await served.stop();
  });
});

test("closes the room also if it is stopped", async () => {
  const { child, ended } = wakeTest();
  const { room } = await mention();
  child.kill("SIGTERM");
  expect((await ended).status).toBe(143);
  await expectClosed(room);
});

describe("whose agent", () => {
  const setUp = (url: string): void => {
    mkdirSync(join(state, "wharf"), { recursive: true });
    const hosts = { codex: { name: ada.name, url } };
    saveSetup({ environment: { XDG_STATE_HOME: state } }, { hosts, files: {}, folders: [] });
  };

  test("that of a host is found in what 'wharf setup' has saved", async () => {
    setUp(service.url);
    delete agent.environment["WHARF_URL"];
    const { printed, status } = await wakeTest("codex", "--wait", "0").ended;
    expect(status).toBe(4);
    expect(printed).toContain(`${ada.name} was not reached`);
    expect(printed).toContain("wharf setup --service codex");
  });

  test.each([
    [["claude"], "'wharf setup' has not set up claude here. Name the agent by --as."],
    [["--as", "Bob"], "no key of Bob is saved"],
  ])("%j is refused", async (words, said) => {
    setUp(service.url);
    const { errors, status } = await wakeTest(...words).ended;
    expect([status, errors]).toEqual([2, expect.stringContaining(said)]);
  });

  test("a name that no text can mention is refused, and the room is closed", async () => {
    const spaced = await claim(service.url, "Ada B");
    agent = agentHome(join(root, "spaced"), service.url, spaced);
    const { errors, status } = await wakeTest().ended;
    expect([status, errors]).toEqual([1, expect.stringContaining("A post cannot mention Ada B.")]);
  });
});
