/** What callers see of private rooms: how each form says that a room is private, the routes of members, and hints. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Members } from "../../../src/api/rooms/members.ts";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { call, get, post, send } from "../../support/http.ts";
import { ask } from "../../support/mcp_messages.ts";
import { openPrivate, putMember, removeMember, rolesIn } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { callTool, codeOf, wordsOf } from "../../support/tools.ts";

interface Problem {
  code: string;
  hint: string;
  status: number;
}

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
let room: OpenedRoom;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  room = await openPrivate(url, ada, "What do we name it?");
});
afterAll(() => service.stop());

describe("a private room", () => {
  test("is private in every form that its members read", async () => {
    expect(room.visibility).toBe("private");
    const whole = await get<{ room: { visibility: string } }>(room.api, ada.pair);
    expect(whole.body.room.visibility).toBe("private");
    const lean = await get<{ room: object }>(`${room.api}?fields=lean`, ada.pair);
    expect(lean.body.room).toMatchObject({ private: true });
    expect(lean.body.room).not.toHaveProperty("unlisted");
    const markdown = await send("GET", `${room.api}.md`, ada.pair);
    const text = markdown.body;
    expect(text).toContain('private, by "Ada" key');
    expect(text).toContain("POST {name, body, since} with your name's key");
    const read = await callTool(url, "meet_read", { room: room.slug, key: ada.key });
    expect(wordsOf(read)).toContain('private, by "Ada" key');
    expect(read.structuredContent).toMatchObject({ room: { private: true } });
  });

  test("is joined with a key, and the prompt says who reads there", async () => {
    const prompt = async (slug: string) => {
      const named = { name: "join_room", arguments: { room: slug } };
      const { body } = await ask<{ messages: { content: { text: string } }[] }>(
        `${url}/mcp`,
        "prompts/get",
        named,
        ada.pair,
      );
      return body.result!.messages[0]!.content.text;
    };
    const joined = await prompt(room.slug);
    expect(joined).toContain('"key":"<the key of your claimed name>"');
    expect(joined).toContain("Its members and the operator can read what you say there");
    const open = await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "For all", name: "Eve" });
    expect(await prompt(open.body.slug)).toContain("Everybody can read what you say there");
  });
});

describe("the routes of members", () => {
  test("answer 201 for a new member and 200 for another role, and the same again to a repeated call", async () => {
    const once = { "idempotency-key": crypto.randomUUID() };
    const added = await putMember(room, ada.pair, "BOB", undefined, once);
    expect([added.status, added.body]).toEqual([
      201,
      { room: room.slug, name: "BOB", role: "member", added: true },
    ]);
    const repeated = await putMember(room, ada.pair, "BOB", undefined, once);
    expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    const changed = await putMember(room, ada.pair, "bob", "reader");
    expect([changed.status, changed.body]).toMatchObject([200, { role: "reader", added: false }]);
    expect(await rolesIn(room, bob)).toEqual({ Ada: "host", Bob: "reader" });
    const { body } = await get<Members>(`${room.api}/members`, bob.pair);
    expect(Object.keys(body)).toEqual(["room", "members"]);
    expect(await removeMember(room, ada.pair, "Bob")).toMatchObject({ status: 200, body: { removed: true } });
  });

  test("name the field that is meant for one that they do not know", async () => {
    const refused = await post<Problem>(`${room.api}/members`, { nmae: "Bob" }, ada.pair);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('"name"')]);
    const wrong = await post<Problem>(`${room.api}/members`, { name: "Bob", role: "owner" }, ada.pair);
    expect([wrong.status, wrong.body.code]).toEqual([422, "invalid_fields"]);
  });

  test("take the host key to change members, and not to see them", async () => {
    const key = { "x-meet-key": room.host_key! };
    expect((await putMember(room, key, "Bob")).status).toBe(201);
    expect((await get<Problem>(`${room.api}/members`, key)).body.code).toBe("credential_required");
    expect((await removeMember(room, key, "Bob")).status).toBe(200);
    const by_stranger = await get<Problem>(`${room.api}/members`, { ...key, ...bob.pair });
    expect([by_stranger.status, by_stranger.body.code]).toEqual([404, "room_not_found"]);
  });

  test("refuse a room without members, and one that is not there, to every caller", async () => {
    const open = await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "For everybody", name: "Eve" });
    const missing = { api: `${url}/api/meet/rooms/nowhere` };
    for (const [at, status, code] of [
      [open.body, 409, "not_private"],
      [missing, 404, "room_not_found"],
    ] as const) {
      expect([await get(`${at.api}/members`, bob.pair)]).toMatchObject([{ status, body: { code } }]);
      expect(await putMember(at, {}, "Bob")).toMatchObject({ status, body: { code } });
      expect(await removeMember(at, bob.pair, "Bob")).toMatchObject({ status, body: { code } });
    }
  });
});

describe("hints say what to do next", () => {
  test("to a reader, over each transport", async () => {
    await putMember(room, ada.pair, "Bob", "reader");
    const refused = await post<Problem>(`${room.api}/posts`, { name: "Bob", body: "?" }, bob.pair);
    expect(refused.body).toMatchObject({
      status: 403,
      code: "readers_only_read",
      hint: "Ask a host of the room to make your name a member. GET /api/meet/rooms/{room}/members shows its hosts.",
    });
    const by_tool = await callTool(url, "meet_speak", { room: room.slug, body: "?", key: bob.key });
    expect(codeOf(by_tool)).toBe("readers_only_read");
    expect(wordsOf(by_tool)).toEndWith("Next: Ask a host of the room to make your name a member.");
  });

  test("to the last host, for a name that nobody has claimed, and for one that is no member", async () => {
    const leaving = await call<Problem>("DELETE", `${room.api}/members/ada`, undefined, ada.pair);
    expect(leaving.body).toMatchObject({
      code: "last_host",
      hint: 'Make another member a host first: POST /api/meet/rooms/{room}/members with JSON {"role":"host"}. Or close the room.',
    });
    const unclaimed = await putMember(room, ada.pair, "Nobody");
    expect(unclaimed.body).toMatchObject({
      code: "member_not_claimed",
      hint: "Check the spelling. The name has to be claimed first: POST /api/name.",
    });
    const stranger = await removeMember(room, ada.pair, "Nobody");
    expect(stranger.body).toMatchObject({
      code: "member_not_found",
      hint: "GET /api/meet/rooms/{room}/members lists the members.",
    });
  });

  test("to a member that adds others with a post, and to one in a room without members", async () => {
    await putMember(room, ada.pair, "Bob", "member");
    const body = "And @Ada.";
    const adding = { room: room.slug, body, add_members: true, key: bob.key };
    const by_member = await callTool(url, "meet_speak", adding);
    expect(codeOf(by_member)).toBe("host_key_required");
    expect(wordsOf(by_member)).toEndWith(
      "Next: Post without add_members, or ask a host of the room to add them.",
    );
    const open = await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Open", name: "Ada" }, ada.pair);
    const sent = { name: "Ada", body: "And @Bob.", add_members: true };
    expect((await post<Problem>(`${open.body.api}/posts`, sent, ada.pair)).body).toMatchObject({
      status: 409,
      code: "not_private",
      hint: 'POST /api/meet/rooms with JSON {"visibility":"private"} opens a room that has members.',
    });
  });
});
