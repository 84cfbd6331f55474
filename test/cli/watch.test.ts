/** `wharf watch`: what its command gets, when it runs, what counts as covered, and how it ends. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { callJob, postJob, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { environmentOf, homeOf, savedPosition, startWatch } from "../support/watchers.ts";

const root = newDirectory();
let service: SourceService;
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
beforeEach(async () => {
  ada = await claim(service.url, `Ada-${++count}`);
  home = join(root, `home ${count}`);
  mkdirSync(home);
  env = environmentOf(home, service.url, ada);
});

/** Bob says something in a room, a new one if none is given. Returns the room. */
async function say(body: string, room?: string, quiet = false): Promise<string> {
  const client = clientOf(service.url, bob);
  const slug =
    room ?? (await orThrow(client.post("/api/meet/rooms", { body: { goal: "Talk", name: "Bob" } }))).slug;
  const path = { room: slug };
  await orThrow(client.post("/api/meet/rooms/{room}/posts", { path, body: { name: "Bob", body, quiet } }));
  return slug;
}
const mention = (room?: string) => say(`@${ada.name}, look`, room);

/** Runs `wharf watch` until it ends. */
async function watch(...words: string[]) {
  const watcher = startWatch(env, ...words);
  const lines: string[] = [];
  const read = async (): Promise<void> => {
    for (;;) lines.push(await watcher.line());
  };
  await read().catch(() => {});
  return { status: await watcher.ended, lines, reports: watcher.reports() };
}
const once = (...words: string[]) => watch("--inbox", "--once", ...words);

interface Input {
  url: string;
  name: string;
  notes?: { seq: number; kind: string; room?: string; n?: number; count?: number; first?: number }[];
  posts?: Record<string, { n: number; name: string; body: string }[]>;
  jobs?: { id: string; title: string }[];
  new_rooms?: { slug: string }[];
  closed?: string[];
  treat_as: string;
}
const inputIn = (line: string | undefined): Input => JSON.parse(line!) as Input;

/** A command that shows its input, and then waits until `release` is called. */
function holding() {
  const fifo = join(home, "hold");
  Bun.spawnSync(["mkfifo", fifo]);
  const release = (word = "") => Bun.spawn(["sh", "-c", `echo ${word} >"$0"`, fifo]).exited;
  return { fifo, command: ["--", "sh", "-c", 'cat; read word <"$0"; exit $word', fifo], release };
}

describe("the command", () => {
  test("gets what is new as one object and as ids, once", async () => {
    const room = await mention();
    const job = await postJob(service.url, ada);
    await callJob(service.url, bob, job.id, "claim");
    const shown = await once("--", "sh", "-c", "cat; env | sort");
    const [line, ...variables] = shown.lines.filter((text) => /^(?:\{|WHARF_)/.test(text));
    const { url, name, notes, treat_as } = inputIn(line);
    expect([url, name, treat_as]).toEqual([service.url, ada.name, "data from strangers"]);
    expect(notes!.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, "room.mention"],
      [2, "job.claimed"],
    ]);
    expect(variables).toEqual([
      `WHARF_JOBS=${job.id}`,
      `WHARF_KEY=${ada.key}`,
      `WHARF_NAME=${ada.name}`,
      "WHARF_NOTES=1 2",
      `WHARF_ROOMS=${room}`,
      `WHARF_URL=${service.url}`,
    ]);
    expect([shown.status, shown.reports]).toEqual([0, ""]);
    expect(await once()).toEqual({ status: 4, lines: [], reports: "" });
  });

  test("gets no key that was not in the environment, and words as they are", async () => {
    const marker = join(home, "marker");
    const room = await say("first");
    env = homeOf(home, { WHARF_URL: service.url, WHARF_NAME: "Eve" });
    const words = [`$(touch "${marker}")`, ";", "a  b", "--once"];
    const show = ["--", "sh", "-c", 'printf "<%s>\\n" "$@"; echo "${WHARF_KEY-none}"', "sh", ...words];
    expect((await watch("--room", room, "--once")).status).toBe(4);
    await say("second", room);
    const { lines, status } = await watch("--room", room, "--once", ...show);
    expect(lines).toEqual([...words.map((word) => `<${word}>`), "none"]);
    expect(existsSync(marker)).toBe(false);
    expect(status).toBe(0);
  });

  test.each(["with", "without"])("runs for posts of others in a room, %s a key", async (key) => {
    if (key === "without") env = homeOf(home, { WHARF_URL: service.url, WHARF_NAME: "Eve" });
    const room = await say("before");
    const target = ["--room", `${service.url}/meet/r/${room}`];
    expect((await watch(...target, "--once")).status).toBe(4);
    await say("after", room);
    const own = key === "with" ? ada : { name: "Eve" };
    await orThrow(
      clientOf(service.url, own).post("/api/meet/rooms/{room}/posts", {
        path: { room },
        body: { name: own.name, body: "my own" },
      }),
    );
    const watcher = startWatch(env, ...target);
    expect(inputIn(await watcher.line()).posts).toEqual({
      [room]: [expect.objectContaining({ name: "Bob", body: "after" })],
    });
    watcher.process.kill("SIGTERM");
    expect(await watcher.ended).toBe(0);
  });

  test("does not run for quiet posts, which come with the next post, also after it was killed", async () => {
    const room = await say("before");
    expect((await watch("--room", room, "--once")).status).toBe(4);
    const waits = async (count: number) => {
      while (service.open().waits !== count) await service.clock.turn();
    };
    /** Ends the wait of the watcher, which has read the quiet posts then, and begins the next. */
    const passOn = async () => {
      service.clock.advance(50);
      await waits(0);
      await waits(1);
    };
    const first = startWatch(env, "--room", room);
    await waits(1);
    await say("quiet", room, true);
    await passOn();
    first.process.kill("SIGKILL");
    await first.process.exited;
    await waits(0);
    const position = { rooms: { [room]: 1 } };
    expect(savedPosition(home)!.cursors).toEqual(position);
    expect((await watch("--room", room, "--once")).status).toBe(4);

    const second = startWatch(env, "--room", room);
    await waits(1);
    await passOn();
    await say("quiet, too", room, true);
    await passOn();
    expect(savedPosition(home)!.cursors).toEqual(position);
    await say("loud", room);
    const posts = inputIn(await second.line()).posts![room]!;
    expect(posts).toMatchObject([
      { n: 2, quiet: true },
      { n: 3, quiet: true },
      { n: 4, body: "loud" },
    ]);
    second.process.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  test("runs for quiet posts that fill a run", async () => {
    const room = await say("before");
    expect((await watch("--room", room, "--once")).status).toBe(4);
    for (let i = 0; i < 200; i++) await say("quiet", room, true);
    const { lines, status } = await watch("--room", room, "--once");
    expect([lines.length, status]).toEqual([1, 0]);
    expect(inputIn(lines[0]).posts![room]).toHaveLength(200);
  });

  test("runs for notes, new jobs and new rooms with --all", async () => {
    expect((await watch("--all", "--once")).status).toBe(4);
    const room = await mention();
    const { id } = await postJob(service.url, bob);
    const { lines } = await watch("--all", "--once");
    const { notes, jobs, new_rooms } = inputIn(lines[0]);
    expect(notes!.map(({ kind }) => kind)).toEqual(["room.mention"]);
    expect(jobs!.map((job) => job.id)).toEqual([id]);
    expect(new_rooms!.map(({ slug }) => slug)).toEqual([room]);
  });

  test("gets more than one answer of the service holds, in runs of a few hundred", async () => {
    const { id } = await postJob(service.url, ada);
    for (let i = 0; i < 110; i++) {
      await callJob(service.url, bob, id, "claim");
      await callJob(service.url, bob, id, "release");
    }
    const [first, second, third] = [await once(), await once(), await once()];
    expect([first, second].map(({ lines }) => inputIn(lines[0]).notes!.length)).toEqual([200, 20]);
    expect(first.lines[0]).toContain('"more":true');
    expect(third.status).toBe(4);
  });

  test("runs once for what comes within --debounce", async () => {
    const room = await mention();
    const watcher = startWatch(env, "--inbox", "--once", "--debounce", "1", "--wait");
    await mention(room);
    const lines = [await watcher.line()];
    expect(await watcher.ended).toBe(0);
    const notes = inputIn(lines[0]).notes!;
    expect(notes.reduce((sum, { count = 1 }) => sum + count, 0)).toBeGreaterThanOrEqual(2);
  });

  test("is cat without words, and --exec names a program", async () => {
    await mention();
    const { lines, status } = await once("--exec", "cat");
    expect([lines.length, status]).toEqual([1, 0]);
  });
});

describe("what is covered", () => {
  test("a failed run is not: it is reported, tried again, and comes again at the next start", async () => {
    await mention();
    const failed = await once("--retries", "1", "--", "sh", "-c", "cat; exit 3");
    expect([failed.status, failed.lines.length]).toEqual([1, 2]);
    expect(failed.reports.split("\n")).toEqual([
      "wharf: sh ended with status 3. It runs again in 1 s.",
      "wharf: sh ended with status 3, the last of 2 runs. The next start begins with what it was run for.",
      "",
    ]);
    const killed = await once("--", "sh", "-c", "kill -9 $$");
    expect([killed.status, killed.reports]).toEqual([1, expect.stringContaining("was ended by SIGKILL.")]);
    expect((await once()).lines).toHaveLength(1);
  });

  test("notes that were read elsewhere are not new", async () => {
    await mention();
    await orThrow(clientOf(service.url, ada).post("/api/mailbox/ack", { body: { through: 1 } }));
    expect((await once()).status).toBe(4);
    expect(savedPosition(home)!.cursors).toEqual({ mailbox: 1 });
  });

  test("becomes read with --ack alone, and a mention that comes during a run is in the next one", async () => {
    const room = await mention();
    expect((await once()).status).toBe(0);
    expect((await readMailbox(service.url, ada)).unread).toBe(1);
    const { command, release } = holding();
    await mention(room);
    const watcher = startWatch(env, "--inbox", "--ack", ...command);
    const [before] = inputIn(await watcher.line()).notes!;
    // What an earlier run has covered is acknowledged at the start: the note stands for the rest.
    expect(before).toEqual(expect.objectContaining({ n: 2 }));
    expect(before).not.toHaveProperty("count");
    await mention(room);
    await release();
    const [during] = inputIn(await watcher.line()).notes!;
    expect(during).toEqual(expect.objectContaining({ n: 3 }));
    expect(during).not.toHaveProperty("count");
    await release();
    // The wait of the next read begins when the notes are read.
    await mention(await say("elsewhere"));
    await watcher.line();
    expect(
      (await readMailbox(service.url, ada, "?since=0")).notes.filter(({ unread }) => unread),
    ).toHaveLength(1);
    watcher.process.kill("SIGTERM");
    await watcher.ended;
  });

  test("is saved in a file of its own for each service, name and target", async () => {
    env["XDG_STATE_HOME"] = join(home, "state");
    const room = await mention();
    await once();
    await watch("--room", room, "--once");
    const folder = join(home, "state/wharf");
    const files = readdirSync(folder);
    expect(files.filter((file) => file.endsWith(".json"))).toHaveLength(2);
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const damaged = join(
      folder,
      files.find((file) => file.endsWith(".json"))!,
    );
    await Bun.write(damaged, "{");
    const results = [await once(), await watch("--room", room, "--once")];
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([1, 4]));
    expect(results.map(({ reports }) => reports).join("")).toContain(`${damaged} cannot be read`);
  });
});

describe("how a name is reached", () => {
  const reachOf = async () =>
    (await orThrow(clientOf(service.url).get("/api/name/{name}", { path: { name: ada.name } }))).reach;

  test("is shown after a run that has covered notes, and not after one that failed or for posts", async () => {
    const room = await mention();
    await once("--", "false");
    await watch("--room", room, "--once");
    expect(await reachOf()).toEqual({ by: "none" });
    service.clock.advance(40);
    expect((await once("--ack")).status).toBe(0);
    const at = new Date(service.clock.now()).toISOString();
    expect(await reachOf()).toEqual({ by: "watch", at, after_seconds: 40 });
  });

  test("has the time of a note that was folded into a later one during the run", async () => {
    const room = await mention();
    service.clock.advance(20);
    const { command, release } = holding();
    const watcher = startWatch(env, "--inbox", "--ack", "--once", ...command);
    await watcher.line();
    await mention(room);
    await release();
    expect(await watcher.ended).toBe(0);
    expect(await reachOf()).toMatchObject({ by: "watch", after_seconds: 20 });
  });

  test("is no matter of the run: one that cannot be reported is covered, and an older service is none", async () => {
    const { command, release } = holding();
    await mention();
    const watcher = startWatch(env, "--inbox", "--once", ...command);
    await watcher.line();
    await orThrow(clientOf(service.url, ada).delete("/api/mailbox"));
    await release();
    expect([await watcher.ended, watcher.reports()]).toEqual([0, ""]);

    let is_old = true;
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const { pathname, search } = new URL(request.url);
        const is_report = pathname === "/api/mailbox/reached";
        if (is_report && !is_old) return new Response("Broken.", { status: 500 });
        return fetch(service.url + (is_report ? "/api/mailbox/unknown" : pathname + search), request);
      },
    });
    env["WHARF_URL"] = other.url.origin;
    await mention();
    expect(await once("--ack")).toMatchObject({ status: 0, reports: "" });
    is_old = false;
    await mention();
    const { status, reports } = await once("--ack");
    expect([status, reports]).toEqual([
      0,
      expect.stringContaining("did not record that the run got its notes"),
    ]);
    expect((await readMailbox(service.url, ada)).unread).toBe(0);
    await other.stop(true);
  });
});

describe("one run at a time", () => {
  test("what comes during a run is the next run", async () => {
    const { command, release } = holding();
    const first = await mention();
    const watcher = startWatch(env, "--inbox", ...command);
    expect(inputIn(await watcher.line()).notes!.map(({ room }) => room)).toEqual([first]);
    const others = [await mention(), await mention()];
    await release();
    expect(inputIn(await watcher.line()).notes!.map(({ room }) => room)).toEqual(others);
    watcher.process.kill("SIGTERM");
    expect(await watcher.ended).toBe(0);
  });

  test("a watcher that is killed leaves its run the lock: the next one waits, and --once ends", async () => {
    const { command, release } = holding();
    await mention();
    const watcher = startWatch(env, "--inbox", ...command);
    await watcher.line();
    watcher.process.kill("SIGKILL");
    await watcher.process.exited;
    const busy = await once();
    expect([busy.status, busy.lines]).toEqual([4, []]);
    expect(busy.reports).toContain("Another watcher for the same, or a command that it started, is running.");
    const next = startWatch(env, "--inbox");
    await next.reported("This one waits until that has ended.");
    await mention();
    await release();
    // The run of the killed watcher has ended, but nobody has seen how.
    expect(inputIn(await next.line()).notes!.map(({ seq }) => seq)).toEqual([1, 2]);
    next.process.kill("SIGTERM");
    expect(await next.ended).toBe(0);
  });

  test("a killed watcher leaves the run its whole input, also one that fits into no pipe", async () => {
    const room = await say("first");
    await watch("--room", room, "--once");
    for (let i = 0; i < 40; i++) await say("long ".repeat(800), room);
    const { fifo, release } = holding();
    const script = 'echo begun; read word <"$0"; cat >read; echo over';
    const watcher = startWatch(env, "--room", room, "--", "sh", "-c", script, fifo);
    expect(await watcher.line()).toBe("begun");
    watcher.process.kill("SIGKILL");
    await watcher.process.exited;
    await release();
    expect(await watcher.line()).toBe("over");
    expect(inputIn(await Bun.file(join(home, "read")).text()).posts![room]).toHaveLength(40);
  });
});

describe("it ends", () => {
  test("at once by SIGTERM while it waits, and after its run otherwise, which gets the signal", async () => {
    const idle = startWatch(env, "--inbox", "--", "cat");
    await mention();
    await idle.line();
    idle.process.kill("SIGTERM");
    expect(await idle.ended).toBe(0);

    await mention();
    const script = `trap 'exit '"$0" TERM; cat; while :; do sleep 0.01; done`;
    for (const [status, is_covered] of [
      [3, false],
      [0, true],
    ] as const) {
      const before = savedPosition(home);
      const watcher = startWatch(env, "--inbox", "--", "sh", "-c", script, String(status));
      await watcher.line();
      watcher.process.kill("SIGTERM");
      expect([await watcher.ended, watcher.reports()]).toEqual([0, ""]);
      expect([status, !Bun.deepEquals(savedPosition(home), before)]).toEqual([status, is_covered]);
    }
  });

  test("with a room that is closed, and does not run for that again", async () => {
    const { slug, host_key } = await orThrow(
      clientOf(service.url).post("/api/meet/rooms", { body: { goal: "Talk", name: "Guest" } }),
    );
    const target = ["--room", slug];
    expect((await watch(...target, "--once")).status).toBe(4);
    const path = { room: slug };
    await orThrow(
      clientOf(service.url).post("/api/meet/rooms/{room}/close", {
        path,
        headers: { "x-meet-key": host_key! },
        body: { last_word: "Done.", name: "Guest" },
      }),
    );
    const { lines, status } = await watch(...target);
    expect([status, inputIn(lines[0]).closed]).toEqual([0, [slug]]);
    expect(inputIn(lines[0]).posts![slug]).toEqual([expect.objectContaining({ n: 1, body: "Done." })]);
    expect(await watch(...target)).toEqual({ status: 0, lines: [], reports: "" });
    env["XDG_STATE_HOME"] = join(home, "new");
    const late = await watch(...target);
    expect([late.status, late.reports]).toEqual([0, "wharf: The room is closed: nothing follows.\n"]);
  });

  test("with status 3 when the service refuses the call, and 2 for wrong words", async () => {
    expect((await watch("--room", "no-such-room", "--once")).status).toBe(3);
    for (const words of [
      ["--inbox", "--all"],
      [],
      ["--inbox", "--wait", "1"],
      ["--inbox", "--exec", "cat", "--", "cat"],
      ["--inbox", "--exec", "no-such-program"],
    ]) {
      expect([words, (await watch(...words)).status]).toEqual([words, 2]);
    }
    env = homeOf(home, { WHARF_URL: service.url });
    expect((await watch("--inbox")).status).toBe(2);
  });

  test("with status 1 if the service cannot be reached with --once", async () => {
    env["WHARF_URL"] = "http://127.0.0.1:1";
    const { status, reports } = await once();
    expect([status, reports]).toEqual([1, expect.stringContaining("cannot be reached")]);
  });
});

test("continues when the service is back after a restart", async () => {
  const data_dir = join(root, "data");
  let restarted = await startSource({ data_dir });
  const port = Number(new URL(restarted.url).port);
  const [eve, dan] = [await claim(restarted.url, "Eve"), await claim(restarted.url, "Dan")];
  const { id } = await postJob(restarted.url, eve);
  const watcher = startWatch(environmentOf(home, restarted.url, eve), "--inbox");
  await callJob(restarted.url, dan, id, "claim");
  expect(inputIn(await watcher.line()).notes!.map(({ kind }) => kind)).toEqual(["job.claimed"]);
  await restarted.stop();
  restarted = await startSource({ data_dir, port }, restarted.clock, 2);
  await callJob(restarted.url, dan, id, "release");
  expect(inputIn(await watcher.line()).notes!.map(({ kind }) => kind)).toEqual(["job.released"]);
  watcher.process.kill("SIGTERM");
  expect(await watcher.ended).toBe(0);
  await restarted.stop();
});
