/** Commands of callers: each counts for the caller's limits, and one that changes nothing writes nothing. */

import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call_errors } from "../../src/core/general_errors.ts";
import { command_definitions, type AppCommands } from "../../src/app/commands.ts";
import {
  createCommandRunner,
  type CallerCommandName,
  type CommandDefinitions,
  type FeatureStorage,
} from "../../src/core/commands.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { anonymous } from "../../src/names/authentication.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { default_config } from "../../src/core/settings.ts";
import type { Storage, Tx } from "../../src/core/storage.ts";
import { createRateLimiter, type RateLimiter } from "../../src/core/rate_limit/rate_limit.ts";
import { FakeClock } from "../support/clock.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { withStored } from "../support/stored.ts";

let service: SourceService;

let keys = 0;
const freshKey = () => ({ "idempotency-key": `fresh-${++keys}-${"x".repeat(30)}` });
const open = async (headers = {}) =>
  (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Busy", name: "x" }, headers)).body;
const close = ({ api, host_key }: OpenedRoom, headers = {}) =>
  post(`${api}/close`, undefined, { "x-meet-key": host_key!, ...headers });

/** Every row of the database, by table; without the beacon and the search index, which change by themselves. */
const contents = (): Promise<Record<string, unknown[]>> =>
  withStored(service.directory, async ({ run, tables }) => {
    const all: Record<string, unknown[]> = {};
    for (const table of await tables()) {
      // Records of changes are a matter of the engine.
      if (!/search|^beacon|^changed_topics$/.test(table)) all[table] = await run(`SELECT * FROM ${table}`);
    }
    return all;
  });

describe("limits by construction", () => {
  const nobody = anonymous(() => "192.0.2.1");
  const written: string[] = [];
  const storage = {
    write: (name: string) => Promise.resolve(written.push(name)),
  } as unknown as Storage<AppCommands>;

  const isInternal = (name: string) => "bounded_because" in command_definitions[name as "jobs.settle"];

  test("counts every command of a caller against its limits before it runs", async () => {
    const used_up: Pick<RateLimiter, "take"> = {
      take() {
        throw new ServiceError(call_errors.rate_limited, "Nothing is left.");
      },
    };
    const commands = createCommandRunner(command_definitions, storage, used_up);
    const names = Object.keys(command_definitions).filter((name) => !isInternal(name));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names as CallerCommandName<typeof command_definitions>[]) {
      const refusal = await commands.run(nobody, name, "Ada", {} as never).catch((error: unknown) => error);
      expect([name, (refusal as ServiceError).code]).toEqual([name, "rate_limited"]);
    }
    expect(written).toEqual([]);
  });

  test("the type check refuses a command without a limit or a reason why it needs none", () => {
    const run = async () => null;
    // @ts-expect-error -- it says neither
    const planted: CommandDefinitions = { "rooms.planted": { run } };
    expect(Object.keys(planted)).toEqual(["rooms.planted"]);
  });

  test("the type check refuses a command of a caller in the storage of features", () => {
    const internal: FeatureStorage<typeof command_definitions> = storage;
    // @ts-expect-error -- a command of a caller goes through `run`
    void internal.write("rooms.close", { room: "", host_key_sha256: "", now_ms: 0 });
    const limiter = createRateLimiter(default_config, new FakeClock());
    const commands = createCommandRunner(command_definitions, storage, limiter);
    // @ts-expect-error -- a command needs the caller from whose limits it is taken
    void commands.run("rooms.close", null, { room: "", host_key_sha256: "", now_ms: 0 }).catch(() => {});
    // @ts-expect-error -- an internal command is no caller's
    void commands.run(nobody, "beacon.mark", null, { mark: "" }).catch(() => {});
  });

  test("no file of src passes a command of a caller directly to the storage", () => {
    const handed = /\.write\(\s*"([^"]+)"/g;
    const root = join(import.meta.dir, "../..");
    const found = [...new Bun.Glob("src/**/*.ts").scanSync(root)].flatMap((path) =>
      Array.from(readFileSync(join(root, path), "utf8").matchAll(handed), ([, name]) => name!),
    );
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((name) => !isInternal(name))).toEqual([]);
  });
});

describe("keys by construction", () => {
  /** Commands whose callers need no claimed name, are known by another secret, or replace their key by a guarded update. */
  const without_name = [
    ...["rooms.open", "rooms.speak", "rooms.close", "rooms.conclude", "rooms.redact", "reports.report"],
    ...["leases.break", "rooms.set_pace", "rooms.put_member", "rooms.remove_member"],
    ...["names.claim", "names.rotate", "names.recover", "names.revoke", "sign_in.host"],
    "oauth.register",
    ...["sessions.begin", "sessions.follow", "sessions.end"],
  ];

  test("every other command of a caller checks the key again in its transaction, before anything else", async () => {
    const statements: string[] = [];
    const name_with_another_key = {
      all: async (sql: string) => (statements.push(sql), [{ key_sha256: "another" }]),
    } as unknown as Tx;
    const identity = { name: "Ada", canonical: "ada", key_sha256: "replaced" };
    for (const [name, definition] of Object.entries<CommandDefinitions[string]>(command_definitions)) {
      if ("bounded_because" in definition || without_name.includes(name)) continue;
      const run = definition.run(name_with_another_key, { identity, now_ms: 0 });
      const refusal: unknown = await run.catch((error: unknown) => error);
      expect([name, (refusal as ServiceError).code]).toEqual([name, "unknown_credential"]);
    }
    expect(new Set(statements).size).toBe(1);
  });
});

describe("limits of writes", () => {
  afterEach(() => service.stop());
  const refused = { status: 429, body: { code: "rate_limited" } };

  /** The answers to the call when its address has 3 writes a minute left, and when it has none. */
  async function statuses(send: () => Promise<{ status: number }>): Promise<number[]> {
    service.clock.advance(60);
    const found = [];
    for (let sent = 0; sent < 4; sent++) found.push((await send()).status);
    return found;
  }

  test("counts closing a room, redacting a post, marking notes as read, reporting a reach and clearing a mailbox", async () => {
    service = await startSource({ rate_limit: true, writes_per_minute_by_address: 3 });
    const ada = await claim(service.url, "Ada");
    const room = await open();
    const { id } = (await post<Post>(`${room.api}/posts`, { name: "Ada", body: "hello" }, ada.pair)).body;
    const redact = (headers: Record<string, string>) =>
      call("DELETE", `${room.api}/posts/${id}`, undefined, headers);
    const mailbox = `${service.url}/api/mailbox`;
    expect(await statuses(() => redact(ada.pair))).toEqual([200, 200, 200, 429]);
    expect(await statuses(() => redact({ "x-meet-key": room.host_key! }))).toEqual([200, 200, 200, 429]);
    expect(await statuses(() => close(room))).toEqual([200, 200, 200, 429]);
    expect(await statuses(() => post(`${mailbox}/ack`, { through: 0 }, ada.pair))).toEqual([
      200, 200, 200, 429,
    ]);
    const report = () => post(`${mailbox}/reached`, { through: 1, by: "watch" }, ada.pair);
    expect(await statuses(report)).toEqual([422, 422, 422, 429]);
    expect(await statuses(() => call("DELETE", mailbox, undefined, ada.pair))).toEqual([200, 200, 200, 429]);
    expect(await close(room)).toMatchObject(refused);
  });

  test("the responses of these calls have the remaining budget", async () => {
    service = await startSource({ rate_limit: true });
    const closed = await close(await open());
    expect(closed.headers.get("ratelimit-policy")).toBe('"writes-by-address";q=240;w=60');
  });
});

describe("repeated commands", () => {
  afterEach(() => service.stop());

  test("closing a closed room writes nothing, with a fresh Idempotency-Key each time", async () => {
    service = await startSource();
    const room = await open();
    const first = await close(room, freshKey());
    const before = await contents();
    service.clock.advance(1);
    for (let i = 0; i < 20; i++) expect((await close(room, freshKey())).body).toEqual(first.body);
    expect(await contents()).toEqual(before);
  });

  test("redacting, acknowledging, clearing, delivering, withdrawing and extending to the same moment again write nothing", async () => {
    service = await startSource();
    const { url, clock } = service;
    const [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
    const room = await open();
    const said = await post<Post>(`${room.api}/posts`, { name: "Ada", body: "@bob hello" }, ada.pair);
    const [delivered, withdrawn] = [await postJob(url, ada), await postJob(url, ada)];
    await callJob(url, bob, delivered.id, "claim");
    const commands: [string, Holder, () => Promise<{ status: number; body: unknown }>][] = [
      ["redact", ada, () => call("DELETE", `${room.api}/posts/${said.body.id}`, undefined, ada.pair)],
      ["extend", bob, () => callJob(url, bob, delivered.id, "extend", undefined, freshKey())],
      ["deliver", bob, () => callJob(url, bob, delivered.id, "deliver", { result: "done" }, freshKey())],
      ["withdraw", ada, () => callJob(url, ada, withdrawn.id, "withdraw", undefined, freshKey())],
      ["ack", bob, () => post(`${url}/api/mailbox/ack`, { through: 1 }, bob.pair)],
      ["reach", bob, () => post(`${url}/api/mailbox/reached`, { through: 1, by: "watch" }, bob.pair)],
      ["hide delivery", bob, () => call("PUT", `${url}/api/mailbox/delivery`, { shown: false }, bob.pair)],
      ["show delivery", bob, () => call("PUT", `${url}/api/mailbox/delivery`, { shown: true }, bob.pair)],
      ["clear", bob, () => call("DELETE", `${url}/api/mailbox`, undefined, bob.pair)],
      ["ack of a cleared one", bob, () => post(`${url}/api/mailbox/ack`, { through: 1 }, bob.pair)],
    ];
    for (const [name, , send] of commands) {
      const first = await send();
      expect([name, first.status < 300]).toEqual([name, true]);
      const before = await contents();
      if (name !== "extend") clock.advance(1);
      expect([name, (await send()).body]).toEqual([name, first.body]);
      expect([name, await contents()]).toEqual([name, before]);
    }
    const reviewed = () => callJob(url, ada, delivered.id, "review", { verdict: "disputed" }, freshKey());
    expect((await reviewed()).status).toBe(200);
    const before = await contents();
    expect((await reviewed()).body.code).toBe("already_reviewed");
    expect(await contents()).toEqual(before);
  });

  test("a command that changed something runs once for its Idempotency-Key", async () => {
    service = await startSource();
    const room = await open();
    const key = freshKey();
    const say = () => post<Post>(`${room.api}/posts`, { name: "x", body: "once" }, key);
    expect((await say()).body).toEqual((await say()).body);
    expect((await get<{ total: number }>(room.api)).body.total).toBe(1);
  });
});
