/** The guard as the hook of each host: it answers the recorded calls by the leases of a service. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../../../src/client/client.ts";
import { clientOf } from "../../../support/client.ts";
import { FakeClock } from "../../../support/clock.ts";
import { freePort } from "../../../support/free_port.ts";
import { patient, runFor, type GuardSettings } from "../../../support/guards.ts";
import { claim, type Holder } from "../../../support/names.ts";
import { open } from "../../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../../support/service.ts";

const hosts = ["claude", "codex", "gemini", "opencode"];

interface Recorded {
  sent: Record<string, unknown>;
  edits?: string[];
  ends?: true;
}

let service: SourceService;
let alice: Holder;
let bob: Holder;
let room: string;
let directory: string;
let repo: string;
let as_bob: GuardSettings;
let rooms = 0;
const newRoom = async () => (await open(service.url, `Team ${(rooms += 1)}`)).slug;

beforeAll(async () => {
  service = await startSource({}, new FakeClock(new Date(Date.now()).toISOString()));
  alice = await claim(service.url, "alice");
  bob = await claim(service.url, "bob");
});
beforeEach(async () => {
  room = await newRoom();
  directory = realpathSync(newDirectory());
  repo = join(directory, "repo");
  mkdirSync(join(repo, "src"), { recursive: true });
  as_bob = { url: service.url, who: bob, home: directory, cwd: repo };
});
afterEach(() => removeDirectory(directory));
afterAll(() => service.stop());

/** The file of the repository; further lines of it. */
const settle = (...lines: string[]) =>
  writeFileSync(join(repo, ".wharf-leases.toml"), [`room = "${room}"`, ...lines].join("\n"));
const take = (who: Holder, ...paths: string[]) =>
  orThrow(
    clientOf(service.url, who).post("/api/meet/rooms/{room}/leases", {
      path: { room },
      body: { paths, ttl_seconds: 600, purpose: "the login" },
    }),
  );
const listed = async (who?: Holder) =>
  (await orThrow(clientOf(service.url, who).get("/api/meet/rooms/{room}/leases", { path: { room } }))).leases;
/** The fence of the first lease of its holder. */
const fenceOf = async (who: Holder) => (await listed(who))[0]!.fence!;

/** The calls that a host has sent, in this repository. */
function callsOf(host: string): Recorded[] {
  const file = join(import.meta.dir, "../../../fixtures/host_hooks", `${host}.json`);
  return (JSON.parse(readFileSync(file, "utf8").replaceAll("/repo", repo)) as { calls: Recorded[] }).calls;
}
const editOf = (host: string): Recorded =>
  callsOf(host).find(({ edits }) => edits?.includes(join(repo, "a.txt")))!;
const endOf = (host: string): Recorded => callsOf(host).find(({ ends }) => ends)!;
const hook = (host: string, sent: object | string, ...options: string[]) =>
  runFor(as_bob, ["lease", "guard", "--hook", host, ...options], sent, patient);

/** The reason with which a host refuses an edit, wherever it reads it. */
const reasonIn = (printed: string): string => {
  const answer = JSON.parse(printed) as Record<string, Record<string, string>>;
  const { hookSpecificOutput: specific } = answer;
  if (!specific) {
    expect(answer).toEqual({ decision: "deny", reason: expect.any(String) } as never);
    return String(answer["reason"]);
  }
  expect(specific).toEqual({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: expect.any(String),
  } as never);
  return specific["permissionDecisionReason"]!;
};
const silent = { printed: "", errors: "", status: 0 };

describe.each(hosts)("%s", (host) => {
  test("is refused a file that somebody else holds: the answer names the holder, the end and what to do", async () => {
    settle();
    const { until } = await take(alice, "a.txt");
    const { printed, errors, status } = await hook(host, editOf(host).sent);
    expect({ errors, status }).toEqual({ errors: "", status: 0 });
    expect(reasonIn(printed)).toBe(
      [
        `a.txt is leased by alice until ${until}, for "the login".`,
        `Change nothing there meanwhile. To wait for it and take it: wharf lease take a.txt --room ${room} --wait 280`,
        "Then read what has changed before you go on.",
      ].join("\n"),
    );
  });

  test("edits what is free, what is its own, and everything if nothing is guarded", async () => {
    await take(alice, "a.txt");
    const { sent } = editOf(host);
    expect(await hook(host, sent)).toEqual(silent);
    settle('paths = ["**", "!a.txt"]');
    expect(await hook(host, sent)).toEqual(silent);
    room = await newRoom();
    settle();
    expect(await hook(host, sent)).toEqual(silent);
    await take(bob, "a.txt");
    expect(await hook(host, sent)).toEqual(silent);
    expect(await listed()).toHaveLength(1);
  });

  test("is never stopped by a call that is no edit", async () => {
    settle();
    await take(alice, "a.txt", "b.txt", "src");
    for (const { sent, edits } of callsOf(host)) if (!edits) expect(await hook(host, sent)).toEqual(silent);
    for (const sent of ["", "no JSON", "[]"]) expect(await hook(host, sent)).toEqual(silent);
  });

  test("edits with a notice if the service is away, and is refused with --offline deny", async () => {
    settle();
    as_bob = { ...as_bob, url: `http://127.0.0.1:${await freePort()}` };
    const { sent } = editOf(host);
    const { printed, errors, status } = await hook(host, sent);
    expect(status).toBe(0);
    expect(errors).toMatch(/^wharf: leases are not checked, and the change is allowed: .+\n$/);
    const notice = errors.slice("wharf: ".length, -1);
    expect(JSON.parse(printed)).toEqual(host === "opencode" ? { notice } : { systemMessage: notice });
    const denied = await hook(host, sent, "--offline", "deny");
    expect(reasonIn(denied.printed)).toStartWith("leases cannot be checked, so the change is refused: ");
    expect(denied.status).toBe(0);
  });

  test("takes the leases of what it edits with auto, and its end releases them", async () => {
    settle("auto = true", "ttl_seconds = 120");
    const { sent, edits } = editOf(host);
    expect(await hook(host, sent)).toEqual(silent);
    expect(await hook(host, sent)).toEqual(silent);
    const paths = edits!.map((path) => path.slice(repo.length + 1)).toSorted();
    const [lease, ...others] = await listed();
    expect(others).toEqual([]);
    expect(lease).toMatchObject({
      holder: "bob",
      paths,
      purpose: expect.stringMatching(/^edits of session [0-9a-f]{8}$/),
    });
    // A lease that somebody takes itself is not that of the session.
    await take(bob, "mine.txt");
    expect(await hook(host, endOf(host).sent)).toEqual(silent);
    expect((await listed()).map((one) => one.paths)).toEqual([["mine.txt"]]);
    expect(await hook(host, endOf(host).sent)).toEqual(silent);
  });
});

test("a lease of a session is extended when less than half of it is left", async () => {
  settle("auto = true", "ttl_seconds = 86400");
  const { sent } = editOf("claude");
  await hook("claude", sent);
  const [first] = await listed();
  await hook("claude", sent);
  expect(await listed()).toEqual([first!]);
  // For the guard, whose clock is that of the system, it is as if half of the time had passed.
  await orThrow(
    clientOf(service.url, bob).post("/api/meet/rooms/{room}/leases/extend", {
      path: { room },
      body: { fence: await fenceOf(bob), ttl_seconds: 600 },
    }),
  );
  await hook("claude", sent);
  expect(await listed()).toEqual([first!]);
});

test("a file that another session of the same name edits is held, and one that the name holds by hand is its own", async () => {
  settle("auto = true");
  const { sent } = editOf("claude");
  expect(await hook("claude", sent)).toEqual(silent);
  const other = { ...sent, session_id: "another" };
  expect(reasonIn((await hook("claude", other)).printed)).toStartWith("a.txt is leased by bob until");
  expect(await hook("claude", { ...endOf("claude").sent })).toEqual(silent);
  await take(bob, "a.txt");
  expect(await hook("claude", other)).toEqual(silent);
});

test("a path that leads through a link is checked where the file is", async () => {
  settle();
  await take(alice, "src/a.txt");
  symlinkSync(join(repo, "src"), join(directory, "link"));
  const call = { ...editOf("claude").sent, tool_input: { file_path: join(directory, "link/a.txt") } };
  expect(reasonIn((await hook("claude", call)).printed)).toStartWith("src/a.txt is leased by alice");
  const out = { ...call, tool_input: { file_path: join(repo, "src/../../elsewhere.txt") } };
  expect(await hook("claude", out)).toEqual(silent);
});

test("a lease on a folder covers its files, and one on a file covers no other", async () => {
  settle();
  await take(alice, "src");
  const edit = (path: string) => ({ ...editOf("claude").sent, tool_input: { file_path: join(repo, path) } });
  expect((await hook("claude", edit("src/deep/er/new.txt"))).printed).toContain("leased by alice");
  expect(await hook("claude", edit("src2/a.txt"))).toEqual(silent);
});

describe("a name of a file that no lease can have is checked by its folder", () => {
  test.each([
    ["too long", `src/${"x".repeat(220)}`],
    ["with a line break", "src/a\nb.txt"],
    ["with a character that turns text around", "src/a\u202etxt"],
    ["with a line separator", "src/a\u2028b.txt"],
    ["too deep", `src/${"a/".repeat(32)}b.txt`],
  ])("%s", async (_what, path) => {
    settle();
    const edit = { ...editOf("claude").sent, tool_input: { file_path: join(repo, path) } };
    await take(alice, "src/other.txt");
    expect(await hook("claude", edit)).toEqual(silent);
    await take(alice, "src2", "docs");
    expect(await hook("claude", edit)).toEqual(silent);
    await orThrow(
      clientOf(service.url, alice).post("/api/meet/rooms/{room}/leases/release", {
        path: { room },
        body: { fence: await fenceOf(alice) },
      }),
    );
    await take(alice, "src");
    expect(JSON.parse((await hook("claude", edit)).printed)).toHaveProperty("hookSpecificOutput");
  });
});

test("auto takes no lease on a name that none can have, and the edit is allowed", async () => {
  settle("auto = true");
  const edit = { ...editOf("claude").sent, tool_input: { file_path: join(repo, `src/${"x".repeat(220)}`) } };
  expect(await hook("claude", edit)).toEqual(silent);
  expect(await listed()).toEqual([]);
});

test("a file that cannot be read leaves edits alone, and says so", async () => {
  writeFileSync(join(repo, ".wharf-leases.toml"), "room = 3");
  const { errors, status } = await hook("claude", editOf("claude").sent);
  expect(status).toBe(0);
  expect(errors).toContain(".wharf-leases.toml:1: room must be the slug of a room.");
});
