/** Authorisation: every API route and every tool × every way to send a key or none. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { error_catalog, type ErrorCode } from "../../src/app/error_catalog.ts";
import type { Job } from "../../src/api/jobs/jobs.ts";
import type { LeaseList, TakenLease } from "../../src/api/leases.ts";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import type { Recovered } from "../../src/api/names/names.ts";
import type { Members as MemberList } from "../../src/api/rooms/members.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { statusOf } from "../../src/web/problems.ts";
import { grantOf } from "../support/grants.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";
import { calling } from "../support/webhook_receivers.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";

/**
 * The keys that are sent: none; Ada's name with Bob's key; Bob's own; Ada's own; Ada's before it was revoked; Ada's as
 * a bearer key. The calls are about objects of Ada's.
 */
const shown = ["none", "wrong", "another's", "right", "revoked", "bearer"] as const;
type Statuses = [number, number, number, number, number, number];

/** The objects that a cell's call is about, made anew after each call that may have changed them. */
interface Scene {
  ada: Holder;
  room: OpenedRoom;
  /** A private room of Ada's, in which Carol is a member and Bob is not. */
  private_room: OpenedRoom;
  bob: Holder;
  carol: Holder;
  /** Ada's, in the room. */
  post: Post;
  /** The ids of jobs: two that Ada posted, one open and one that Carol delivered, and two of Carol's, one held by Ada. */
  jobs: Record<"hers" | "delivered" | "open" | "held", string>;
  receipt: string;
  /** The number of Ada's lease in the room. */
  fence: number;
  /** The id of a grant that Ada gave. */
  grant: string;
}
interface NewScene extends Scene {
  /** The headers of each way to send a key. */
  credentials: Record<string, string>[];
  old_key: string;
}
interface Sent {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Another method than the row's, for answers that would not end. */
  method?: string;
}

const anybody: Statuses = [200, 401, 200, 200, 401, 200];
const as_ada: Statuses = [403, 401, 403, 201, 401, 201];
const anew: Statuses = [201, 401, 201, 201, 401, 201];

const rooms = "/api/meet/rooms";
const at = ({ room }: Scene, rest = ""): string => `${rooms}/${room.slug}${rest}`;
const host = ({ room }: Scene) => ({ "x-meet-key": room.host_key! });
let count = 0;

const routes: [string, Statuses, (scene: Scene) => Sent][] = [
  ["GET /healthz", anybody, () => ({ path: "/healthz" })],
  ["GET /readyz", anybody, () => ({ path: "/readyz" })],
  ["GET /api/meet/rooms", anybody, () => ({ path: rooms })],
  ["POST /api/meet/rooms", as_ada, ({ ada }) => ({ path: rooms, body: { goal: "Mine", name: ada.name } })],
  ["GET /api/meet/rooms/{room}", anybody, (scene) => ({ path: at(scene) })],
  [
    "POST /api/meet/rooms/{room}/posts",
    as_ada,
    (scene) => ({ path: at(scene, "/posts"), body: { name: scene.ada.name, body: "mine" } }),
  ],
  [
    "POST /api/meet/rooms/{room}/close",
    anybody,
    (scene) => ({ path: at(scene, "/close"), headers: host(scene) }),
  ],
  [
    "PUT /api/meet/rooms/{room}/pace",
    anybody,
    (scene) => ({ path: at(scene, "/pace"), headers: host(scene), body: { pace: "none" } }),
  ],
  [
    "POST /api/meet/rooms/{room}/host",
    [401, 401, 403, 200, 401, 200],
    (scene) => ({ path: at(scene, "/host"), headers: host(scene) }),
  ],
  [
    "GET /api/meet/rooms/{room}/posts/{id}",
    [401, 401, 403, 200, 401, 200],
    (scene) => ({ path: at(scene, `/posts/${scene.post.id}?fields=delivery`) }),
  ],
  [
    "DELETE /api/meet/rooms/{room}/posts/{id}",
    [401, 401, 403, 200, 401, 200],
    (scene) => ({ path: at(scene, `/posts/${scene.post.id}`) }),
  ],
  [
    "POST /api/meet/rooms/{room}/posts/{id}/report",
    anew,
    (scene) => ({ path: at(scene, `/posts/${scene.post.id}/report`), body: { reason: "Spam" } }),
  ],
  ["GET /api/meet/rooms/{room}/present", anybody, (scene) => ({ path: at(scene, "/present") })],
  ["GET /api/meet/rooms/{room}/stream", anybody, (scene) => ({ path: at(scene, "/stream"), method: "HEAD" })],
  ["GET /api/meet/rooms/{room}/feed.json", anybody, (scene) => ({ path: at(scene, "/feed.json") })],
  ["GET /api/meet/rooms/{room}/feed.atom", anybody, (scene) => ({ path: at(scene, "/feed.atom") })],
  ["GET /api/meet/rooms/{room}/export.jsonl", anybody, (scene) => ({ path: at(scene, "/export.jsonl") })],

  ["POST /api/name", anew, () => ({ path: "/api/name", body: { name: `Claimed ${++count}` } })],
  ["GET /api/name", anybody, () => ({ path: "/api/name" })],
  ["GET /api/name/{name}", anybody, ({ ada }) => ({ path: `/api/name/${encodeURIComponent(ada.name)}` })],
  [
    "GET /api/name/{name}/posts",
    anybody,
    ({ ada }) => ({ path: `/api/name/${encodeURIComponent(ada.name)}/posts` }),
  ],
  [
    "GET /api/name/export",
    [401, 401, 200, 200, 401, 200],
    () => ({ path: "/api/name/export", method: "HEAD" }),
  ],
  ["GET /api/name/grants", [401, 401, 200, 200, 401, 200], () => ({ path: "/api/name/grants" })],
  [
    "DELETE /api/name/grants/{id}",
    [401, 401, 404, 200, 401, 200],
    ({ grant }) => ({ path: `/api/name/grants/${grant}` }),
  ],
  ["POST /api/name/whoami", [401, 401, 200, 200, 401, 200], () => ({ path: "/api/name/whoami" })],
  ["POST /api/name/rotate", [401, 401, 200, 200, 401, 200], () => ({ path: "/api/name/rotate" })],
  [
    "POST /api/name/recover",
    anybody,
    ({ ada: { name, recovery_code } }) => ({ path: "/api/name/recover", body: { name, recovery_code } }),
  ],
  ["POST /api/name/revoke", anybody, ({ ada }) => ({ path: "/api/name/revoke", body: { key: ada.key } })],

  ["GET /api/locker", anybody, () => ({ path: "/api/locker" })],
  ["GET /api/locker/index", anybody, () => ({ path: "/api/locker/index" })],
  ["GET /api/locker/{slot}", [401, 401, 404, 200, 401, 200], () => ({ path: "/api/locker/mine" })],
  [
    "PUT /api/locker/{slot}",
    [401, 401, 201, 200, 401, 200],
    () => ({ path: "/api/locker/mine", body: { value: "changed", public: true } }),
  ],
  ["DELETE /api/locker/{slot}", [401, 401, 404, 200, 401, 200], () => ({ path: "/api/locker/mine" })],
  [
    "GET /locker/{name}/{slot}",
    anybody,
    ({ ada }) => ({ path: `/locker/${encodeURIComponent(ada.name)}/mine` }),
  ],
];

routes.push(
  ["GET /api/wait", anybody, () => ({ path: "/api/wait?jobs=now&wait_seconds=0" })],
  ["GET /api/beacon", anybody, () => ({ path: "/api/beacon" })],
  // The service begins on this day.
  ["GET /api/beacon/{round}", anybody, () => ({ path: `/api/beacon/${Date.parse("2026-03-01") / 60_000}` })],
  ["GET /api/beacon/toss", anybody, () => ({ path: "/api/beacon/toss?label=lunch" })],
  ["GET /api/beacon/days/{day}", anybody, () => ({ path: "/api/beacon/days/2026-03-02" })],
);

const as_holder: Statuses = [401, 401, 200, 200, 401, 200];
/** Ada has one, Bob has none. */
const of_own: Statuses = [401, 401, 404, 200, 401, 200];
const webhook_at = "/api/mailbox/webhook";
const job = (id: string, rest = ""): string => `/api/jobs/${id}${rest}`;
routes.push(
  ["GET /api/jobs", anybody, () => ({ path: "/api/jobs" })],
  [
    "POST /api/jobs",
    [401, 401, 201, 201, 401, 201],
    () => ({ path: "/api/jobs", body: { title: "Mine", detail: "To be done." } }),
  ],
  ["GET /api/jobs/{id}", anybody, ({ jobs }) => ({ path: job(jobs.hers) })],
  ["POST /api/jobs/{id}/claim", as_holder, ({ jobs }) => ({ path: job(jobs.open, "/claim") })],
  [
    "POST /api/jobs/{id}/extend",
    [401, 401, 409, 200, 401, 200],
    ({ jobs }) => ({ path: job(jobs.held, "/extend") }),
  ],
  [
    "POST /api/jobs/{id}/release",
    [401, 401, 409, 200, 401, 200],
    ({ jobs }) => ({ path: job(jobs.held, "/release") }),
  ],
  [
    "POST /api/jobs/{id}/deliver",
    [401, 401, 409, 201, 401, 201],
    ({ jobs }) => ({ path: job(jobs.held, "/deliver"), body: { result: "done" } }),
  ],
  [
    "POST /api/jobs/{id}/withdraw",
    [401, 401, 403, 200, 401, 200],
    ({ jobs }) => ({ path: job(jobs.hers, "/withdraw") }),
  ],
  [
    "POST /api/jobs/{id}/review",
    [401, 401, 403, 200, 401, 200],
    ({ jobs }) => ({ path: job(jobs.delivered, "/review"), body: { verdict: "accepted" } }),
  ],
  ["GET /api/mailbox", as_holder, () => ({ path: "/api/mailbox" })],
  ["POST /api/mailbox/ack", as_holder, () => ({ path: "/api/mailbox/ack", body: { through: 0 } })],
  [
    "POST /api/mailbox/reached",
    // Bob has no notes.
    [401, 401, 422, 200, 401, 200],
    () => ({ path: "/api/mailbox/reached", body: { through: 1, by: "watch" } }),
  ],
  ["PUT /api/mailbox/delivery", as_holder, () => ({ path: "/api/mailbox/delivery", body: { shown: true } })],
  [
    "PUT /api/mailbox/webhook",
    as_holder,
    () => ({ path: webhook_at, body: { url: "http://127.0.0.1:9/2" } }),
  ],
  ["GET /api/mailbox/webhook", of_own, () => ({ path: webhook_at })],
  ["DELETE /api/mailbox/webhook", of_own, () => ({ path: webhook_at })],
  // Nothing listens there, and the answer says so.
  ["POST /api/mailbox/webhook/test", of_own, () => ({ path: `${webhook_at}/test` })],
  ["DELETE /api/mailbox", as_holder, () => ({ path: "/api/mailbox" })],
  ["GET /api/mailbox/stream", as_holder, () => ({ path: "/api/mailbox/stream", method: "HEAD" })],
  ["GET /.well-known/jwks.json", anybody, () => ({ path: "/.well-known/jwks.json" })],
  ["GET /receipt/key", anybody, () => ({ path: "/receipt/key" })],
  ["GET /receipt/key.pem", anybody, () => ({ path: "/receipt/key.pem" })],
  ["GET /receipt/verify", anybody, ({ receipt }) => ({ path: `/receipt/verify?r=${receipt}` })],
  ["POST /receipt/verify", anybody, ({ receipt }) => ({ path: "/receipt/verify", body: { receipt } })],
);

const of_lease: Statuses = [401, 401, 409, 200, 401, 200];
routes.push(
  [
    "POST /api/meet/rooms/{room}/leases",
    [401, 401, 201, 201, 401, 201],
    (scene) => ({ path: at(scene, "/leases"), body: { paths: ["src/free"], ttl_seconds: 60 } }),
  ],
  [
    "POST /api/meet/rooms/{room}/leases/extend",
    of_lease,
    (scene) => ({ path: at(scene, "/leases/extend"), body: { fence: scene.fence, ttl_seconds: 60 } }),
  ],
  [
    "POST /api/meet/rooms/{room}/leases/release",
    of_lease,
    (scene) => ({ path: at(scene, "/leases/release"), body: { fence: scene.fence } }),
  ],
  [
    "POST /api/meet/rooms/{room}/leases/break",
    anybody,
    (scene) => ({ path: at(scene, "/leases/break"), body: { paths: ["src/free"] }, headers: host(scene) }),
  ],
  [
    "POST /api/meet/rooms/{room}/leases/check",
    anybody,
    (scene) => ({ path: at(scene, "/leases/check"), body: { paths: ["src"] } }),
  ],
  ["GET /api/meet/rooms/{room}/leases", anybody, (scene) => ({ path: at(scene, "/leases") })],
);

const membersOf = ({ private_room }: Scene, rest = ""): string =>
  `${rooms}/${private_room.slug}/members${rest}`;
routes.push(
  [
    "GET /api/meet/rooms/{room}/members",
    [401, 401, 404, 200, 401, 200],
    (scene) => ({ path: membersOf(scene) }),
  ],
  [
    "POST /api/meet/rooms/{room}/members",
    [404, 401, 404, 201, 401, 201],
    (scene) => ({ path: membersOf(scene), body: { name: scene.bob.name } }),
  ],
  [
    "DELETE /api/meet/rooms/{room}/members/{name}",
    [404, 401, 404, 200, 401, 200],
    (scene) => ({ path: membersOf(scene, `/${encodeURIComponent(scene.carol.name)}`) }),
  ],
);

const tool_as_ada: Statuses = [403, 401, 403, 200, 401, 200];
const tools: [string, Statuses, (scene: Scene) => Record<string, unknown>][] = [
  ["meet_rooms", anybody, () => ({})],
  ["meet_rooms", as_holder, () => ({ visibility: "private" })],
  ["meet_read", anybody, ({ room }) => ({ room: room.slug })],
  ["meet_open", tool_as_ada, ({ ada }) => ({ goal: "Mine", name: ada.name })],
  ["meet_ask", tool_as_ada, ({ ada }) => ({ question: "Mine?", name: ada.name })],
  ["meet_speak", tool_as_ada, ({ ada, room }) => ({ room: room.slug, name: ada.name, body: "mine" })],
  ["meet_answer", tool_as_ada, ({ ada, room }) => ({ room: room.slug, name: ada.name, body: "mine" })],
  [
    "meet_close",
    tool_as_ada,
    ({ ada, room }) => ({ room: room.slug, host_key: room.host_key, last_word: "mine", name: ada.name }),
  ],
];

tools.push(
  ["lease_take", as_holder, ({ room }) => ({ room: room.slug, paths: ["src/free"] })],
  ["lease_take", of_lease, ({ room, fence }) => ({ room: room.slug, extend: fence })],
  ["lease_release", of_lease, ({ room, fence }) => ({ room: room.slug, fence })],
);

tools.push(
  ["name_claim", anybody, () => ({ name: `Claimed ${++count}` })],
  // The code alone counts; with the right one, the next row of a scene would find another key.
  ["name_recover", [403, 401, 403, 403, 401, 403], ({ ada }) => ({ name: ada.name, recovery_code: "wrong" })],
  ["name_lookup", anybody, ({ ada }) => ({ name: ada.name })],
  ["locker_put", as_holder, () => ({ slot: "mine", value: "changed", public: true })],
  ["locker_get", of_own, () => ({ slot: "mine" })],
  ["locker_get", anybody, ({ ada }) => ({ slot: "mine", owner: ada.name })],
  ["locker_list", as_holder, () => ({})],
  ["locker_delete", of_own, () => ({ slot: "mine" })],
  ["locker_list", anybody, () => ({ of: "all" })],
  ["wait", anybody, () => ({ jobs: "now", wait_seconds: 0 })],
  ["beacon", anybody, () => ({})],
  ["receipt_verify", anybody, ({ receipt }) => ({ receipt })],
);
const of_holder: Statuses = [401, 401, 409, 200, 401, 200];
const of_poster: Statuses = [401, 401, 403, 200, 401, 200];
tools.push(
  ["jobs_list", anybody, () => ({})],
  ["job_read", anybody, ({ jobs }) => ({ id: jobs.hers })],
  ["job_post", as_holder, () => ({ title: "Mine", detail: "To be done." })],
  ["job_claim", as_holder, ({ jobs }) => ({ id: jobs.open })],
  ["job_update", of_holder, ({ jobs }) => ({ id: jobs.held, do: "extend" })],
  ["job_update", of_holder, ({ jobs }) => ({ id: jobs.held, do: "release" })],
  ["job_update", of_poster, ({ jobs }) => ({ id: jobs.hers, do: "withdraw" })],
  ["job_deliver", of_holder, ({ jobs }) => ({ id: jobs.held, result: "done" })],
  ["job_review", of_poster, ({ jobs }) => ({ id: jobs.delivered, verdict: "accepted" })],
  ["mailbox_read", as_holder, () => ({})],
  ["mailbox_ack", as_holder, () => ({ through: 0 })],
);

/** The tools of earlier releases, which no list has. */
const former_tools: typeof tools = [
  ["locker_index", anybody, () => ({})],
  ["job_extend", of_holder, ({ jobs }) => ({ id: jobs.held })],
  ["job_release", of_holder, ({ jobs }) => ({ id: jobs.held })],
  ["job_withdraw", of_poster, ({ jobs }) => ({ id: jobs.hers })],
];
const called_tools = [...tools, ...former_tools];

let service: TestService;
beforeAll(async () => {
  service = await startSource({ ...calling, webhook_unchecked_hosts: ["127.0.0.1"] });
});
afterAll(() => service.stop());

/** Ada with a room, a post and a slot, and Bob. */
async function newScene(): Promise<NewScene> {
  const name = `Ada ${++count}`;
  const before = await claim(service.url, name);
  const bob = await claim(service.url, `Bob ${count}`);
  await post(`${service.url}/api/name/revoke`, { key: before.key });
  const { recovery_code } = before;
  const { body } = await post<Recovered>(`${service.url}/api/name/recover`, { name, recovery_code });
  const ada = holder(name, body.key!, body.recovery_code!);
  await call("PUT", `${service.url}/api/locker/mine`, { value: "as it was", public: true }, ada.pair);
  await call("PUT", service.url + webhook_at, { url: "http://127.0.0.1:9/1" }, ada.pair);
  const room = (await post<OpenedRoom>(service.url + rooms, { goal: "A scene", name }, ada.pair)).body;
  const said = (await post<Post>(`${room.api}/posts`, { name, body: "as it was" }, ada.pair)).body;
  const carol = await claim(service.url, `Carol ${count}`);
  const newJob = async (by: Holder) => {
    const { body } = await post<Job>(
      `${service.url}/api/jobs`,
      { title: "A job", detail: "To be done." },
      by.pair,
    );
    return body.id;
  };
  const callJob = (id: string, rest: string, by: Holder, sent?: object) =>
    post(service.url + job(id, rest), sent, by.pair);
  const jobs = {
    hers: await newJob(ada),
    delivered: await newJob(ada),
    open: await newJob(carol),
    held: await newJob(carol),
  };
  await callJob(jobs.delivered, "/claim", carol);
  await callJob(jobs.delivered, "/deliver", carol, { result: "done" });
  await callJob(jobs.held, "/claim", ada);
  const wrong = { ...ada.pair, "x-wf-key": bob.key };
  const credentials = [{}, wrong, bob.pair, ada.pair, before.pair, ada.bearer];
  const grant = (await grantOf(service, ada)).id;
  const wanted = { paths: ["src/held"], ttl_seconds: 3_600 };
  const { fence } = (await post<TakenLease>(`${room.api}/leases`, wanted, ada.pair)).body;
  const hidden = { goal: "For some", name, visibility: "private" };
  const private_room = (await post<OpenedRoom>(service.url + rooms, hidden, ada.pair)).body;
  await post(`${private_room.api}/members`, { name: carol.name }, ada.pair);
  const receipt = room.receipt!;
  return {
    ada,
    bob,
    carol,
    room,
    private_room,
    post: said,
    jobs,
    receipt,
    fence,
    grant,
    credentials,
    old_key: before.key,
  };
}

/** Expects what Ada wrote to be unchanged. */
async function expectUntouched(scene: Scene, ends_webhook = false): Promise<void> {
  const { ada, carol, room, jobs } = scene;
  const { id } = scene.post;
  const slot = await get(`${service.url}/locker/${encodeURIComponent(ada.name)}/mine`);
  expect(slot.body.value).toBe("as it was");
  if (!ends_webhook) {
    const webhook = await get<{ url: string }>(service.url + webhook_at, ada.pair);
    expect(webhook.body.url).toBe("http://127.0.0.1:9/1");
  }
  const held = (await get<Job>(service.url + job(jobs.held))).body;
  expect([held.state, held.held_by]).toEqual(["held", ada.name]);
  const { leases } = (await get<LeaseList>(`${room.api}/leases`)).body;
  expect(leases[0]).toMatchObject({ holder: ada.name, paths: ["src/held"] });
  const { members } = (await get<MemberList>(`${scene.private_room.api}/members`, carol.pair)).body;
  expect(members.map((member) => [member.name, member.role])).toEqual([
    [ada.name, "host"],
    [carol.name, "member"],
  ]);
  const { body } = await get<{ posts: Post[] }>(room.api);
  expect(body.posts.map((said) => [said.id, said.body])).toEqual([[id, "as it was"]]);
}

const row = (statuses: number[]) => Object.fromEntries(shown.map((how, i) => [how, statuses[i]]));

describe("routes", () => {
  test.each(routes)("%s answers each caller as in the table", async (route, expected, request) => {
    const statuses: number[] = [];
    let scene: NewScene | undefined;
    // These take what only Ada has, in their body. A new key, or none, ends the webhook.
    const ends_webhook = /recover|revoke/.test(route);
    for (const i of shown.keys()) {
      scene ??= await newScene();
      const { path, body, headers, method = route.split(" ")[0]! } = request(scene);
      const all: Record<string, string> = { ...headers, ...scene.credentials[i] };
      if (body !== undefined) all["content-type"] = "application/json";
      const json = body === undefined ? undefined : JSON.stringify(body);
      const answer = await send(method, service.url + path, all, json);
      statuses.push(answer.status);
      if (!["right", "bearer"].includes(shown[i]!)) await expectUntouched(scene, ends_webhook);
      if (answer.status < 400 && !route.startsWith("GET ")) scene = undefined;
    }
    expect(row(statuses)).toEqual(row(expected));
  });

  test("every route of the API has a row in the table", async () => {
    const { paths } = (await get<OpenApi>(`${service.url}/openapi.json`)).body;
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { tags }]) => !tags.includes("pages"))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    // The admin API takes other credentials: test/admin.
    const of_callers = documented.filter((route) => !route.includes(" /api/admin/"));
    expect(routes.map(([route]) => route).toSorted()).toEqual(of_callers.toSorted());
  });
});

describe("tools", () => {
  /** The status that a call of a tool would have had over HTTP. */
  const statusFor = async (name: string, args: object, headers: object): Promise<number> => {
    const code = codeOf(await callTool(service.url, name, args, { ...headers }));
    return code === null ? 200 : statusOf(error_catalog[code as ErrorCode]);
  };

  test.each(called_tools)(
    "%s answers each caller as in the table with the key in headers",
    async (name, expected, args) => {
      const statuses: number[] = [];
      let scene: NewScene | undefined;
      for (const i of shown.keys()) {
        scene ??= await newScene();
        const status = await statusFor(name, args(scene), scene.credentials[i]!);
        statuses.push(status);
        if (!["right", "bearer"].includes(shown[i]!)) await expectUntouched(scene);
        if (status < 400) scene = undefined;
      }
      expect(row(statuses)).toEqual(row(expected));
    },
  );

  test.each(called_tools)(
    "%s answers each caller as in the table with the key in arguments",
    async (name, expected, args) => {
      const scene = await newScene();
      const { "x-wf-key": bobs } = scene.credentials[1]!;
      const as = (key: string | undefined) =>
        statusFor(name, { name: scene.ada.name, ...args(scene), key }, {});
      expect(await as(scene.old_key)).toBe(401);
      // The `name` of the tools of names is the name that they are about: the key alone identifies the caller.
      expect(await as(bobs)).toBe(name.startsWith("name_") ? expected[2] : 401);
      await expectUntouched(scene);
      expect(await as(scene.ada.key)).toBe(expected[3]);
    },
  );

  test("every tool of every MCP address has a row in the table", async () => {
    const { room } = await newScene();
    const rows = [...new Set(tools.map(([name]) => name))];
    const meet = rows.filter((name) => name.startsWith("meet_"));
    const addresses: [path: string, named: string[]][] = [
      ["/mcp", rows],
      ["/mcp/meet", meet],
      [`/mcp/meet/${room.slug}`, [...meet, "lease_take", "lease_release"]],
    ];
    for (const [path, named] of addresses) {
      const offered = (await toolsOf(service.url, path)).map(({ name }) => name);
      expect(named.toSorted()).toEqual(offered.toSorted());
    }
  });
});
