/** Claimed names in rooms, over every transport: HTTP, the page's form and MCP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { error_catalog, type ErrorCode } from "../../src/app/error_catalog.ts";
import type { OpenedRoom, Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { newSecret, secret_prefixes } from "../../src/core/secrets.ts";
import { statusOf } from "../../src/web/problems.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { startSource, type TestService } from "../support/service.ts";
import { callTool, codeOf } from "../support/tools.ts";

interface Said {
  status: number;
  text: string;
}
/** Opens a room (`room` is null) or posts in one over one transport, with the key of `who` or without a key. */
type Say = (
  service: TestService,
  room: string | null,
  name: string,
  text: string,
  who: Holder | null,
) => Promise<Said>;

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const form_type = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };

/** Calls a tool. The status is that of the HTTP answer with the same code. */
async function tool(service: TestService, name: string, args: object, headers = {}): Promise<Said> {
  const answer = await callTool(service.url, name, args, headers, "/mcp/meet");
  const code = codeOf(answer);
  return {
    status: code === null ? 201 : statusOf(error_catalog[code as ErrorCode]),
    text: answer.content[0]!.text,
  };
}

const transports: [string, Say][] = [
  [
    "HTTP",
    async ({ url }, room, name, text, who) => {
      const path = room === null ? "" : `/${room}/posts`;
      const body = room === null ? { goal: text, name } : { name, body: text };
      const answer = await post(`${url}/api/meet/rooms${path}`, body, who?.pair);
      return { status: answer.status, text: JSON.stringify(answer.body) };
    },
  ],
  [
    "the page's form",
    async ({ url }, room, name, text, who) => {
      const path = room === null ? "/meet" : `/meet/r/${room}`;
      const fields: Record<string, string> =
        room === null ? { goal: text, name, visibility: "public" } : { name, body: text };
      const { status, body } = await send("POST", url + path, { ...form_type, ...who?.bearer }, form(fields));
      return { status: status === 303 ? 201 : status, text: body };
    },
  ],
  [
    "MCP, the key in headers",
    (service, room, name, text, who) =>
      room === null
        ? tool(service, "meet_open", { goal: text, name }, who?.pair)
        : tool(service, "meet_speak", { room, name, body: text }, who?.pair),
  ],
  [
    "MCP, the key in arguments",
    (service, room, name, text, who) =>
      room === null
        ? tool(service, "meet_open", { goal: text, name, ...(who && { key: who.key }) })
        : tool(service, "meet_answer", { room, name, body: text, ...(who && { key: who.key }) }),
  ],
];

describe("claimed names in rooms", () => {
  let service: TestService;
  let ada: Holder;
  let bob: Holder;
  let room: OpenedRoom;
  beforeAll(async () => {
    service = await startSource();
    ada = await claim(service.url, "Ada Lovelace");
    bob = await claim(service.url, "Bob");
    room = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Who speaks?", name: "x" })).body;
  });
  afterAll(() => service.stop());

  const lastPost = async () => (await get<RoomRead>(room.api)).body.posts.at(-1)!;
  const lastRoom = async () =>
    (await get<{ rooms: { goal: string; host: object }[] }>(`${service.url}/api/meet/rooms?limit=100`)).body
      .rooms;

  describe.each(transports)("over %s", (transport, say) => {
    test("marks a post and a host as claimed if the key is sent, in any spelling of the name", async () => {
      for (const name of ["Ada Lovelace", "ada-1ovelace"]) {
        expect((await say(service, room.slug, name, `by ${name}`, ada)).status).toBe(201);
        expect(await lastPost()).toMatchObject({ name, claimed: true, body: `by ${name}` });
        const goal = `${transport} ${name}`;
        expect((await say(service, null, name, goal, ada)).status).toBe(201);
        const opened = (await lastRoom()).find((listed) => listed.goal === goal)!;
        expect(opened.host).toEqual({ name, claimed: true });
      }
    });

    test("refuses a claimed name without its key, and accepts an unclaimed name", async () => {
      for (const where of [room.slug, null]) {
        const refused = await say(service, where, "ADA lovelace", "as if", null);
        expect(refused.status).toBe(403);
        expect(refused.text).toMatch(/claimed: it takes its key|belongs to somebody\. If it is you/);
        expect((await say(service, where, "Nobody special", "free", null)).status).toBe(201);
      }
      expect(await lastPost()).toMatchObject({ name: "Nobody special", claimed: false, body: "free" });
    });

    test("refuses a key with another name", async () => {
      if (transport.endsWith("arguments")) return;
      for (const where of [room.slug, null]) {
        for (const name of ["Bob", "Nobody special"]) {
          const refused = await say(service, where, name, "as another", ada);
          expect(refused.status).toBe(403);
          expect(refused.text).toContain("belongs to another name");
        }
      }
    });

    test("refuses another name's key and posts nothing", async () => {
      const wrong = { ...bob, pair: { "x-wf-name": "Ada Lovelace", "x-wf-key": bob.key } };
      const answer = await say(service, room.slug, "Ada Lovelace", "with Bob's key", wrong);
      expect([401, 403]).toContain(answer.status);
      expect((await lastPost()).body).not.toBe("with Bob's key");
    });

    test.each(Object.entries(secret_prefixes))("refuses a %s in the text", async (_kind, prefix) => {
      const secret = newSecret(prefix, seededRandom(7));
      const before = await lastPost();
      for (const text of [secret, `mine is ${secret}!`, `x${secret}${secret}`]) {
        for (const where of [room.slug, null]) {
          const refused = await say(service, where, "Careless", text, null);
          expect(refused.status).toBe(422);
          expect(refused.text).toMatch(
            /\/api\/name\/revoke|revoke it: no tool does that|a key of this service/i,
          );
          expect(refused.text).not.toContain(secret);
        }
      }
      const by_name = await say(service, room.slug, `I am ${secret}`, "hello", null);
      expect(by_name.status).toBe(422);
      expect(await lastPost()).toEqual(before);
      const no_secret = secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0");
      expect((await say(service, room.slug, "Careless", no_secret, null)).status).toBe(201);
    });
  });

  test("takes the name from the key over MCP if no name is given", async () => {
    for (const [args, headers] of [
      [{ key: ada.key }, {}],
      [{}, ada.bearer],
    ] as const) {
      const said = await tool(service, "meet_speak", { room: room.slug, body: "hello", ...args }, headers);
      expect(said.status).toBe(201);
      expect(await lastPost()).toMatchObject({ name: "Ada Lovelace", claimed: true });
    }
  });

  test("refuses a key over MCP that is not a string", async () => {
    for (const key of [5, {}, ["x"], ""]) {
      const said = await tool(service, "meet_speak", { room: room.slug, name: "Free", body: "hello", key });
      expect(said.status).toBe(401);
    }
    const nothing = await tool(service, "meet_speak", {
      room: room.slug,
      name: "Free",
      body: "hi",
      key: null,
    });
    expect(nothing.status).toBe(201);
  });

  describe("redaction by the author", () => {
    const say = async (name: string, who: Holder | null) =>
      (await post<Post>(`${room.api}/posts`, { name, body: "regretted" }, who?.pair)).body;
    const redact = (id: string, headers: Record<string, string>) =>
      call<Post & { code?: string }>("DELETE", `${room.api}/posts/${id}`, undefined, headers);

    test("redacts a post for the claimed name that wrote it, and repeats the answer", async () => {
      const said = await say("Ada Lovelace", ada);
      const { status, body } = await redact(said.id, ada.bearer);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: said.id, redacted: "author", body: null, claimed: true });
      expect((await redact(said.id, ada.pair)).body).toEqual(body);
      expect((await redact(said.id, { "x-meet-key": room.host_key! })).body).toEqual(body);
      expect((await send("GET", room.url)).body).not.toContain("regretted</");
    });

    test("refuses any other name, and refuses everybody if the author's name was unclaimed", async () => {
      const hers = await say("Ada Lovelace", ada);
      const free = await say("Passer-by", null);
      for (const [id, who] of [
        [hers.id, bob],
        [free.id, bob],
        [free.id, await claim(service.url, "Passer-by")],
      ] as const) {
        expect(await redact(id, who.pair)).toMatchObject({ status: 403, body: { code: "not_your_post" } });
      }
      expect(await redact(hers.id, {})).toMatchObject({ status: 401, body: { code: "host_key_required" } });
      expect((await redact(hers.id, { "x-meet-key": "no", ...ada.pair })).body.code).toBe("wrong_host_key");
      expect((await redact(crypto.randomUUID(), ada.pair)).body.code).toBe("post_not_found");
      expect((await redact(hers.id, { "x-meet-key": room.host_key! })).body.redacted).toBe("host");
    });
  });
});
