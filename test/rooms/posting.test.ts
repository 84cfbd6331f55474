/** Posts that come together have the same results as one after the other. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { commands } from "../../src/app/commands.ts";
import { isoTime } from "../../src/core/clock.ts";
import type { Outcome } from "../../src/core/storage.ts";
import { putNote } from "../../src/mailbox/commands.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { lookKey } from "../../src/names/imitation.ts";
import { claimedSince, countCommand, findSpeakers } from "../../src/names/commands.ts";
import { insertName, putRule } from "../../src/names/store.ts";
import { speak, speakAll, type SpeakInput, type Stored } from "../../src/rooms/posting.ts";
import { runAllIdempotent } from "../../src/storage/idempotency.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { testRandom } from "../support/seed.ts";

const random = testRandom("posting");
const start_ms = Date.parse("2026-03-01T12:00:00.000Z");
const rules = { findSpeakers, countCommand, claimedSince, canonicalName, putNote };
const rooms = ["one", "two", "three", "closed"];
const claimed = ["ada", "bob"];

const idOf = (i: number): string => `019ca945-0a00-7000-8000-${String(i).padStart(12, "0")}`;

/** A database with rooms, claimed names, and rules for names. */
async function newDatabase(): Promise<Connection> {
  const tx = new Connection(new Database(":memory:"), { busy_ms: 0 });
  tx.database.run("PRAGMA foreign_keys = ON");
  migrate(tx.database);
  for (const goal of rooms) {
    await commands["rooms.open"](tx, {
      identity: null,
      goal,
      name: "host",
      visibility: goal === "two" ? "unlisted" : "public",
      slugs: [goal],
      host_key_sha256: "key",
      now_ms: start_ms,
      first_post: { id: idOf(1_000 + rooms.indexOf(goal)), body: "hello", salt: "00".repeat(16) },
    });
  }
  await commands["rooms.close"](tx, { room: "closed", by: { host_key_sha256: "key" }, now_ms: start_ms });
  const created = isoTime(start_ms);
  for (const name of claimed) {
    const look = lookKey(name);
    await insertName(tx, {
      canonical: name,
      name,
      look,
      looks_ascii: 0,
      created,
      key_sha256: name,
      recovery_sha256: name,
    });
  }
  for (const rule of ["suspended", "reserved"] as const) {
    await putRule(tx, { canonical: rule, rule, name: rule, look: rule, until: null, reason: "", created });
  }
  return tx;
}

/** A post of any kind: stored or refused, under a claimed name or not, a reply to a post that may come with it. */
function anyInput(i: number): SpeakInput {
  const name = random.oneOf(["ada", "Bob", "guest", "аdа", "suspended", "reserved", "operator"]);
  const sends_key = random.below(2) === 0;
  const canonical = canonicalName(name);
  const key_sha256 = random.oneOf([canonical, canonical, canonical, "another key"]);
  const if_latest = random.oneOf([null, null, null, 0, 1, 2, 3, 4, 6, 8, 90]);
  return {
    identity: sends_key ? { canonical: random.oneOf([canonical, canonical, "ada"]), name, key_sha256 } : null,
    room: random.oneOf(["one", "one", "one", "two", "three", "closed", "none"]),
    id: idOf(i),
    name,
    body: random.oneOf(["hello", "for @ada", "@bob and @ada, also @nobody"]),
    salt: "00".repeat(16),
    in_reply_to: random.oneOf([null, null, 1, "#2", 3, 5, 40, idOf(1_000), idOf(random.below(i + 1))]),
    now_ms: start_ms + random.below(20) - 5,
    ...(if_latest !== null && { if_latest }),
  };
}

/** The members of inputs that make each outcome certain. */
const identityOf = (canonical: string, name: string, key_sha256 = canonical) => ({
  canonical,
  name,
  key_sha256,
});
const certain: Partial<SpeakInput>[] = [
  { name: "guest", identity: null },
  { name: "ada", identity: null },
  { name: "ada", identity: identityOf("ada", "ada", "another key") },
  { name: "guest", identity: identityOf("ada", "ada") },
  { name: "suspended", identity: null },
  { name: "reserved", identity: null },
  { name: "guest", identity: null, room: "closed" },
  { name: "guest", identity: null, room: "none" },
  { name: "guest", identity: null, in_reply_to: 40 },
  { name: "guest", identity: null, if_latest: 0 },
];

/** An input that has one of these outcomes, after a first post in its room. */
function certainInput(i: number): SpeakInput {
  const { if_latest: _if_latest, ...any } = anyInput(i);
  return { ...any, room: "one", in_reply_to: null, ...certain[i % certain.length]! };
}

const withoutCondition = ({ if_latest: _if_latest, ...input }: SpeakInput): SpeakInput => input;

const shown = (outcomes: Outcome<Stored>[]) =>
  outcomes.map((outcome) =>
    "error" in outcome ? { code: outcome.error.code, detail: outcome.error.message } : outcome.result,
  );

async function oneByOne(tx: Connection, inputs: SpeakInput[]): Promise<Outcome<Stored>[]> {
  const outcomes: Outcome<Stored>[] = [];
  for (const input of inputs) {
    outcomes.push(
      await speak(tx, rules, input).then(
        (result) => ({ result }),
        (error) => ({ error }),
      ),
    );
  }
  return outcomes;
}

const rowsOf = (tx: Connection) =>
  ["rooms", "posts", "names", "mailboxes", "notes"].map((table) =>
    tx.database.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );

test("posts that come together have the same results as one after the other", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const [together, apart] = [await newDatabase(), await newDatabase()];
    for (let i = 0; i < 60; i += 20) {
      const inputOf = round === 0 ? certainInput : anyInput;
      const inputs = Array.from({ length: 20 }, (_, j) => inputOf(i + j));
      const outcomes = shown(await speakAll(together, rules, inputs));
      expect(outcomes).toEqual(shown(await oneByOne(apart, inputs)));
      for (const outcome of outcomes) seen.add("code" in outcome ? outcome.code : "stored");
    }
    expect(rowsOf(together)).toEqual(rowsOf(apart));
    together.close();
    apart.close();
  }
  expect([...seen].sort()).toEqual([
    "invalid_fields",
    "name_is_claimed",
    "name_mismatch",
    "name_reserved",
    "name_suspended",
    "room_closed",
    "room_moved_on",
    "room_not_found",
    "stored",
    "unknown_credential",
  ]);
});

test("a post that comes several times at once with an idempotency key is stored once", async () => {
  const tx = await newDatabase();
  const call = { key_hash: "key", fingerprint: "the same", at: isoTime(start_ms) };
  const other = { ...call, fingerprint: "another" };
  const commandsOf = (calls: (typeof call | undefined)[]) =>
    calls.map((one, i) => ({
      call: one,
      input: {
        ...withoutCondition(anyInput(i)),
        name: "guest",
        identity: null,
        room: "one",
        in_reply_to: null,
      },
    }));
  const outcomes = await runAllIdempotent(
    tx,
    commandsOf([call, undefined, call, other, call]),
    (_tx, inputs) => speakAll(tx, rules, inputs as SpeakInput[]),
  );
  expect(outcomes).toMatchObject([
    { result: { result: { id: idOf(0) }, repeated: false } },
    { result: { result: { id: idOf(1) }, repeated: false } },
    { result: { result: { id: idOf(0) }, repeated: true } },
    { error: { code: "idempotency_key_reused" } },
    { result: { result: { id: idOf(0) }, repeated: true } },
  ]);
  expect(await tx.get("SELECT posts FROM rooms WHERE slug = 'one'")).toEqual({ posts: 3 });
  tx.close();
});
