/**
 * Each field that opens a room, everywhere: in the form, in every answer that describes a room, and in no row after a deletion.
 * A new field of the request needs a value in test/support/rooms.ts, and then a place in all of these.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OpenRoom, type OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { post, send } from "../support/http.ts";
import { room_values } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { storedRows } from "../support/stored.ts";
import { callTool } from "../support/tools.ts";

/** What shows the value of a field: its words. */
const wordsOf = (field: string): string[] => [room_values[field as keyof typeof room_values]].flat();
const fields = Object.keys(OpenRoom.properties).filter((field) => field !== "pace");

let service: SourceService;
let unlisted: OpenedRoom;
const open = async (body: object) => {
  const repeatable = { "idempotency-key": crypto.randomUUID() };
  return (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, body, repeatable)).body;
};
beforeAll(async () => {
  service = await startSource();
  unlisted = await open(room_values);
  await open({ ...room_values, visibility: "public" });
});
afterAll(() => service.stop());

/** What its opener chose of a room: equal for all that are opened with the same values. */
const chosen = ({ slug: _slug, url: _url, api: _api, mcp: _mcp, ...room }: OpenedRoom) => {
  const { host_key: _host_key, receipt: _receipt, created: _created, ...rest } = room;
  return rest;
};
const html = { accept: "text/html" };
const read = async (path: string, headers = {}) => (await send("GET", service.url + path, headers)).body;
const structured = async (name: string, args: object) =>
  JSON.stringify((await callTool(service.url, name, args)).structuredContent);
const textOf = async (name: string, args: object) =>
  (await callTool(service.url, name, args)).content.map(({ text }) => text).join("\n");

/** Answers that describe the unlisted room, or the list with the public one. */
const places: Record<string, () => Promise<string>> = {
  "the answer to its opener": async () => JSON.stringify(unlisted),
  "the room": () => read(`/api/meet/rooms/${unlisted.slug}`),
  "the room in the lean form": () => read(`/api/meet/rooms/${unlisted.slug}?fields=lean`),
  "the room as Markdown": () => read(`/meet/r/${unlisted.slug}.md`),
  "the page of the room": () => read(`/meet/r/${unlisted.slug}`, html),
  "the export of the room": () => read(`/api/meet/rooms/${unlisted.slug}/export.jsonl`),
  meet_read: () => structured("meet_read", { room: unlisted.slug }),
  "the text of meet_read": () => textOf("meet_read", { room: unlisted.slug }),
  "the list": () => read("/api/meet/rooms?limit=1"),
  "all rooms": () => read("/api/meet/rooms"),
  "the list in the lean form": () => read("/api/meet/rooms?fields=lean"),
  "the list as Markdown": () => read("/meet.md"),
  "the page with the list": async () => (await read("/meet", html)).replace(/<form.*?<\/form>/gs, ""),
  meet_rooms: () => structured("meet_rooms", {}),
  "the text of meet_rooms": () => textOf("meet_rooms", {}),
};

/** Every room of a list is public, so no list says it. */
const isLeftOut = (place: string, field: string): boolean =>
  field === "visibility" && /list|all rooms|meet_rooms/.test(place);

test.each(Object.keys(places))("%s: shows each field of the request", async (place) => {
  const text = await places[place]!();
  const missing = fields.filter((field) => !wordsOf(field).every((word) => text.includes(word)));
  expect(missing).toEqual(fields.filter((field) => isLeftOut(place, field)));
});

describe("the form", () => {
  const submit = (more: object) =>
    fetch(`${service.url}/meet`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: service.url, ...html },
      body: new URLSearchParams({
        ...Object.fromEntries(fields.map((field) => [field, wordsOf(field).join(" ")])),
        ...more,
      }),
    });

  test("has each field of the request, and opens the room that the API opens", async () => {
    const form = await read("/meet", html);
    expect(fields.filter((field) => !form.includes(` name="${field}"`))).toEqual([]);
    const opened = await submit({});
    expect(opened.status).toBe(303);
    const address = /\/meet\/r\/([a-z0-9-]+)/.exec(opened.headers.get("location")!)![1];
    const { room } = JSON.parse(await read(`/api/meet/rooms/${address}`));
    expect(room).toMatchObject(chosen(unlisted));
  });

  test("has what was entered when it was refused", async () => {
    const refused = await submit({ name: "Wharf" });
    expect(refused.status).toBe(422);
    const form = (await refused.text()).replaceAll(/<option value="[^"]*">/g, "");
    const isFilled = (field: string) => form.includes(` value="${wordsOf(field).join(" ")}"`);
    expect(fields.filter((field) => field !== "name" && !isFilled(field))).toEqual([]);
  });
});

test("meet_open takes each field, and opens the room that the API opens", async () => {
  const { structuredContent } = await callTool(service.url, "meet_open", room_values);
  const { room: slug } = structuredContent as { room: string };
  const { room } = JSON.parse(await read(`/api/meet/rooms/${slug}`));
  expect(room).toMatchObject(chosen(unlisted));
});

test("no row has a text of its opener after the deletion, not even the stored answer to a repeated call", async () => {
  const values_of_other = JSON.parse(JSON.stringify(room_values).replaceAll("wort", "silbe"));
  const texts = Object.values(values_of_other).flat() as string[];
  const held = async () => {
    const rows = await storedRows(service.directory);
    return texts.filter((text) => text.includes("silbe") && rows.includes(text));
  };
  const { slug } = await open(values_of_other);
  expect((await held()).length).toBeGreaterThan(1);
  const deleted = await asOwner(service, "POST", `/api/admin/rooms/${slug}/delete`, { reason: "Spam." });
  expect(deleted.status).toBe(200);
  expect(await held()).toEqual([]);
});
