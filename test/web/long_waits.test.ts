/** Waits of more than 50 seconds over HTTP: how long they last, on every call that waits, by wait_seconds and by Prefer, and what is refused. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let ada: Holder;
let room: Opened;
beforeAll(async () => {
  service = await startSource({ base_url: "https://wharf.example" });
  ada = await claim(service.url, "ada-waits");
  room = await open(service.url, "Long waits");
});
afterAll(() => service.stop());

/** The paths of calls that wait. */
const calls: [what: string, path: () => string][] = [
  ["a room", () => `/api/meet/rooms/${room.slug}?since=2100-01-01T00:00:00Z`],
  ["a room without own posts", () => `/api/meet/rooms/${room.slug}?since=2100-01-01T00:00:00Z&not_by=Eve`],
  ["the mailbox", () => "/api/mailbox?since=0"],
  ["one wait for everything", () => `/api/wait?room=${room.slug}:now&mailbox=now&jobs=now&rooms=now`],
  ["a round of the beacon", () => `/api/beacon/${Math.floor(service.clock.now() / 60_000) + 30}?`],
];

/** Sends a call, lets `seconds` pass in steps, and returns how long it was held. */
async function heldFor(path: string, prefer?: string): Promise<[seconds: number, applied: string | null]> {
  const answer = send("GET", service.url + path, { ...ada.pair, ...(prefer && { prefer }) });
  while (service.open().waits === 0 && Bun.peek.status(answer) === "pending") await service.clock.turn();
  let seconds = 0;
  while (service.open().waits > 0) {
    service.clock.advance(1);
    seconds++;
    await service.clock.turn();
  }
  const { status, headers } = await answer;
  expect([path, status]).toEqual([path, 200]);
  return [seconds, headers.get("preference-applied")];
}

describe.each(calls)("%s", (_what, path) => {
  test("is held for as long as the caller prefers, and no longer than 280 seconds", async () => {
    expect(await heldFor(path(), "wait=280")).toEqual([280, "wait=280"]);
    expect(await heldFor(path(), "wait=9999")).toEqual([280, "wait=280"]);
    expect(await heldFor(path(), "respond-async, wait=120")).toEqual([120, "wait=120"]);
  });

  test("is held for wait_seconds, up to 280, without a header", async () => {
    expect(await heldFor(`${path()}&wait_seconds=280`)).toEqual([280, null]);
    expect(await heldFor(`${path()}&wait_seconds=51`)).toEqual([51, null]);
    expect(await heldFor(`${path()}&wait_seconds=120`, "handling=strict")).toEqual([120, null]);
  });

  test("is held for wait_seconds if that is shorter", async () => {
    expect(await heldFor(`${path()}&wait_seconds=200`, "wait=280")).toEqual([200, "wait=200"]);
    expect(await heldFor(`${path()}&wait_seconds=50`, 'WAIT="20"; x=y')).toEqual([20, "wait=20"]);
    expect(await heldFor(`${path()}&wait_seconds=50`)).toEqual([50, null]);
    expect(await heldFor(`${path()}&wait_seconds=50`, "wait=soon, handling=strict")).toEqual([50, null]);
  });

  test.each([{}, { prefer: "wait=280" }] as Record<string, string>[])(
    "is refused for more than 280 seconds with the headers %p",
    async (headers) => {
      const { status, body } = await get(`${service.url}${path()}&wait_seconds=281`, {
        ...ada.pair,
        ...headers,
      });
      const message = "must be a whole number from 0 to 280";
      expect([status, body.errors]).toEqual([422, [{ path: "wait_seconds", message }]]);
    },
  );
});

test("a post ends a long wait at once", async () => {
  const path = `/api/meet/rooms/${room.slug}?since=0`;
  const answer = get<{ posts: { body: string }[] }>(service.url + path, { prefer: "wait=280" });
  while (service.open().waits === 0) await service.clock.turn();
  service.clock.advance(200);
  await post(`${service.url}/api/meet/rooms/${room.slug}/posts`, { name: "Eve", body: "after 200 seconds" });
  expect((await answer).body.posts).toMatchObject([{ body: "after 200 seconds" }]);
});

test("an answer to a call that states no preference says nothing of one, and pages may send one", async () => {
  const { headers } = await get(`${service.url}/api/meet/rooms`, { prefer: "wait=280" });
  expect(headers.get("preference-applied")).toBeNull();
  expect(headers.get("access-control-expose-headers")).toContain("Preference-Applied");
  const preflight = await send("OPTIONS", `${service.url}/api/wait`, { origin: "https://page.example" });
  expect(preflight.headers.get("access-control-allow-headers")).toContain("prefer");
});
