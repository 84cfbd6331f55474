/** The Postgres engine on a real server: groups of writes, what others overtake, and changes of other nodes. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../../src/core/log.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { service_errors } from "../../../src/core/general_errors.ts";
import {
  outcomesOf,
  Overtaken,
  commandOf,
  type Outcome,
  type Storage,
  type Tx,
} from "../../../src/core/storage.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { isCompressed } from "../../../src/storage/sqlite/zstd.ts";
import { useLimits } from "../../support/longer_limits.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

interface Put {
  /** Commands with the same room run one after the other. */
  room: string;
  value: string;
}

/** How often the command `overtaken` still throws. */
let overtaken_left = 0;

/** A list of texts for each room, in the table of receipts of calls. */
const insert = (tx: Tx, { room, value }: Put) =>
  tx.run(
    "INSERT INTO answers (key, path, fingerprint, result, at) VALUES ($1, $2, '', '', '9')",
    room,
    value,
  );
const listOf = async (tx: Tx, room: string): Promise<string[]> =>
  (await tx.all<{ path: string }>("SELECT path FROM answers WHERE key = $1 ORDER BY path", room)).map(
    ({ path }) => path,
  );

const columns = ["key", "path", "fingerprint", "result", "at"] as const;
/** The numbers of inputs that ran at once. */
const batches: number[] = [];

/** Refuses the value "refused", and puts the others with what it has read before them. */
async function putAll(tx: Tx, inputs: Put[]): Promise<Outcome<string>[]> {
  batches.push(inputs.length);
  const stored = new Set(await listOf(tx, inputs[0]!.room));
  const rows: Record<(typeof columns)[number], string>[] = [];
  const outcomes = await outcomesOf(inputs, async ({ room, value }) => {
    if (value === "refused") throw new ServiceError(service_errors.storage_full, "No.");
    const path = `${stored.size} ${value}`;
    stored.add(path);
    rows.push({ key: room, path, fingerprint: "", result: "", at: "9" });
    return path;
  });
  await tx.insertAll({ name: "answers", columns }, rows);
  return outcomes;
}

/** How often the command `changes` still changes nothing. */
let stale_left = 0;

const commands = {
  async put(tx: Tx, input: Put) {
    await insert(tx, input);
    tx.announce(`room:${input.room}`);
    return { put: input.value };
  },
  /** Reads how many there are and adds one with that number: two at the same time would add the same. */
  async append(tx: Tx, { room }: { room: string }) {
    const count = (await listOf(tx, room)).length;
    await insert(tx, { room, value: String(count).padStart(6, "0") });
    return count;
  },
  async failsAfterWriting(tx: Tx, input: Put) {
    await insert(tx, input);
    throw new ServiceError(service_errors.storage_full, "No.");
  },
  async breaks(tx: Tx, input: Put) {
    await insert(tx, input);
    await tx.run("INSERT INTO no_such_table VALUES (1)");
  },
  async overtaken(tx: Tx, input: Put) {
    await insert(tx, input);
    if (overtaken_left-- > 0) throw new Overtaken();
  },
  putAtOnce: commandOf(putAll),
  /** Changes a row if there is one, and reports that at the end only. */
  async changes(tx: Tx, { room, value }: Put) {
    if (stale_left-- > 0)
      await tx.change(1, "UPDATE answers SET result = $1 WHERE key = 'no such key'", value);
    await insert(tx, { room, value });
  },
  /** Opens a room and moves its activity on, as a node of schema version 23 does. */
  async opensAsBefore(tx: Tx, { slug, at, later }: { slug: string; at: string; later: string }) {
    await tx.run(
      "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, last_active, changed) " +
        "VALUES ($1, 'x', 'x', 0, 'public', '', $2, $2, $2)",
      slug,
      at,
    );
    const second = "SELECT active_second FROM rooms WHERE slug = $1";
    const opened = await tx.get<{ active_second: string }>(second, slug);
    await tx.run("UPDATE rooms SET last_active = $2 WHERE slug = $1", slug, later);
    return [opened, await tx.get<{ active_second: string }>(second, slug)];
  },
  async opens(tx: Tx, { slug }: { slug: string }) {
    const row = await tx.get<{ seq: number }>(
      "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, last_active, changed) " +
        "VALUES ($1, 'x', 'x', 0, 'public', '', '', '', '') RETURNING seq",
      slug,
    );
    return row!.seq;
  },
};
type Commands = typeof commands;
const searches = {
  slow: (tx: Tx, _input: null) => tx.get("SELECT pg_sleep(60)"),
  wrong: (tx: Tx, _input: null) => tx.get("SELECT no_such_column"),
};
const orderings: Record<string, object> = { opens: { numbers: "rooms" } };
type Engine = Storage<Commands, typeof searches>;

describe.skipIf(lacks_postgres)("the Postgres engine", () => {
  // Writes of two nodes that all need the same lock wait long for it on a busy machine.
  useLimits({ lock_seconds_max: 60 });

  let server: PostgresServer;
  let schemas = 0;
  let log = "";
  const opened: Engine[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    schemas++;
    log = "";
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  });

  /** Opens a node on the database of the test. */
  async function open(
    settings: { hints?: boolean; prepares?: boolean; startBackup?: () => Worker } = {},
  ): Promise<Engine> {
    const { hints = true, prepares = true, startBackup } = settings;
    const url = `${server.url}?schema=test${schemas}`;
    const engine = await openPostgres<Commands, typeof searches>({
      place: { url, listen_url: hints ? url : null, connections_max: 6, prepares },
      commands,
      searches,
      chores: [],
      directory: tmpdir(),
      ...(startBackup && { startBackup }),
      orderingOf: (name) => orderings[name] ?? {},
      log: createLog(systemClock, "warn", (line) => void (log += line)),
    });
    opened.push(engine);
    return engine;
  }
  const listed = (engine: Engine, room: string) => engine.read((tx) => listOf(tx, room));
  const put = (engine: Engine, room: string, value: string) => engine.write("put", { room, value });

  test.each([true, false])(
    "stores writes that come together, and returns their results (prepares: %p)",
    async (prepares) => {
      const engine = await open({ prepares });
      const values = Array.from({ length: 300 }, (_, i) => `value ${String(i).padStart(3, "0")}`);
      const written = await Promise.all(values.map((value, i) => put(engine, `room ${i % 7}`, value)));
      expect(written.map(({ result }) => result.put)).toEqual(values);
      const rooms = await Promise.all(Array.from({ length: 7 }, (_, i) => listed(engine, `room ${i}`)));
      expect(rooms.flat().sort()).toEqual(values);
    },
  );

  test("runs commands of one room one after the other, in one node and between two", async () => {
    const nodes = [await open(), await open()] as const;
    const count = 200;
    await Promise.all(
      Array.from({ length: count }, (_, i) => nodes[i % 2]!.write("append", { room: "hot" })),
    );
    expect(await listed(nodes[0], "hot")).toEqual(
      Array.from({ length: count }, (_, i) => String(i).padStart(6, "0")),
    );
  });

  test("lists a room by its activity if a node of the schema before has written it", async () => {
    const engine = await open();
    const times = { at: "2026-03-01T12:00:00.000Z", later: "2026-03-01T12:00:07.123Z" };
    const { result } = await engine.write("opensAsBefore", { slug: "a", ...times });
    expect(result).toEqual([
      { active_second: "2026-03-01T12:00:00" },
      { active_second: "2026-03-01T12:00:07" },
    ]);
  });

  test("undoes a command that fails after it has written, and stores the others of its group", async () => {
    const engine = await open();
    const outcomes = await Promise.allSettled([
      put(engine, "a", "before"),
      engine.write("failsAfterWriting", { room: "b", value: "never" }),
      engine.write("breaks", { room: "c", value: "never" }),
      put(engine, "d", "after"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: "storage_full" });
    const rooms = await Promise.all(["a", "b", "c", "d"].map((room) => listed(engine, room)));
    expect(rooms).toEqual([["before"], [], [], ["after"]]);
  });

  test("runs a command again that was overtaken, and gives up at last", async () => {
    const engine = await open();
    overtaken_left = 3;
    await engine.write("overtaken", { room: "a", value: "once" });
    expect(await listed(engine, "a")).toEqual(["once"]);
    overtaken_left = Number.POSITIVE_INFINITY;
    const given_up = engine.write("overtaken", { room: "a", value: "never" });
    expect(given_up).rejects.toMatchObject({ code: "storage_busy" });
    await given_up.catch(() => undefined);
    overtaken_left = 0;
    expect(await listed(engine, "a")).toEqual(["once"]);
  });

  test("runs commands at once that can, and refuses and repeats each by itself", async () => {
    const engine = await open();
    const call = { key_hash: "key", fingerprint: "same", at: "2026-03-01T12:00:00.000Z" };
    const write = (value: string, identified?: typeof call) =>
      engine.write("putAtOnce", { room: "a", value }, identified);
    await write("first", call);
    batches.length = 0;
    const outcomes = await Promise.allSettled([
      write("a"),
      write("first", call),
      write("refused"),
      write("b", { ...call, key_hash: "another key" }),
      write("first", { ...call, fingerprint: "other" }),
      write("c"),
    ]);
    const shown = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.result : (outcome.reason as ServiceError).code,
    );
    expect(shown).toEqual(["1 a", "0 first", "storage_full", "2 b", "idempotency_key_reused", "3 c"]);
    expect(await listed(engine, "a")).toEqual(["0 first", "1 a", "2 b", "3 c"]);
    expect(batches).toEqual([4]);
    const repeated = await write("b", { ...call, key_hash: "another key" });
    expect(repeated).toMatchObject({ result: "2 b", repeated: true });
  });

  test("runs commands at once after those before them in the same room", async () => {
    const engine = await open();
    const written = await Promise.all([
      engine.write("putAtOnce", { room: "a", value: "x" }),
      engine.write("append", { room: "a" }),
      engine.write("putAtOnce", { room: "b", value: "x" }),
      engine.write("putAtOnce", { room: "a", value: "y" }),
    ]);
    expect(written.map(({ result }) => result)).toEqual(["0 x", 1, "1 x", "2 y"]);
  });

  test("runs a command again whose change came too late, and stores the others of its group once", async () => {
    const engine = await open();
    stale_left = 2;
    await Promise.all([
      put(engine, "a", "before"),
      engine.write("changes", { room: "b", value: "once" }),
      put(engine, "c", "after"),
    ]);
    const rooms = await Promise.all(["a", "b", "c"].map((room) => listed(engine, room)));
    expect(rooms).toEqual([["before"], ["once"], ["after"]]);
    stale_left = Number.POSITIVE_INFINITY;
    const given_up = engine.write("changes", { room: "b", value: "never" });
    expect(given_up).rejects.toMatchObject({ code: "storage_busy" });
    await given_up.catch(() => undefined);
    stale_left = 0;
    expect(await listed(engine, "b")).toEqual(["once"]);
  });

  test("runs a write once for each idempotency key, whichever node it comes to", async () => {
    const nodes = [await open(), await open()] as const;
    const call = { key_hash: "key", fingerprint: "same", at: "2026-03-01T12:00:00.000Z" };
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, i) => nodes[i % 2]!.write("append", { room: "once" }, call)),
    );
    expect(written.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await listed(nodes[0], "once")).toEqual(["000000"]);
  });

  test("numbers rooms in the order in which they become visible", async () => {
    const nodes = [await open(), await open()] as const;
    const reader = await open();
    let seen = 0;
    const state = { is_done: false };
    const reading = (async () => {
      const found: number[] = [];
      for (let is_last = false; !is_last;) {
        // What is read after the last room was opened is everything.
        is_last = state.is_done;
        const rows = await reader.read((tx) =>
          tx.all<{ seq: number }>("SELECT seq FROM rooms WHERE seq > $1 ORDER BY seq LIMIT 1000", seen),
        );
        for (const { seq } of rows) found.push((seen = seq));
      }
      return found;
    })();
    const opened_rooms = await Promise.all(
      Array.from({ length: 100 }, (_, i) => nodes[i % 2]!.write("opens", { slug: `room-${i}` })),
    );
    state.is_done = true;
    const seqs = opened_rooms.map(({ result }) => result).sort((a, b) => a - b);
    expect(await reading).toEqual(seqs);
  });

  test("finds nothing for a text with NUL, and stores none", async () => {
    const engine = await open();
    expect(await listed(engine, "a\0b")).toEqual([]);
  });

  describe("finishes a backup in another thread", () => {
    const directory = newDirectory();
    afterAll(() => removeDirectory(directory));
    const startBackup = () =>
      new Worker(new URL("../../../src/app/backup_worker.ts", import.meta.url).href, { smol: true });

    test.each([false, true])("and says what is in it (compressed: %p)", async (compress) => {
      let started = 0;
      const engine = await open({ startBackup: () => (started++, startBackup()) });
      await put(engine, "a", "x");
      const file = join(directory, `backup-${compress}`);
      const { bytes, tables } = await engine.backup(file, { compress });
      expect([started, tables["answers"], bytes]).toEqual([1, 1, statSync(file).size]);
      expect(isCompressed(file)).toBe(compress);
    });

    test("and reports why it cannot", async () => {
      const file = join(directory, "taken");
      // Another process writes the file meanwhile.
      const engine = await open({ startBackup: () => (writeFileSync(file, "mine"), startBackup()) });
      const made = engine.backup(file);
      expect(made).rejects.toThrow(`${file} exists already.`);
      await made.catch(() => undefined);
      expect(readFileSync(file, "utf8")).toBe("mine");
      expect(existsSync(`${file}.partial`)).toBe(false);
    });

    test("and ends it when it is closed", async () => {
      const file = join(directory, "never");
      const started = Promise.withResolvers<void>();
      // A thread that does nothing takes as long as a huge database.
      const idle = join(directory, "idle.js");
      writeFileSync(idle, "onmessage = () => {};");
      const engine = await open({ startBackup: () => (started.resolve(), new Worker(idle)) });
      const failure = engine.backup(file).catch((error: unknown) => error);
      await started.promise;
      await engine.close();
      opened.length = 0;
      expect(await failure).toMatchObject({ code: "stopping" });
      expect(readdirSync(directory).filter((name) => name.startsWith("never"))).toEqual([]);
    });
  });

  test("ends a search that takes too long", async () => {
    const engine = await open();
    const slow = engine.search("slow", null);
    expect(slow).rejects.toMatchObject({ code: "search_timeout" });
    await slow.catch(() => undefined);
    expect(engine.search("wrong", null)).rejects.toThrow("no_such_column");
    expect(await listed(engine, "a")).toEqual([]);
  });

  describe("of several nodes", () => {
    const topicsOf = (engine: Engine): (string | null)[] => {
      const topics: (string | null)[] = [];
      engine.onChange("notify", (topic) => void topics.push(topic));
      return topics;
    };

    test("announces what another has written before a call that came afterwards is answered", async () => {
      const [writer, reader] = [await open({ hints: false }), await open({ hints: false })];
      const topics = topicsOf(reader);
      for (let i = 0; i < 50; i++) {
        await put(writer, String(i), "x");
        await reader.fresh!();
        expect(topics).toContain(`room:${i}`);
      }
    });

    test("announces each change once", async () => {
      const [writer, reader] = [await open({ hints: false }), await open({ hints: false })];
      const topics = topicsOf(reader);
      for (let i = 0; i < 20; i++) await Promise.all([put(writer, String(i), "x"), reader.fresh!()]);
      await reader.fresh!();
      expect(topics.filter((topic) => topic !== null).sort()).toEqual(
        Array.from({ length: 20 }, (_, i) => `room:${i}`).sort(),
      );
    });

    test.each([true, false])("wakes the others (hints: %p)", async (hints) => {
      const [writer, reader] = [await open({ hints }), await open({ hints })];
      const woken = Promise.withResolvers<void>();
      reader.onChange("notify", (topic) => {
        if (topic === "room:a") woken.resolve();
      });
      await put(writer, "a", "x");
      await woken.promise;
    });

    test("takes a crash of the server for a change of anything, and loses nothing that it has acknowledged", async () => {
      const [writer, reader] = [await open(), await open()];
      const topics = topicsOf(reader);
      const stored: string[] = [];
      const state = { is_over: false };
      const writing = (async () => {
        for (let i = 0; !state.is_over; i++) {
          const value = String(i).padStart(6, "0");
          const outcome = await put(writer, "a", value).catch((error: unknown) => error);
          if (!(outcome instanceof Error)) stored.push(value);
          else expect(outcome).toBeInstanceOf(ServiceError);
        }
      })();
      while (stored.length < 20) await Bun.sleep(1);
      await server.crash();
      await server.start();
      const before = stored.length;
      while (stored.length < before + 20) await Bun.sleep(1);
      state.is_over = true;
      await writing;
      const read = () => reader.fresh!().then(() => listed(reader, "a"));
      let values = await read().catch(() => null);
      // The reader finds by itself that the database is back.
      while (values === null) values = await Bun.sleep(10).then(() => read().catch(() => null));
      expect(topics).toContain(null);
      const found = new Set(values);
      expect(stored.filter((value) => !found.has(value))).toEqual([]);
    });
  });

  test("refuses a database of a newer build, and one that does not answer, with what to do", async () => {
    await (await open()).close();
    opened.length = 0;
    const sql = new Bun.SQL(server.url, { max: 1 });
    await sql.unsafe(`UPDATE test${schemas}.schema_version SET version = 1000`);
    await sql.close();
    expect(open()).rejects.toThrow("Run the newer build");
    const nowhere = { url: "postgres://wharf:secret@127.0.0.1:1/none", listen_url: null };
    const other = openPostgres({
      place: { ...nowhere, connections_max: 4, prepares: true },
      commands: {},
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: () => ({}),
      log: createLog(systemClock, "warn", () => undefined),
    });
    expect(other).rejects.toThrow(
      /^The database postgres:\/\/wharf@127\.0\.0\.1:1\/none cannot be reached: /,
    );
    await other.catch(() => undefined);
  });
});
