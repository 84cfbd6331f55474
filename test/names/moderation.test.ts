/** Suspended, reserved and released names. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { untilErased } from "../support/stored.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const reason = "insults";
const act = (name: string, action: string, more: object = {}) =>
  asOwner(service, "POST", `/api/admin/names/${encodeURIComponent(name)}/${action}`, { reason, ...more });
const speakAs = (room: { api: string }, name: string, headers = {}) =>
  post(`${room.api}/posts`, { name, body: "hello" }, headers);
const lines = async () =>
  (await asOwner<{ lines: { action: string; target: string }[] }>(service, "GET", "/api/admin/audit")).body
    .lines;
const mailboxOf = async ({ pair }: Holder) =>
  (await get<{ notes: Record<string, unknown>[] }>(`${service.url}/api/mailbox`, pair)).body;

describe("a suspended name", () => {
  test("is the one in the path, whatever the body says of a name", async () => {
    const [pat, kim] = [await claim(service.url, "pat"), await claim(service.url, "kim")];
    expect((await act("pat", "suspend", { name: "kim" })).body).toMatchObject({ name: "pat" });
    expect((await get(`${service.url}/api/mailbox`, pat.pair)).status).toBe(403);
    expect((await get(`${service.url}/api/mailbox`, kim.pair)).status).toBe(200);
    expect((await act("pat", "unsuspend", { name: {} })).status).toBe(200);
  });

  test("opens nothing by its key, over HTTP and MCP, and nobody speaks under it or claims it", async () => {
    const ann = await claim(service.url, "ann");
    const room = await open(service.url, "Suspended");
    const until = new Date(service.clock.now() + 3_600_000).toISOString();
    expect((await act("ANN", "suspend", { until })).body).toMatchObject({
      name: "ann",
      claimed: true,
      suspended: { until },
    });
    for (const [method, path] of [
      ["GET", "/api/meet/rooms"],
      ["GET", "/api/mailbox"],
      ["GET", "/api/locker"],
      ["POST", "/api/name/rotate"],
      ["POST", "/api/name/whoami"],
    ] as const) {
      const refused = await call(method, service.url + path, undefined, ann.bearer);
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, "name_suspended"]);
      expect(refused.body.until).toBe(until);
      expect(JSON.stringify(refused.body)).not.toContain(reason);
    }
    const tool = { name: "locker_list", arguments: { name: "ann", key: ann.key } };
    const rpc = await post(`${service.url}/mcp`, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: tool,
    });
    expect(JSON.stringify(rpc.body)).toContain("name_suspended");
    expect((await speakAs(room, "ann", ann.pair)).body.code).toBe("name_suspended");
    expect((await speakAs(room, "Ann")).body.code).toBe("name_suspended");
    expect((await get(`${service.url}/api/name/ann`)).body).toMatchObject({ suspended: { until } });
    const page = await fetch(`${service.url}/name/ann`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain(`Suspended by the operator until <time datetime="${until}"`);
    const twin = await fetch(`${service.url}/name/ann.md`);
    expect(await twin.text()).toContain(`Suspended by the operator until ${until}.`);
    service.clock.advance(3_601);
    expect((await speakAs(room, "ann", ann.pair)).status).toBe(201);
    expect((await get(`${service.url}/api/name/ann`)).body).not.toHaveProperty("suspended");
  });

  test("need not be claimed, and a name that looks like it is refused, too", async () => {
    const room = await open(service.url, "Unclaimed");
    expect((await act("mallory", "suspend")).body).toMatchObject({
      name: "mallory",
      claimed: false,
      suspended: { until: null },
    });
    for (const name of ["mallory", "Mallory", "MAL10RY".replace("10", "l0")]) {
      expect([name, (await speakAs(room, name)).body.code]).toEqual([name, "name_suspended"]);
    }
    // The a is Cyrillic.
    expect((await speakAs(room, "m\u0430llory")).body.code).toBe("name_reserved");
    expect((await post(`${service.url}/api/name`, { name: "mallory" })).body.code).toBe("name_suspended");
    expect((await act("mallory", "unsuspend")).body).toMatchObject({ name: "mallory", claimed: false });
    expect((await speakAs(room, "mallory")).status).toBe(201);
  });

  test("loses its waits and streams at once, and the jobs that it holds", async () => {
    const [eve, bob] = [await claim(service.url, "eve"), await claim(service.url, "bob")];
    const room = await open(service.url, "Watched");
    const job = await postJob(service.url, bob);
    expect((await call("POST", `${service.url}/api/jobs/${job.id}/claim`, undefined, eve.pair)).status).toBe(
      200,
    );
    const mailbox = await readEvents(`${service.url}/api/mailbox/stream`, eve.pair);
    const stream = await readEvents(`${room.api}/stream`, eve.bearer);
    const wait = get(`${service.url}/api/mailbox?wait_seconds=50&since=1000`, eve.pair);
    const tool = { name: "wait", arguments: { name: "eve", key: eve.key, mailbox: "now", wait_seconds: 50 } };
    const mcp = post(`${service.url}/mcp`, { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool });
    while (service.open().waits < 2 || service.open().streams < 2) await Bun.sleep(1);
    await act("eve", "suspend");
    expect(await mailbox.next()).toBeNull();
    expect(await stream.next()).toBeNull();
    expect((await wait).body).toMatchObject({ status: 403, code: "name_suspended" });
    expect(JSON.stringify((await mcp).body)).toContain("name_suspended");
    expect((await get(`${service.url}/api/jobs/${job.id}`)).body).toMatchObject({ state: "open" });
    const { notes } = await mailboxOf(bob);
    expect(notes.map(({ kind }) => kind)).toEqual(["job.claimed", "job.released"]);
    expect(notes[1]).toMatchObject({ job: job.id, by: "eve" });
  });

  test("can be revoked and recovered, which opens nothing until the suspension ends", async () => {
    const dan = await claim(service.url, "dan");
    await act("dan", "suspend");
    const recovered = await post<{ key: string }>(`${service.url}/api/name/recover`, {
      name: "dan",
      recovery_code: dan.recovery_code,
    });
    expect(recovered.status).toBe(200);
    const authorization = `Bearer ${recovered.body.key}`;
    expect((await post(`${service.url}/api/name/whoami`, undefined, { authorization })).status).toBe(403);
    await act("dan", "unsuspend");
    expect((await post(`${service.url}/api/name/whoami`, undefined, { authorization })).status).toBe(200);
  });
});

describe("a reserved name", () => {
  test("can be neither claimed nor spoken under, in any spelling", async () => {
    const room = await open(service.url, "Reserved");
    expect((await act("Acme", "reserve")).body).toMatchObject({
      name: "Acme",
      claimed: false,
      reserved: true,
    });
    for (const name of ["acme", "ACME", "a\u0441me"]) {
      const refused = await speakAs(room, name);
      expect([name, refused.status, refused.body.code]).toEqual([name, 422, "name_reserved"]);
    }
    const refused = await post(`${service.url}/api/name`, { name: "acme" });
    expect([refused.status, refused.body.code]).toEqual([422, "name_reserved"]);
    expect((await get(`${service.url}/api/name/acme`)).body).toMatchObject({
      code: "name_not_claimed",
      claimed: false,
      reserved: true,
    });
    await act("acme", "unreserve");
    expect((await speakAs(room, "acme")).status).toBe(201);
    await claim(service.url, "acme");
  });

  test("that is claimed stays its holder's, and is nobody's after a release", async () => {
    const room = await open(service.url, "Held");
    const zoe = await claim(service.url, "zoe");
    await act("zoe", "reserve");
    expect((await speakAs(room, "zoe", zoe.pair)).status).toBe(201);
    await act("zoe", "release");
    expect((await post(`${service.url}/api/name`, { name: "zoe" })).body.code).toBe("name_reserved");
  });
});

describe("a released name", () => {
  test("passes nothing of its former holder to the next", async () => {
    const { url } = service;
    const [old, worker] = [await claim(url, "Grace"), await claim(url, "worker")];
    const canary = "xylophonecanary";
    const slot = `${url}/api/locker/secret`;
    await call("PUT", slot, { value: canary }, old.pair);
    const open_job = await postJob(url, old);
    const delivered = await postJob(url, old);
    await call("POST", `${url}/api/jobs/${delivered.id}/claim`, undefined, worker.pair);
    await call("POST", `${url}/api/jobs/${delivered.id}/deliver`, { result: "done" }, worker.pair);
    const others = await postJob(url, worker);
    await call("POST", `${url}/api/jobs/${others.id}/claim`, undefined, old.pair);
    await call("POST", `${url}/api/jobs/${others.id}/deliver`, { result: "mine" }, old.pair);
    const held = await postJob(url, worker);
    await call("POST", `${url}/api/jobs/${held.id}/claim`, undefined, old.pair);
    const room = await open(url, "History", "unlisted");
    const said = await post<{ id: string }>(
      `${room.api}/posts`,
      { name: "Grace", body: "old words" },
      old.pair,
    );
    const stream = await readEvents(`${url}/api/mailbox/stream`, old.pair);

    expect((await act("grace", "release")).body).toMatchObject({ name: "grace", claimed: false });
    expect(await stream.next()).toBeNull();
    expect((await post(`${url}/api/name/whoami`, undefined, old.pair)).status).toBe(401);
    const code = { name: "grace", recovery_code: old.recovery_code };
    expect((await post(`${url}/api/name/recover`, code)).body.code).toBe("wrong_recovery_code");
    expect((await get(`${url}/api/jobs/${held.id}`)).body).toMatchObject({ state: "open" });

    service.clock.advance(60);
    const next = await claim(url, "grace");
    expect((await get(slot, next.pair)).status).toBe(404);
    expect((await get(`${url}/api/locker`, next.pair)).body).toMatchObject({ slots: [] });
    expect(await mailboxOf(next)).toMatchObject({ notes: [], count: 0, next_since: 0 });
    // Posts and jobs show the name. Their control has not passed on.
    expect((await get(`${url}/api/jobs/${open_job.id}`)).body).toMatchObject({ by: "Grace", state: "open" });
    const control: [string, object | undefined, Holder][] = [
      [`${open_job.id}/withdraw`, undefined, next],
      [`${delivered.id}/review`, { verdict: "accepted" }, next],
      [`${others.id}/deliver`, { result: "mine" }, next],
    ];
    for (const [path, body, { pair }] of control) {
      const { status } = await call("POST", `${url}/api/jobs/${path}`, body, pair);
      expect([path.slice(37), status]).toEqual([path.slice(37), path.endsWith("deliver") ? 409 : 403]);
    }
    const redact = await call("DELETE", `${room.api}/posts/${said.body.id}`, undefined, next.pair);
    expect(redact.body.code).toBe("not_your_post");
    // A reply to an old post would give the address of the unlisted room away, and a review a receipt.
    await post(`${room.api}/posts`, { name: "x", body: "reply", in_reply_to: said.body.id });
    await call("POST", `${url}/api/jobs/${others.id}/review`, { verdict: "accepted" }, worker.pair);
    expect(await mailboxOf(next)).toMatchObject({ notes: [] });

    const audit = (await lines()).filter(({ target }) => target.startsWith("name grace"));
    expect(audit.map(({ action }) => action)).toEqual(["name.release"]);
    await untilErased(service.directory, canary);
  });

  test("must be claimed, and may be released again and again", async () => {
    expect((await act("nobody-has-this", "release")).body.code).toBe("name_not_claimed");
    for (let i = 0; i < 3; i++) {
      await claim(service.url, "heidi");
      expect((await act("heidi", "release")).status).toBe(200);
      service.clock.advance(1);
    }
  });
});

test("what can be no name is refused", async () => {
  for (const action of ["suspend", "unsuspend", "reserve", "unreserve", "release"]) {
    for (const name of ["a\0b", "x".repeat(400)]) {
      const { status, body } = await act(name, action);
      expect([name, status, body.code]).toEqual([name, 422, "invalid_fields"]);
    }
  }
});

test("an action that changes nothing answers the same, and writes no second line", async () => {
  const before = (await lines()).length;
  for (const action of ["suspend", "reserve", "unsuspend", "unreserve"]) {
    const first = await act("judy", action);
    // `found` is the name before the action.
    const found = expect.anything();
    expect((await act("judy", action)).body).toEqual({ ...(first.body as object), found });
  }
  expect((await lines()).length).toBe(before + 4);
  expect((await act("judy", "suspend", { until: "2020-01-01T00:00:00.000Z" })).body.code).toBe(
    "invalid_fields",
  );
  expect((await asOwner(service, "POST", "/api/admin/names/judy/suspend", { reason: " " })).status).toBe(422);
});
