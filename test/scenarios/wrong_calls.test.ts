/**
 * The wrong calls that a language model is likeliest to make, when it guesses a name, a spelling or a place: each is understood,
 * or refused in at most 60 tokens that name the right call.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { tokensOf } from "../../bench/tokens/count.ts";
import type { Job } from "../../src/api/jobs/jobs.ts";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { post, send } from "../support/http.ts";
import { postJob } from "../support/jobs.ts";
import { ask } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import type { ToolAnswer } from "../support/mcp_clients.ts";

const tokens_max = 60;

let service: SourceService;
let ada: Holder;
let room: OpenedRoom;
let job: Job;
beforeAll(async () => {
  service = await startSource();
  ada = await claim(service.url, "Ada");
  room = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "General", name: "Host" })).body;
  await post(`${room.api}/posts`, { name: "Host", body: "Hello." });
  job = await postJob(service.url, ada);
  await post(`${service.url}/api/jobs/${job.id}/claim`, undefined, (await claim(service.url, "Bob")).pair);
});
afterAll(() => service.stop());

/** What a caller reads of the answer: null if the call was understood. */
type Refusal = string | null;

/** A call of a tool at `path`, by Ada if `by_ada`. */
const toolAt =
  (path: string, name: string, args: (() => object) | object, by_ada = false) =>
  async (): Promise<Refusal> => {
    const given = typeof args === "function" ? (args as () => object)() : args;
    const { body } = await ask<ToolAnswer>(
      service.url + path,
      "tools/call",
      { name, arguments: given },
      by_ada ? { ...ada.pair } : {},
    );
    if (body.error) return body.error.message;
    return body.result!.isError ? body.result!.content[0]!.text : null;
  };

/** The same at /mcp. */
const tool = (name: string, args: (() => object) | object, by_ada = false) =>
  toolAt("/mcp", name, args, by_ada);

/** A call over HTTP. `sent`: a body as JSON, or as it is. */
const http =
  (call: string, sent?: object | string, headers: () => Record<string, string> = () => ({})) =>
  async (): Promise<Refusal> => {
    const [method, path] = call.split(" ") as [string, string];
    const body = typeof sent === "object" ? JSON.stringify(sent) : sent;
    const type: Record<string, string> =
      typeof sent === "object" ? { "content-type": "application/json" } : {};
    const answer = await send(method, service.url + path, { ...type, ...headers() }, body);
    if (answer.status < 400) return null;
    const { detail, hint = "" } = JSON.parse(answer.body) as { detail: string; hint?: string };
    return `${detail} ${hint}`;
  };
const as_ada = () => ({ ...ada.pair });

const rooms = "/api/meet/rooms";
const said = { room: "general", name: "Guest", body: "Hello." };
const spoken = { name: "Guest", body: "Hello." };

/** The call; what a refusal says, or null if the call is understood. */
const calls: [what: string, make: () => Promise<Refusal>, says: RegExp | null][] = [
  // Rooms, by tools.
  ["a room with a hash", tool("meet_read", { room: "#general" }), null],
  ["a room in capitals", tool("meet_read", { room: "General" }), null],
  [
    "a page's address as the room",
    tool("meet_read", () => ({ room: `${service.url}/meet/r/general` })),
    null,
  ],
  ["a link to a post as the room", tool("meet_read", () => ({ room: `${room.url}/1` })), null],
  ["a number as a string", tool("meet_read", { room: "general", limit: "20", wait_seconds: "0" }), null],
  ["since as a string", tool("meet_read", { room: "general", since: "1" }), null],
  ["since with a hash", tool("meet_read", { room: "general", since: "#1" }), null],
  ["a room in capitals at its address", toolAt("/mcp/meet/General", "meet_read", {}), null],
  ["a room with a hash at its address", toolAt("/mcp/meet/%23general", "meet_read", {}), null],
  [
    "a room in capitals to wait for",
    tool("wait", { rooms: { General: 0 }, leases: { General: "now" }, wait_seconds: 0 }),
    null,
  ],
  [
    "a page's address to wait for",
    tool("wait", () => ({ rooms: { [`${service.url}/meet/r/general`]: 0 }, wait_seconds: 0 })),
    null,
  ],
  ["no room", tool("meet_read", {}), /room: is required/],
  ["a room that does not exist", tool("meet_read", { room: "lobby" }), /meet_rooms/],
  ["room_id", tool("meet_read", { room_id: "general" }), /room/],
  ["a limit that is too large", tool("meet_rooms", { limit: 500 }), /limit: .*1 to 100/],
  ["q for query", tool("meet_rooms", { q: "names" }), /query/],
  ["a longer wait", tool("meet_read", { room: "general", since: 1, wait_seconds: 300 }), /0 to 280/],
  [
    "a time in words",
    tool("meet_read", { room: "general", since: "yesterday" }),
    /number.*or an ISO 8601 time/s,
  ],
  ["message for body", tool("meet_speak", { room: "general", name: "Guest", message: "Hi" }), /body/],
  ["channel for room", tool("meet_speak", { ...spoken, channel: "general" }), /room/],
  ["reply_to", tool("meet_speak", { ...said, reply_to: 1 }), /in_reply_to/],
  ["a reply to #1", tool("meet_speak", { ...said, in_reply_to: "#1" }), null],
  ["a reply to a post that is not there", tool("meet_speak", { ...said, in_reply_to: 99 }), /#1/],
  ["no name", tool("meet_speak", { room: "general", body: "Hi" }), /name: is required/],
  [
    "a body that is an object",
    tool("meet_speak", { ...said, body: { text: "Hi" } }),
    /body: must be a string/,
  ],
  ["the name of a claimed name", tool("meet_speak", { ...said, name: "Ada" }), /key/],
  ["title for goal", tool("meet_open", { title: "Names", name: "Guest" }), /goal/],
  ["hidden", tool("meet_open", { goal: "g", name: "Guest", visibility: "hidden" }), /"unlisted"/],
  ["Public", tool("meet_open", { goal: "g", name: "Guest", visibility: "Public" }), null],
  ["public: false", tool("meet_open", { goal: "g", name: "Guest", public: false }), /visibility/],
  ["the host key in key", tool("meet_close", () => ({ room: "general", key: room.host_key })), /host_key/],
  // Names of tools.
  ["meet_post", tool("meet_post", said), /meet_speak/],
  ["meet_join", tool("meet_join", { room: "general" }), /meet_read/],
  ["create_room", tool("create_room", { goal: "g" }), /meet_open/],
  ["list_jobs", tool("list_jobs", {}), /jobs_list/],
  ["get_messages", tool("get_messages", {}), /meet_read/],
  // Names and lockers, by tools.
  ["username for name", tool("name_claim", { username: "Guest" }), /name/],
  ["a name with a mark", tool("name_claim", { name: "guest!" }), /may hold letters, .*: look at 5/],
  ["a taken name", tool("name_claim", { name: "ada" }), /Claim another/],
  ["a cut key", tool("locker_list", () => ({ key: ada.key.slice(0, -3) })), /cut short/],
  ["key for slot", tool("locker_put", { key: "notes", value: "x" }), /slot/],
  ["no key", tool("locker_put", { slot: "notes", value: "x" }), /name_claim/],
  ["content for value", tool("locker_put", { slot: "notes", content: "x" }, true), /value/],
  [
    "a value that is an object",
    tool("locker_put", { slot: "notes", value: { a: 1 } }, true),
    /value: must be a string/,
  ],
  ["true as a string", tool("locker_put", { slot: "notes", value: "x", public: "true" }, true), null],
  ["seconds as a string", tool("locker_put", { slot: "notes", value: "x", expires_in: "3600" }, true), null],
  ["the name of another's slot", tool("locker_get", { name: "bob", slot: "card" }), /owner/],
  // Jobs, mailbox, beacon, receipts, by tools.
  ["job_id", tool("job_read", () => ({ job_id: job.id })), /id/],
  ["a job's address", tool("job_read", () => ({ id: `${service.url}/jobs/${job.id}` })), null],
  ["a number for a job", tool("job_read", { id: "1" }), /jobs_list/],
  ["description for detail", tool("job_post", { title: "t", description: "d" }, true), /detail/],
  ["one tag", tool("job_post", { title: "t", detail: "d", tags: "rust" }, true), null],
  ["done for delivered", tool("jobs_list", { state: "done" }), /"delivered"/],
  ["approve", tool("job_review", () => ({ id: job.id, verdict: "approve" }), true), /"accepted"/],
  ["accepted: true", tool("job_review", () => ({ id: job.id, accepted: true }), true), /verdict/],
  ["seq for through", tool("mailbox_ack", { seq: 1 }, true), /through/],
  ["through as a string", tool("mailbox_ack", { through: "1" }, true), null],
  ["the latest round", tool("beacon", { round: "latest" }), /round: must be a whole number/],
  ["a list to pick from", tool("beacon", { round: 1, pick: ["a", "b"] }), /pick: must be a string/],
  ["jws for receipt", tool("receipt_verify", { jws: "x" }), /receipt/],

  // Over HTTP.
  ["a room with a hash", http(`GET ${rooms}/%23general`), null],
  ["a room in capitals", http(`GET ${rooms}/General`), null],
  ["waiting for a room in capitals", http("GET /api/wait?room=General:0&wait_seconds=0"), null],
  [
    "the page of a room in capitals",
    http("GET /mcp/meet/General", undefined, () => ({ accept: "text/html" })),
    null,
  ],
  [
    "its Markdown in capitals",
    http("GET /mcp/meet/General.md", undefined, () => ({ accept: "text/html" })),
    null,
  ],
  ["posting to a room with a hash", http(`POST ${rooms}/%23general/posts`, spoken), null],
  ["text for body", http(`POST ${rooms}/general/posts`, { name: "Guest", text: "Hi" }), /body/],
  ["messages for posts", http(`POST ${rooms}/general/messages`, spoken), /\/posts/],
  ["GET of posts", http(`GET ${rooms}/general/posts`), /GET \/api\/meet\/rooms\/\{room\}/],
  [
    "no content type",
    http(`POST ${rooms}/general/posts`, JSON.stringify(spoken)),
    /content-type: application\/json/,
  ],
  [
    "single quotes",
    http(`POST ${rooms}`, "{'goal': 'g'}", () => ({ "content-type": "application/json" })),
    /JSON/,
  ],
  ["another path for rooms", http("GET /api/rooms"), /\/api\/meet\/rooms/],
  ["after for since", http(`GET ${rooms}/general?after=1`), /since/],
  ["wait for wait_seconds", http(`GET ${rooms}/general?wait=30`), /wait_seconds/],
  ["a limit in words", http(`GET ${rooms}/general?limit=all`), /limit: .*1 to 1000/],
  [
    "a reply by a number in a string",
    http(`POST ${rooms}/general/posts`, { ...spoken, in_reply_to: "1" }),
    null,
  ],
  [
    "the host key in the body",
    async () => http(`POST ${rooms}/general/close`, { host_key: room.host_key })(),
    /x-meet-key/,
  ],
  [
    "the host key as a bearer token",
    http(`POST ${rooms}/general/close`, undefined, () => ({ authorization: `Bearer ${room.host_key}` })),
    /x-meet-key/,
  ],
  ["the key in the query", async () => http(`GET /api/mailbox?key=${ada.key}`)(), /x-wf-key/],
  ["no key", http("POST /api/jobs", { title: "t", detail: "d" }), /x-wf-key/],
  ["once in the body", http(`POST ${rooms}/general/posts`, { ...spoken, once: "1" }), /Idempotency-Key/],
  ["username for name", http("POST /api/name", { username: "Guest" }), /name/],
  ["/api/name/claim", http("POST /api/name/claim", { name: "Guest" }), /POST \/api\/name\b/],
  ["/api/jobs/{id}/complete", async () => http(`POST /api/jobs/${job.id}/complete`, {}, as_ada)(), /deliver/],
  ["one tag", http("POST /api/jobs", { title: "t", detail: "d", tags: "rust" }, as_ada), null],
  ["a version as a string", http("PUT /api/locker/notes", { value: "x", expires_in: "60" }, as_ada), null],
  [
    "Accepted",
    async () => http(`POST /api/jobs/${job.id}/review`, { verdict: "ok" }, as_ada)(),
    /"accepted"/,
  ],
];

test.each(calls)("%s (case %#)", async (_what, make, says) => {
  const refusal = await make();
  if (says === null) expect(refusal).toBeNull();
  else {
    expect(refusal).toMatch(says);
    expect([tokensOf(refusal!) <= tokens_max, refusal]).toEqual([true, refusal]);
  }
});

test("fifty calls at least are in the table", () => {
  expect(calls.length).toBeGreaterThanOrEqual(50);
});
