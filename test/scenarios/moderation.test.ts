/** What admins do with posts: every way to read shows a post before and not after, and the audit log has the action. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { asOwner, auditOf } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import {
  any,
  audited,
  by_room,
  by_text,
  etagsOf,
  following,
  names,
  onPost,
  prepare,
  showing,
  textOf,
} from "../support/moderation.ts";
import { ways_to_read } from "../support/readings.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

describe("hide and restore", () => {
  test("every way to read shows the post, then does not, then does again", async () => {
    const place = await prepare(service);
    expect(await showing(place)).toEqual(names(any));
    const etags = await etagsOf(place);
    const open = await following(service, place);

    expect((await onPost(service, "hide", place)).body).toEqual({
      id: place.id,
      room: place.slug,
      n: place.n,
      state: "hidden",
      redacted: "operator",
      changed: true,
      found: { name: expect.any(String), claimed: true, state: "visible", ts: expect.any(String) },
    });
    expect(await showing(place)).toEqual(names(by_room));
    for (const way of ways_to_read.filter(({ kind, name }) => by_text(kind) && etags.has(name))) {
      expect([way.name, (await way.read(place, etags.get(way.name))).status]).toEqual([way.name, 200]);
    }
    for (const path of [place.api, `${place.api}?proof=1`, `${place.api}/export.jsonl`]) {
      expect((await send("GET", path)).body).not.toContain(place.salt);
    }
    const redacted = (await open.stream.next())!;
    expect(redacted).toMatchObject({
      event: "redacted",
      data: { id: place.id, body: null, redacted: "operator" },
    });
    await open.notified();
    // No wait ends: what it waits for has not come.
    expect(open.ended).toEqual({});
    expect(await audited(service, "post.hide", `${place.slug}#${place.n}`)).toMatchObject([
      { actor: "owner", reason: "Because of hide" },
    ]);

    expect((await onPost(service, "restore", place)).body).toMatchObject({ state: "visible", changed: true });
    expect(await showing(place)).toEqual(names(any));
    const restored = (await open.stream.next())!;
    expect(restored).toMatchObject({ event: "post", data: { id: place.id, n: place.n } });
    expect(JSON.stringify(restored.data)).toContain(place.word);
    expect(JSON.stringify(restored.data)).not.toContain("redacted");
    expect(restored.id > redacted.id).toBe(true);
    await open.notified();
    expect(open.ended).toEqual({});
    const answers = await open.speak();
    for (const [name, { text }] of Object.entries(answers)) {
      expect([name, text.includes("Go on."), text.includes(place.word)]).toEqual([name, true, false]);
    }
    await open.close();
    const { posts } = (await get<{ posts: Post[] }>(`${place.api}?proof=1`)).body;
    expect(posts[place.n - 1]).toMatchObject({ body: textOf(place), salt: place.salt });
    expect(await audited(service, "post.restore", `${place.slug}#${place.n}`)).toHaveLength(1);
  });

  test("a stream that resumes gets what it missed: the redaction, the restoring, or only the restoring", async () => {
    const place = await prepare(service);
    const before = (await get<{ next_since: string }>(place.api)).body.next_since;
    await onPost(service, "hide", place);
    const resumed = await readEvents(`${place.api}/stream`, { "last-event-id": before });
    const redaction = (await resumed.next())!;
    expect(redaction.event).toBe("redacted");
    await resumed.close();
    await onPost(service, "restore", place);
    for (const last of [before, redaction.id]) {
      const again = await readEvents(`${place.api}/stream`, { "last-event-id": last });
      expect(await again.next()).toMatchObject({
        event: "post",
        data: { id: place.id, body: expect.any(String) },
      });
      await again.close();
    }
    await onPost(service, "hide", place);
    const last = await readEvents(`${place.api}/stream`, { "last-event-id": before });
    expect(await last.next()).toMatchObject({ event: "redacted", data: { id: place.id, body: null } });
    await last.close();
  });

  test("an action that changes nothing answers the same and has no line in the audit log", async () => {
    const place = await prepare(service);
    const target = `${place.slug}#${place.n}`;
    const changes = async (action: string) => (await onPost(service, action, place)).body;
    expect(await changes("restore")).toMatchObject({ state: "visible", changed: false });
    const first = await changes("hide");
    const { found } = first as { found: object };
    expect(await changes("hide")).toEqual({ ...first, changed: false, found: { ...found, state: "hidden" } });
    expect(await changes("erase")).toMatchObject({ state: "erased", changed: true });
    expect(await changes("erase")).toMatchObject({ state: "erased", redacted: "operator", changed: false });
    expect(await changes("hide")).toMatchObject({ state: "erased", changed: false });
    expect(await onPost(service, "restore", place)).toMatchObject({
      status: 409,
      body: { code: "post_not_hidden" },
    });
    const lines = (await auditOf(service)).filter((line) => line.target === target);
    expect(lines.map(({ action }) => action).toSorted()).toEqual(["post.erase", "post.hide"]);
  });

  test("of a post that its host redacted nothing is left to erase or to restore", async () => {
    const { room, ...place } = await prepare(service);
    await send("DELETE", `${room.api}/posts/${place.n}`, { "x-meet-key": room.host_key });
    for (const action of ["hide", "erase"]) {
      expect((await onPost(service, action, { room, ...place })).body).toMatchObject({
        state: "erased",
        redacted: "host",
        changed: false,
      });
    }
    expect((await onPost(service, "restore", { room, ...place })).status).toBe(409);
  });

  test("a host who redacts a hidden post destroys the text that an admin could restore", async () => {
    const place = await prepare(service);
    await onPost(service, "hide", place);
    const redacted = await send("DELETE", `${place.api}/posts/${place.n}`, {
      "x-meet-key": place.room.host_key,
    });
    expect(redacted.status).toBe(200);
    expect(await onPost(service, "restore", place)).toMatchObject({
      status: 409,
      body: { code: "post_not_hidden" },
    });
    expect((await onPost(service, "erase", place)).body).toMatchObject({ state: "erased", changed: false });
  });

  test("needs a post that exists, and a reason", async () => {
    const place = await prepare(service);
    const nowhere = `/api/admin/posts/${crypto.randomUUID()}/hide`;
    expect(await asOwner(service, "POST", nowhere, { reason: "x" })).toMatchObject({
      status: 404,
      body: { code: "post_not_found" },
    });
    for (const body of [{}, { reason: "" }, { reason: " " }, { reason: "x".repeat(501) }]) {
      const { status } = await asOwner(service, "POST", `/api/admin/posts/${place.id}/hide`, body);
      expect(status).toBe(422);
    }
    expect((await post(`${service.url}/api/admin/posts/${place.id}/hide`, { reason: "x" })).status).toBe(401);
    expect(await showing(place)).toEqual(names(any));
  });
});

describe("erase", () => {
  test.each([
    ["a visible post", []],
    ["a hidden post", ["hide"]],
  ])("takes %s away in every way", async (_what, before) => {
    const place = await prepare(service);
    expect(await showing(place)).toEqual(names(any));
    for (const action of before) await onPost(service, action, place);
    expect((await onPost(service, "erase", place)).body).toMatchObject({
      state: "erased",
      redacted: "operator",
      changed: true,
    });
    expect(await showing(place)).toEqual(names(by_room));
    expect(await audited(service, "post.erase", `${place.slug}#${place.n}`)).toHaveLength(1);
    const { posts } = (await get<{ posts: Post[] }>(place.api)).body;
    const commitment = new Bun.CryptoHasher("sha256").update(`${place.salt}:${textOf(place)}`).digest("hex");
    expect(posts[place.n - 1]).toMatchObject({ body: null, redacted: "operator", commitment });
  });
});
