/** An instance is exported while it runs, and imported elsewhere: what its callers have continues to work there. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/storage/migrations.ts";
import { never_exported } from "../../src/storage/export/tables.ts";
import { asOwner, socketOf } from "../support/admin.ts";
import { importText, tablesIn } from "../support/exports.ts";
import { clockAfter, fixtureOf, placeFixture } from "../support/fixtures.ts";
import { call, get, post } from "../support/http.ts";
import { ask } from "../support/mcp_messages.ts";
import { moveToEngine } from "../support/moved.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

/** A database with rows in every table, made by the current code. */
const latest = migrations.length;
const fixture = fixtureOf(latest);
const { claimed, rooms, posts, jobs } = fixture;
const pair = (name: "ada" | "Grace Hopper" | "bob-2" | "gone") => ({
  "x-wf-name": name,
  "x-wf-key": claimed[name].key,
});

const original = newDirectory();
let service: SourceService;
beforeAll(async () => {
  placeFixture(latest, original);
  await moveToEngine(original);
  service = await startSource({ data_dir: original }, clockAfter(fixture));
});
afterAll(async () => {
  await service.stop();
  removeDirectory(original);
});

const exported = (query = ""): Promise<Response> =>
  fetch(`http://localhost/api/admin/export${query}`, { unix: socketOf(service) });

/** Starts a service on what an export becomes. */
async function startImported(text: string): Promise<SourceService> {
  const parent = newDirectory();
  const data_dir = join(parent, "imported");
  await importText(data_dir, text);
  await moveToEngine(data_dir);
  const imported = await startSource({ data_dir }, clockAfter(fixture), 2);
  return {
    ...imported,
    async stop() {
      await imported.stop();
      removeDirectory(parent);
    },
  };
}

const room_at = (url: string, slug: string) => `${url}/api/meet/rooms/${slug}`;
const whoami = async (url: string, name: Parameters<typeof pair>[0]) =>
  (await post(`${url}/api/name/whoami`, {}, pair(name))).status;
const verdicts = (url: string) =>
  Promise.all(
    [...Object.values(fixture.receipts), claimed.ada.receipt].map(
      async (receipt) => (await post(`${url}/receipt/verify`, { receipt })).body.verdict,
    ),
  );

describe("who may export", () => {
  test("a token with the scope operate may, also with secrets, which it gets by a backup anyway; no other may", async () => {
    const statusFor = async (scope: string) => {
      const { body } = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
        label: scope,
        scope,
      });
      const headers = { authorization: `Bearer ${body.token}` };
      const answer = await fetch(`${service.url}/api/admin/export?secrets=1`, { headers });
      await answer.text();
      return answer.status;
    };
    expect(await statusFor("operate")).toBe(200);
    expect(await statusFor("moderate")).toBe(403);
    expect((await get(`${service.url}/api/admin/export`)).status).toBe(401);
    expect((await asOwner(service, "GET", "/api/admin/export?secrets=yes")).status).toBe(422);
  });

  test("the audit log has who exported what, and so has the export", async () => {
    const text = await (await exported("?secrets=1")).text();
    const { body } = await asOwner<{ lines: object[] }>(service, "GET", "/api/admin/audit?limit=1");
    expect(body.lines).toMatchObject([{ actor: "owner", action: "instance.export", target: "with secrets" }]);
    expect(text).toContain('"action":"instance.export","target":"with secrets"');
  });
});

test("the copy that an export is made from has no name, and leaves nothing if its reader goes away", async () => {
  const before = readdirSync(original).sort();
  const reader = (await exported("?secrets=1")).body!.getReader();
  await reader.read();
  expect(readdirSync(original).sort()).toEqual(before);
  await reader.cancel();
  expect((await (await exported()).text()).trimEnd().split("\n").at(-1)).toStartWith('{"end":');
  expect(readdirSync(original).sort()).toEqual(before);
});

describe("with secrets", () => {
  let imported: SourceService;
  let text: string;
  beforeAll(async () => {
    text = await (await exported("?secrets=1")).text();
    imported = await startImported(text);
  });
  afterAll(() => imported.stop());

  test("every table has the same rows", async () => {
    const directory = join(newDirectory(), "imported");
    await importText(directory, text);
    const backup = join(directory, "backup");
    const made = await fetch("http://localhost/api/admin/backup", { unix: socketOf(service) });
    await Bun.write(backup, await made.bytes());
    const [before, after] = [backup, join(directory, "wharf.db")].map(tablesIn);
    for (const table of Object.keys(before!).filter((name) => !never_exported.includes(name))) {
      if (/^(?:job_)?search_/.test(table) || /^(?:job_)?search$/.test(table)) continue;
      const exported = before![table]!.filter((row) => !row.includes('"instance.backup"'));
      expect([table, after![table]]).toEqual([table, exported]);
    }
    removeDirectory(join(directory, ".."));
  });

  test("rooms, posts, slots, jobs and mailboxes read the same", async () => {
    const read: [string, Record<string, string>?][] = [
      [`/api/meet/rooms/${rooms.open}?proof=1`],
      [`/api/meet/rooms/${rooms.unlisted}`],
      [`/api/meet/rooms/${rooms.closed}`],
      ["/api/meet/rooms"],
      ["/api/locker", pair("ada")],
      ["/api/locker/private/notes", pair("ada")],
      ["/locker/ada/public"],
      ...Object.values(jobs).map((id): [string] => [`/api/jobs/${id}`]),
      ["/api/jobs"],
      ["/api/mailbox", pair("ada")],
      ["/api/name/ada"],
    ];
    for (const [path, headers = {}] of read) {
      const [there, here] = await Promise.all(
        [service, imported].map(async ({ url }) =>
          JSON.parse(JSON.stringify(await get(url + path, headers)).replaceAll(url, "")),
        ),
      );
      expect([path, here.status, here.body]).toEqual([path, 200, there.body]);
    }
  });

  test("names open by the same keys and recovery codes, and old receipts are valid", async () => {
    for (const name of ["ada", "Grace Hopper", "bob-2"] as const)
      expect([name, await whoami(imported.url, name)]).toEqual([name, 200]);
    expect(await whoami(imported.url, "gone")).toBe(401);
    const { recovery_code } = claimed.gone;
    const recovered = await post(`${imported.url}/api/name/recover`, { name: "gone", recovery_code });
    expect(recovered.status).toBe(200);
    expect(await verdicts(imported.url)).toEqual(["valid", "valid", "valid"]);
  });

  test("searches find what they found", async () => {
    const found = async () =>
      (await get<{ rooms: { slug: string }[] }>(`${imported.url}/api/meet/rooms?q=العربية`)).body.rooms;
    while ((await found()).length === 0) await Bun.sleep(10);
    expect((await found()).map(({ slug }) => slug)).toEqual([rooms.open]);
  });

  test("a repeated call gets its first answer, the host closes the room, and a session continues", async () => {
    const again = await post(
      `${room_at(imported.url, rooms.open)}/posts`,
      { name: "Unclaimed", body: "Only once." },
      { "idempotency-key": "0b6b7a52-6b9f-4f0a-9f6e-2f1d6f7d1c11" },
    );
    expect(again.body).toMatchObject({ id: posts.accepted.id });
    expect((await ask(`${imported.url}/mcp`, "ping", {}, { "mcp-session-id": fixture.session })).status).toBe(
      200,
    );
    const closed = await post(`${room_at(imported.url, rooms.open)}/close`, undefined, {
      "x-meet-key": fixture.host_key,
    });
    expect(closed.body).toMatchObject({ closed: true });
  });
});

describe("without secrets", () => {
  let imported: SourceService;
  beforeAll(async () => {
    imported = await startImported(await (await exported()).text());
  });
  afterAll(() => imported.stop());

  test("what callers may read is there; what only its owner reads, and unlisted rooms, are not", async () => {
    const { url } = imported;
    const { body } = await get<{ posts: { body: string }[] }>(room_at(url, rooms.open));
    expect(body.posts.map((post) => post.body)).toContain("By what they are for.");
    expect((await get(`${url}/locker/ada/public`)).body).toMatchObject({ value: "For all." });
    for (const id of Object.values(jobs)) expect((await get(`${url}/api/jobs/${id}`)).status).toBe(200);
    expect((await get(room_at(url, rooms.unlisted))).status).toBe(404);
    expect((await get(`${url}/locker/ada/private/notes`)).status).toBe(404);
    expect((await get(`${service.url}/api/name/ada`)).body).toMatchObject({ reach: { by: "watch" } });
    expect((await get(`${url}/api/name/ada`)).body).toMatchObject({ reach: { by: "none" } });
  });

  test("nobody opens a name, recovers it or takes it", async () => {
    const { url } = imported;
    expect(await whoami(url, "ada")).toBe(401);
    for (const recovery_code of [claimed.ada.recovery_code, ""]) {
      const { status } = await post(`${url}/api/name/recover`, { name: "ada", recovery_code });
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect((await post(`${url}/api/name`, { name: "ada" })).status).toBe(409);
    const spoken = await post(`${room_at(url, rooms.open)}/posts`, { name: "ada", body: "It is me." });
    expect(spoken.status).toBe(403);
  });

  test("the host's key closes nothing", async () => {
    for (const key of [fixture.host_key, ""]) {
      const answer = await call("POST", `${room_at(imported.url, rooms.open)}/close`, undefined, {
        "x-meet-key": key,
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  test("old receipts are valid, and new ones are signed with a new key", async () => {
    const { url } = imported;
    expect(await verdicts(url)).toEqual(["valid", "valid", "valid"]);
    const { body } = await post<{ key: string; receipt: string }>(`${url}/api/name`, { name: "newcomer" });
    const kid = (receipt: string) =>
      JSON.parse(Buffer.from(receipt.split(".")[0]!, "base64url").toString()).kid;
    expect(kid(body.receipt)).not.toBe(kid(claimed.ada.receipt));
    expect((await post(`${url}/receipt/verify`, { receipt: body.receipt })).body.verdict).toBe("valid");
  });

  test("the beacon shows no round of the original", async () => {
    const { round, seed } = fixture.last_revealed;
    const { status, body } = await get(`${imported.url}/api/beacon/${round}`);
    expect(JSON.stringify(body)).not.toContain(seed);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test("new posts continue the room", async () => {
    const said = await post(`${room_at(imported.url, rooms.open)}/posts`, { name: "New", body: "After." });
    expect(said.body).toMatchObject({ n: 6 });
  });
});
