/** What admins do with rooms: every way to read shows a room before and not after, and the audit log has the action. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { orThrow, type Client } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { send } from "../support/http.ts";
import {
  audited,
  by_room,
  etagsOf,
  following,
  goalOf,
  names,
  onPost,
  onRoom,
  prepare,
  showing,
} from "../support/moderation.ts";
import { ways_to_read, type Place } from "../support/readings.ts";
import { open as openRoom } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
let api: Client;
beforeAll(async () => {
  service = await startSource();
  api = clientOf(service.url);
});
afterAll(() => service.stop());

/** The room as an action finds it. */
const found = (place: Place, state = "open") => ({
  goal: goalOf(place),
  host: { name: "Ada", claimed: false },
  created: expect.any(String),
  visibility: "public",
  posts: 3,
  state,
});

describe("close and reopen", () => {
  const states = async ({ slug }: Place) => {
    const listed = (closed: "true" | "false") =>
      orThrow(api.get("/api/meet/rooms", { query: { limit: 100, closed } }));
    const [open, closed] = [await listed("false"), await listed("true")];
    const { room } = await orThrow(api.get("/api/meet/rooms/{room}", { path: { room: slug } }));
    return {
      closed: room.closed,
      listed: [open, closed].map(({ rooms }) => rooms.some((room) => room.slug === slug)),
      totals: [open, closed].map(({ rooms, total }) => total! - rooms.length),
    };
  };

  test("end the streams and the waits of a room, and let it speak again", async () => {
    const place = await prepare(service);
    const was_open = { closed: false, listed: [true, false], totals: [0, 0] };
    expect(await states(place)).toEqual(was_open);
    const open = await following(service, place);
    expect((await onRoom(service, "close", place)).body).toEqual({
      room: place.slug,
      state: "closed",
      changed: true,
      found: found(place),
    });
    const closed = (await open.stream.next())!;
    expect(closed.event).toBe("closed");
    expect(await open.stream.next()).toBeNull();
    await open.notified();
    await open.allEnded();
    await open.close();
    expect(await states(place)).toEqual({ closed: true, listed: [false, true], totals: [0, 0] });
    const speak = () =>
      api.post("/api/meet/rooms/{room}/posts", {
        path: { room: place.slug },
        body: { name: "Bob", body: "Still here." },
      });
    expect((await speak()).error?.code).toBe("room_closed");
    expect((await onRoom(service, "close", place)).body).toMatchObject({ changed: false });
    const over = await send("GET", `${place.api}/stream`, { "last-event-id": closed.id });
    expect(over.status).toBe(204);

    expect((await onRoom(service, "reopen", place)).body).toEqual({
      room: place.slug,
      state: "open",
      changed: true,
      found: found(place, "closed"),
    });
    expect((await onRoom(service, "reopen", place)).body).toMatchObject({ changed: false });
    expect(await states(place)).toEqual(was_open);
    const again = await readEvents(`${place.api}/stream`, { "last-event-id": closed.id });
    expect((await speak()).status).toBe(201);
    expect(await again.next()).toMatchObject({ event: "post", data: { body: "Still here." } });
    await again.close();
    for (const action of ["room.close", "room.reopen"])
      expect(await audited(service, action, place.slug)).toHaveLength(1);
  });
});

describe("delete-room", () => {
  test("takes the room and its posts away in every way, and gives its address to nobody", async () => {
    const place = await prepare(service);
    const other = await prepare(service);
    await onPost(service, "hide", other);
    const etags = await etagsOf(place);
    const open = await following(service, place);
    expect((await onRoom(service, "delete", place)).body).toEqual({
      room: place.slug,
      state: "deleted",
      changed: true,
      found: found(place),
    });
    for (const way of ways_to_read) {
      const { status, text } = await way.read(place, etags.get(way.name));
      const secrets = way.kind === "search" ? [] : [place.word];
      secrets.push(place.salt, goalOf(place));
      if (way.kind === "search" || way.kind === "list") secrets.push(place.slug);
      expect([way.name, secrets.filter((secret) => text.includes(secret))]).toEqual([way.name, []]);
      if (way.is_elsewhere) expect([way.name, status]).toEqual([way.name, 200]);
      else expect([way.name, status === 410 || /room_deleted|deleted/.test(text)]).toEqual([way.name, true]);
    }
    expect(await open.stream.next()).toBeNull();
    await open.notified();
    await open.allEnded();
    for (const [name, { text }] of Object.entries(open.ended)) {
      expect([name, text.includes("room_deleted")]).toEqual([name, true]);
    }
    await open.close();
    const { error } = await api.get("/api/meet/rooms/{room}", { path: { room: place.slug } });
    expect(error?.code).toBe("room_deleted");
    const gone = [
      ["POST", `${place.api}/posts`, { name: "Bob", body: "Hello?" }],
      ["POST", `${place.api}/close`, undefined],
      ["DELETE", `${place.api}/posts/1`, undefined],
      ["GET", `${place.api}/stream`, undefined],
    ] as const;
    for (const [method, url, body] of gone) {
      const headers = {
        "x-meet-key": place.room.host_key,
        ...(body && { "content-type": "application/json" }),
      };
      const { status } = await send(method, url, headers, body && JSON.stringify(body));
      expect([method, url, status]).toEqual([method, url, 410]);
    }
    const again = await openRoom(service.url, goalOf(place));
    expect(again.slug).not.toBe(place.slug);
    expect((await onPost(service, "hide", place)).status).toBe(404);
    expect((await onRoom(service, "delete", place)).body).toMatchObject({ state: "deleted", changed: false });
    for (const action of ["close", "reopen"]) expect((await onRoom(service, action, place)).status).toBe(410);
    expect(await audited(service, "room.delete", place.slug)).toHaveLength(1);
    // The other room is as it was.
    expect(await showing(other)).toEqual(names(by_room));
  });

  test("leaves a position among new rooms valid, and counts rooms right", async () => {
    const first = await prepare(service);
    const total = async () => {
      const { rooms, total } = await orThrow(api.get("/api/meet/rooms", { query: { limit: 100 } }));
      expect(rooms).toHaveLength(total!);
      return total!;
    };
    const before = await total();
    await onRoom(service, "delete", first);
    expect(await total()).toBe(before - 1);
    const next = await prepare(service);
    const news = await orThrow(api.get("/api/wait", { query: { rooms: first.slug, wait_seconds: 0 } }));
    expect(news.new_rooms?.map(({ slug }) => slug)).toContain(next.slug);
  });
});
