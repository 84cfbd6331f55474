/** A database of any schema version since 0.1.0 starts and serves all its data. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../src/storage/migrations.ts";
import { clockAfter, fixture_schemas, fixtureOf, placeFixture } from "../support/fixtures.ts";
import { call, get, post } from "../support/http.ts";
import { moveToEngine } from "../support/moved.ts";
import { ask } from "../support/mcp_messages.ts";
import { token, whoamiWith } from "../support/oauth.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

test("there is a fixture of each schema version: `bun test/fixtures/make.ts bun src/main.ts` makes the latest", () => {
  const released_first = 9;
  const versions = Array.from(
    { length: migrations.length - released_first + 1 },
    (_, i) => released_first + i,
  );
  expect(fixture_schemas).toEqual(versions);
});

/** Columns that have their default in the latest fixture: what they are for happens in no call of `make.ts`. */
const unused_columns = {
  reports: "count settled_at",
  name_rules: "until",
  bans: "until",
  rooms: "removed_through removed_until removed_at removed_because",
  jobs: "redacted",
  answers: "key path fingerprint result at",
  signing_keys: "retired_at",
  mcp_sessions: "network wide_network",
  beacon_gaps: "first last",
  invites: "expires revoked_at",
  deleted_rooms: "because",
  admin_tokens: "revoked_at",
  mailboxes: "read_through dropped_through",
  webhooks: "asleep",
  webhook_caller: "id node until",
};

test("the latest fixture has a value in each other column: `test/fixtures/make.ts` writes it", () => {
  const directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  const database = new Database(join(directory, "wharf.db"));
  const columns = database
    .query<{ in_table: string; name: string; default_value: string | null }, []>(
      "SELECT t.name AS in_table, c.name, c.dflt_value AS default_value FROM pragma_table_list t " +
        "JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
    )
    .all();
  const unused = columns.filter(({ in_table, name, default_value }) => {
    const is_used = `${name} IS NOT NULL AND ${name} IS NOT ${default_value ?? "NULL"}`;
    return !database.query(`SELECT 1 FROM ${in_table} WHERE ${is_used} LIMIT 1`).get();
  });
  database.close();
  removeDirectory(directory);
  const by_table = Map.groupBy(unused, ({ in_table }) => in_table);
  const found = Array.from(by_table, ([table, all]) => [table, all.map(({ name }) => name).join(" ")]);
  expect(Object.fromEntries(found)).toEqual(unused_columns);
});

const with_programs = fixture_schemas.filter((schema) => fixtureOf(schema).program);

test.each(with_programs)("a program of schema version %d goes on with its tokens", async (schema) => {
  const fixture = fixtureOf(schema);
  const { base, access_token, ...program } = fixture.program!;
  const directory = newDirectory();
  placeFixture(schema, directory);
  await moveToEngine(directory);
  const settings = { data_dir: directory, oauth: true, base_url: base };
  const service = await startSource(settings, clockAfter(fixture));
  expect(await whoamiWith(service.url, access_token)).toEqual([200, "ada"]);
  const { status, body } = await token(service.url, { grant_type: "refresh_token", ...program });
  expect(status).toBe(200);
  expect(await whoamiWith(service.url, body.access_token)).toEqual([200, "ada"]);
  await service.stop();
  removeDirectory(directory);
});

const with_leases = fixture_schemas.filter((schema) => fixtureOf(schema).lease);

test.each(with_leases)(
  "a lease of schema version %d is held, and the next has a higher number",
  async (schema) => {
    const fixture = fixtureOf(schema);
    const { fence } = fixture.lease!;
    const directory = newDirectory();
    placeFixture(schema, directory);
    await moveToEngine(directory);
    const service = await startSource({ data_dir: directory }, clockAfter(fixture));
    const leases_at = `${service.url}/api/meet/rooms/${fixture.rooms.open}/leases`;
    const pair = (name: "ada" | "Grace Hopper") => ({
      "x-wf-name": name,
      "x-wf-key": fixture.claimed[name].key,
    });
    const wanted = { paths: ["src/app.ts"], ttl_seconds: 60 };
    expect(await post(leases_at, wanted, pair("Grace Hopper"))).toMatchObject({
      status: 409,
      body: { code: "lease_held", path: "src", holder: "ada", purpose: "Moving files" },
    });
    const left = await post(`${leases_at}/release`, { fence, paths: ["src"] }, pair("ada"));
    expect(left.body).toEqual({ fence, released: ["src"], paths: ["issue/12"] });
    const taken = await post(leases_at, wanted, pair("Grace Hopper"));
    expect(taken.status).toBe(201);
    expect(taken.body.fence).toBeGreaterThan(fence);
    await service.stop();
    removeDirectory(directory);
  },
);

describe.each(fixture_schemas)("schema version %d", (schema) => {
  const directory = newDirectory();
  const fixture = fixtureOf(schema);
  const { claimed, rooms, posts, jobs } = fixture;
  const pair = (name: keyof typeof claimed) => ({ "x-wf-name": name, "x-wf-key": claimed[name].key });
  const room_at = (slug: string) => `/api/meet/rooms/${slug}`;

  let service: SourceService;
  let url: string;
  beforeAll(async () => {
    placeFixture(schema, directory);
    await moveToEngine(directory);
    service = await startSource({ data_dir: directory }, clockAfter(fixture));
    url = service.url;
  });
  afterAll(async () => {
    await service.stop();
    removeDirectory(directory);
  });

  test("returns rooms, posts and tombstones as they were written", async () => {
    const { body } = await get<{ posts: { id: string; body: string | null; redacted?: string }[] }>(
      url + room_at(rooms.open),
    );
    expect(body.posts.map((post) => post.body)).toEqual([
      "By what they are for.",
      "Or by who made them? @ada",
      null,
      posts.unusual,
      "Only once.",
    ]);
    expect(body.posts[2]).toMatchObject({ id: posts.redacted, redacted: "author" });
    expect((await get(url + room_at(rooms.unlisted))).status).toBe(200);
    expect((await get(url + room_at(rooms.closed))).body).toMatchObject({ room: { closed: true } });
    const listed = await get<{ rooms: { slug: string }[] }>(`${url}/api/meet/rooms`);
    expect(listed.body.rooms.map(({ slug }) => slug)).toEqual([rooms.open]);
  });

  test("numbers the posts of each room in the order of their times, and continues from there", async () => {
    const slugs = [rooms.open, rooms.closed];
    const numbered = slugs.map(async (slug) => {
      const { body } = await get<{ room: { posts: number }; posts: { n: number }[] }>(url + room_at(slug));
      return [body.room.posts, body.posts.map(({ n }) => n)] as const;
    });
    expect(await Promise.all(numbered)).toEqual([
      [5, [1, 2, 3, 4, 5]],
      [1, [1]],
    ]);
    const reply = await get<{ posts: { in_reply_to: string }[] }>(
      `${url}${room_at(rooms.open)}?before=3&limit=1`,
    );
    expect(reply.body.posts).toMatchObject([{ n: 2, in_reply_to: posts.first.id }]);
  });

  test("lists the posts that came with the key of a name, and the jobs that it delivered", async () => {
    type Listed = { room: string; n: number; name: string; claimed: boolean }[];
    const { body: room } = await get<{ posts: Listed }>(url + room_at(rooms.open));
    const own = room.posts.filter(({ name, claimed }) => claimed && name === "ada");
    const { body } = await get<{ posts: Listed }>(`${url}/api/name/ADA/posts`);
    expect(body.posts.map(({ n }) => n)).toEqual(own.map(({ n }) => n).toReversed());
    expect(own.length).toBeGreaterThan(1);
    const delivered = await get<{ jobs: { id: string }[] }>(`${url}/api/jobs?delivered_by=grace.hopper`);
    expect(delivered.body.jobs.map(({ id }) => id)).toEqual([jobs.reviewed, jobs.delivered]);
  });

  test("returns the number in the answer to a call that the older release answered", async () => {
    const again = await post(
      `${url}${room_at(rooms.open)}/posts`,
      { name: "Unclaimed", body: "Only once." },
      { "idempotency-key": "0b6b7a52-6b9f-4f0a-9f6e-2f1d6f7d1c11" },
    );
    expect([again.status, again.body]).toEqual([201, { ...posts.accepted, n: 5 }]);
  });

  test("accepts posts in old rooms, redacts an old post, and closes with the old host key", async () => {
    const posts_at = `${url}${room_at(rooms.open)}/posts`;
    const said = await post<{ ts: string; n: number }>(posts_at, { name: "New", body: "After the upgrade." });
    expect(said.status).toBe(201);
    expect(said.body.ts > posts.accepted.ts).toBe(true);
    expect(said.body.n).toBe(6);
    const redacted = await call("DELETE", `${posts_at}/${posts.first.id}`, undefined, pair("ada"));
    expect(redacted.body).toMatchObject({ body: null, redacted: "author" });
    const closed = await post(`${url}${room_at(rooms.open)}/close`, undefined, {
      "x-meet-key": fixture.host_key,
    });
    expect(closed.body).toMatchObject({ closed: true });
  });

  test("accepts the keys of names, also of names that are reserved today, but not a revoked one", async () => {
    const names = ["ada", "Grace Hopper", "bob-2", "adm1n", "Wharf Admin"] as const;
    // Later releases let nobody claim the last two.
    for (const name of names.filter((name) => name in claimed)) {
      expect([name, (await post(`${url}/api/name/whoami`, {}, pair(name))).status]).toEqual([name, 200]);
    }
    expect((await post(`${url}/api/name/whoami`, {}, pair("gone"))).status).toBe(401);
    const { recovery_code } = claimed.gone;
    expect((await post(`${url}/api/name/recover`, { name: "gone", recovery_code })).status).toBe(200);
  });

  test("shows how a name was reached last", async () => {
    const { body } = await get(`${url}/api/name/ada`);
    expect(body.reach).toEqual(fixture.reach ?? { by: "none" });
  });

  test("returns the slots of the locker", async () => {
    const { body } = await get<{ slots: { slot: string }[] }>(`${url}/api/locker`, pair("ada"));
    expect(body.slots.map(({ slot }) => slot)).toEqual(["private/notes", "public"]);
    const slot = await get(`${url}/api/locker/private/notes`, pair("ada"));
    expect(slot.body).toMatchObject({ value: "Only for ada." });
    expect((await get(`${url}/locker/ada/public`)).body).toMatchObject({ value: "For all." });
  });

  test("keeps the states of jobs and the notes of the mailbox", async () => {
    const states = { open: "open", held: "held", delivered: "delivered", reviewed: "delivered" } as const;
    for (const [title, state] of Object.entries(states)) {
      const { body } = await get(`${url}/api/jobs/${jobs[title as keyof typeof jobs]}`);
      expect([title, body.state]).toEqual([title, state]);
    }
    const delivered = await post(
      `${url}/api/jobs/${jobs.held}/deliver`,
      { result: "Late." },
      pair("Grace Hopper"),
    );
    expect(delivered.status).toBe(201);
    const { body } = await get<{ notes: { kind: string }[] }>(`${url}/api/mailbox`, pair("ada"));
    const kinds = body.notes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "job.delivered")).toHaveLength(3);
    expect(kinds).toContain("room.reply");
  });

  test("keeps receipts valid and the beacon's rounds unchanged", async () => {
    for (const receipt of [...Object.values(fixture.receipts), claimed.ada.receipt]) {
      const { body } = await post(`${url}/receipt/verify`, { receipt });
      expect(body.verdict).toBe("valid");
    }
    const { round, seed, commit } = fixture.last_revealed;
    expect((await get(`${url}/api/beacon/${round}`)).body).toMatchObject({ seed, commit, revealed: true });
  });

  if ("cookie" in fixture) {
    test("continues the session of a browser", async () => {
      const answer = await get(`${url}/api/locker`, { cookie: String(fixture.cookie) });
      expect([answer.status, answer.body.name]).toEqual([200, "ada"]);
    });
  }

  test("continues an MCP session", async () => {
    const answer = await ask(`${url}/mcp`, "ping", {}, { "mcp-session-id": fixture.session });
    expect(answer.body.result).toEqual({});
  });
});
