/**
 * The ways into a room: all that a caller can send that names a room, for every route, tool, resource and prompt of the service. Tests
 * send them as callers who must not see a private room, and as members.
 */

import { message, modern } from "./mcp_messages.ts";

/** What the calls name: a room, and what is in it. */
export interface Target {
  slug: string;
  host_key: string;
  /** The id of the first post. */
  post_id: string;
  /** The number and the id of a post of the member. */
  own: { n: number; id: string };
  /** The fence of a lease of the member. */
  fence: number;
  /** Under which name the caller speaks. */
  name: string;
  /** The name of another member. */
  other: string;
}

/** A request. `form`: sent as a page of the service sends it. */
export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
}

/** What a way does for members. */
interface Outcome {
  /** Who makes the call: a host if the way needs one. */
  by?: "host";
  /** The status of the answer to the caller who may make the call; 200 if left out. */
  status?: number;
  /** Of a way that writes: the error for a reader. */
  reader?: string;
  /** It takes the host key of the room, which also those have who were removed. */
  by_key?: true;
  /** Its answer says nothing of the room to members either, such as the refusal of those who are no admin. */
  says_nothing?: true;
  /** Its answer has all private rooms of the caller. */
  has_other_rooms?: true;
}

export interface Way extends Outcome {
  /** The route, the tool, the resource or the prompt. */
  of: string;
  send(to: Target): Sent;
}

const api = ({ slug }: Target, rest = ""): string => `/api/meet/rooms/${slug}${rest}`;
const page = ({ slug }: Target, rest = ""): string => `/meet/r/${slug}${rest}`;

const writes: Outcome = { reader: "readers_only_read" };
const adds: Outcome = { ...writes, status: 201 };
const hosts: Outcome = { by: "host", reader: "host_key_required" };
const leads: Outcome = { status: 302 };
const done: Outcome = { status: 303 };
const of_admins: Outcome = { status: 401, says_nothing: true };

/** A way without a body: `send` makes its path. */
const reads = (of: string, pathOf: (to: Target) => string, outcome: Outcome = {}): Way => ({
  of,
  ...outcome,
  send: (to) => ({ method: of.split(" ")[0]!, path: pathOf(to) }),
});

const sends = (
  of: string,
  pathOf: (to: Target) => string,
  bodyOf: (to: Target) => unknown,
  outcome: Outcome,
): Way => ({
  of,
  ...outcome,
  send: (to) => ({ method: of.split(" ")[0]!, path: pathOf(to), body: bodyOf(to) }),
});

const submits = (
  of: string,
  pathOf: (to: Target) => string,
  formOf: (to: Target) => Record<string, string>,
  outcome: Outcome,
): Way => ({ of, ...outcome, send: (to) => ({ method: "POST", path: pathOf(to), form: formOf(to) }) });

const room = "/api/meet/rooms/:room";
const room_page = "/meet/r/:room";
const lease = { paths: ["src/other"], ttl_seconds: 60, purpose: "Mine" };

/** The ways over HTTP. */
export const http_ways: Way[] = [
  reads(`GET ${room}`, (to) => api(to)),
  reads(`GET ${room}`, (to) => api(to, ".md")),
  reads(`GET ${room}`, (to) => api(to, "?since=0")),
  reads(`GET ${room}`, (to) => api(to, "?since=0&wait_seconds=1")),
  reads(`GET ${room}`, (to) => api(to, `?since=0&wait_seconds=1&not_by=${encodeURIComponent(to.other)}`)),
  reads(`GET ${room}`, (to) => api(to, `?before=${to.post_id}&proof=1`)),
  reads(`GET ${room}`, (to) => api(to, "?limit=1&fields=lean")),
  sends(
    `POST ${room}/posts`,
    (to) => api(to, "/posts"),
    ({ name }) => ({ name, body: "mine" }),
    adds,
  ),
  sends(
    `POST ${room}/posts`,
    (to) => api(to, "/posts?receipt=1&fields=lean"),
    ({ name, post_id }) => ({ name, body: "mine", in_reply_to: post_id, since: 0 }),
    adds,
  ),
  sends(
    `POST ${room}/posts`,
    (to) => api(to, "/posts"),
    ({ name, own }) => ({ name, body: "mine", if_latest: own.n, since: own.n, quiet: true }),
    adds,
  ),
  sends(
    `POST ${room}/posts`,
    (to) => api(to, "/posts"),
    ({ name, other }) => ({ name, body: `mine, @${other}`, add_members: true }),
    { ...adds, by: "host" },
  ),
  sends(
    `POST ${room}/close`,
    (to) => api(to, "/close"),
    () => ({}),
    hosts,
  ),
  sends(
    `POST ${room}/close`,
    (to) => api(to, "/close?fields=lean"),
    ({ name, own }) => ({ name, last_word: "mine", if_latest: own.n, since: 0 }),
    hosts,
  ),
  // A host makes others hosts: no host key does.
  reads(`POST ${room}/host`, (to) => api(to, "/host"), {
    status: 401,
    reader: "host_key_required",
    says_nothing: true,
  }),
  reads(`GET ${room}/posts/:id`, (to) => api(to, "/posts/1")),
  reads(`GET ${room}/posts/:id`, (to) => api(to, `/posts/${to.post_id}`)),
  reads(`GET ${room}/posts/:id`, (to) => api(to, `/posts/${to.own.n}?fields=delivery`)),
  reads(`DELETE ${room}/posts/:id`, (to) => api(to, `/posts/${to.own.id}`), { reader: "not_your_post" }),
  reads(`GET ${room}/present`, (to) => api(to, "/present")),
  reads(`GET ${room}/stream`, (to) => api(to, "/stream?since=0")),
  reads(`GET ${room}/feed.json`, (to) => api(to, "/feed.json")),
  reads(`GET ${room}/feed.atom`, (to) => api(to, "/feed.atom")),
  reads(`GET ${room}/export.jsonl`, (to) => api(to, "/export.jsonl")),
  sends(
    `PUT ${room}/pace`,
    (to) => api(to, "/pace"),
    () => ({ pace: "none" }),
    hosts,
  ),
  reads(`GET ${room}/members`, (to) => api(to, "/members")),
  sends(
    `POST ${room}/members`,
    (to) => api(to, "/members"),
    ({ name }) => ({ name }),
    hosts,
  ),
  sends(
    `POST ${room}/members`,
    (to) => api(to, "/members"),
    ({ other }) => ({ name: other, role: "reader" }),
    hosts,
  ),
  reads(`DELETE ${room}/members/:name`, (to) => api(to, `/members/${encodeURIComponent(to.other)}`), hosts),
  sends(
    `POST ${room}/leases`,
    (to) => api(to, "/leases"),
    () => lease,
    adds,
  ),
  sends(
    `POST ${room}/leases/extend`,
    (to) => api(to, "/leases/extend"),
    ({ fence }) => ({ fence, ttl_seconds: 90 }),
    writes,
  ),
  sends(
    `POST ${room}/leases/release`,
    (to) => api(to, "/leases/release"),
    ({ fence }) => ({ fence }),
    writes,
  ),
  sends(
    `POST ${room}/leases/break`,
    (to) => api(to, "/leases/break"),
    () => ({ paths: ["src"] }),
    hosts,
  ),
  sends(
    `POST ${room}/leases/check`,
    (to) => api(to, "/leases/check"),
    () => ({ paths: ["src"] }),
    {},
  ),
  reads(`GET ${room}/leases`, (to) => api(to, "/leases")),
  reads(`GET ${room}/leases`, (to) => api(to, "/leases?prefix=src&limit=1")),
  sends(
    `POST ${room}/posts/:id/report`,
    (to) => api(to, `/posts/${to.post_id}/report`),
    () => ({ reason: "spam" }),
    { status: 201 },
  ),
  reads("GET /api/wait", ({ slug }) => `/api/wait?room=${slug}:0&wait_seconds=1`),
  reads("GET /api/wait", ({ slug }) => `/api/wait?room=${slug}&wait_seconds=0`),
  reads("GET /api/wait", ({ slug }) => `/api/wait?leases=${slug}:2026-01-01T00:00:00.000Z&wait_seconds=1`),
  reads("GET /api/wait", ({ slug }) => `/api/wait?leases=${slug}&jobs=now&wait_seconds=0`),

  reads(`GET ${room_page}`, (to) => page(to)),
  reads(`GET ${room_page}`, (to) => page(to, ".md")),
  reads(`GET ${room_page}`, (to) => page(to, "?all=1")),
  reads(`GET ${room_page}`, (to) => page(to, `?member=${encodeURIComponent(to.other)}`)),
  reads(`GET ${room_page}`, (to) => page(to, `?before=2&reply=1&report=${to.post_id}&redact=1`)),
  reads(`GET ${room_page}/:post`, (to) => page(to, "/1"), leads),
  reads(`GET ${room_page}/:post`, (to) => page(to, `/${to.post_id}.md`), leads),
  reads(`GET ${room_page}/:post`, (to) => page(to, "/1.txt")),
  reads(`GET ${room_page}/held`, (to) => page(to, "/held")),
  reads(`GET ${room_page}/after/:n`, (to) => page(to, "/after/0")),
  reads(`GET ${room_page}/post/:n`, (to) => page(to, "/post/1")),
  reads(`GET ${room_page}/key`, (to) => page(to, "/key")),
  submits(
    `POST ${room_page}`,
    (to) => page(to),
    ({ name }) => ({ name, body: "mine", once: "1" }),
    {
      ...done,
      ...writes,
    },
  ),
  submits(
    `POST ${room_page}/redact`,
    (to) => page(to, "/redact"),
    ({ own }) => ({ post: own.id }),
    {
      ...done,
      reader: "not_your_post",
    },
  ),
  submits(
    `POST ${room_page}/break`,
    (to) => page(to, "/break"),
    () => ({ paths: "src" }),
    { ...hosts, ...done },
  ),
  submits(
    `POST ${room_page}/pace`,
    (to) => page(to, "/pace"),
    () => ({ pace: "none" }),
    { ...hosts, ...done },
  ),
  submits(
    `POST ${room_page}/close`,
    (to) => page(to, "/close"),
    () => ({}),
    { ...hosts, ...done },
  ),
  submits(
    `POST ${room_page}/members`,
    (to) => page(to, "/members"),
    ({ other }) => ({ name: other, role: "reader" }),
    { ...hosts, ...done },
  ),
  submits(
    `POST ${room_page}/members/remove`,
    (to) => page(to, "/members/remove"),
    ({ other }) => ({ name: other }),
    { ...hosts, ...done },
  ),
  submits(
    `POST ${room_page}/leave`,
    (to) => page(to, "/leave"),
    () => ({}),
    done,
  ),
  submits(
    `POST ${room_page}/host`,
    (to) => page(to, "/host"),
    ({ host_key }) => ({ host_key }),
    {
      ...done,
      by: "host",
      by_key: true,
      says_nothing: true,
    },
  ),
  submits(
    `POST ${room_page}/report`,
    (to) => page(to, "/report"),
    () => ({ post: "1", reason: "spam" }),
    {
      status: 201,
    },
  ),

  sends(
    "POST /api/admin/rooms/:room/close",
    ({ slug }) => `/api/admin/rooms/${slug}/close`,
    () => ({ reason: "x" }),
    of_admins,
  ),
  sends(
    "POST /api/admin/rooms/:room/reopen",
    ({ slug }) => `/api/admin/rooms/${slug}/reopen`,
    () => ({ reason: "x" }),
    of_admins,
  ),
  sends(
    "POST /api/admin/rooms/:room/delete",
    ({ slug }) => `/api/admin/rooms/${slug}/delete`,
    () => ({ reason: "x" }),
    of_admins,
  ),
  sends(
    "POST /api/admin/rooms/:room/leases/break",
    ({ slug }) => `/api/admin/rooms/${slug}/leases/break`,
    () => ({ paths: ["src"], reason: "x" }),
    of_admins,
  ),
  ...["hide", "restore", "erase"].map((action) =>
    sends(
      `POST /api/admin/posts/:id/${action}`,
      ({ post_id }) => `/api/admin/posts/${post_id}/${action}`,
      () => ({ reason: "x" }),
      of_admins,
    ),
  ),
  sends(
    "POST /api/admin/reports/:post_id/dismiss",
    ({ post_id }) => `/api/admin/reports/${post_id}/dismiss`,
    () => ({ reason: "x" }),
    of_admins,
  ),

  reads("GET /mcp/meet/:room", ({ slug }) => `/mcp/meet/${slug}.md`),
  {
    of: "GET /mcp/meet/:room",
    send: ({ slug }) => ({ method: "GET", path: `/mcp/meet/${slug}`, headers: { accept: "text/html" } }),
  },
  reads("GET /mcp/meet/:room/server-card", ({ slug }) => `/mcp/meet/${slug}/server-card`),
  // What names a room here names none of its posts.
  reads("DELETE /mcp/meet/:room", ({ slug }) => `/mcp/meet/${slug}`, { status: 400, says_nothing: true }),
  reads("GET /signin", (to) => `/signin?next=${page(to)}`, { says_nothing: true }),
  reads("GET /api/meet/rooms", ({ slug }) => `/api/meet/rooms?q=${slug}`, { says_nothing: true }),
  reads("GET /api/meet/rooms", () => "/api/meet/rooms?visibility=private", { has_other_rooms: true }),
  reads("GET /api/meet/rooms", () => "/api/meet/rooms?visibility=private&q=goal&fields=lean", {
    has_other_rooms: true,
  }),
  reads("GET /api/meet/rooms.md", () => "/api/meet/rooms.md?visibility=private", { has_other_rooms: true }),
  reads("GET /api/meet/rooms", ({ slug }) => `/api/meet/rooms?q=${slug.slice(0, 12)}&closed=true`, {
    says_nothing: true,
  }),
  reads("GET /api/meet/rooms.md", ({ slug }) => `/api/meet/rooms.md?q=${slug}`, { says_nothing: true }),
  reads("GET /meet", ({ slug }) => `/meet?q=${slug}`, { says_nothing: true }),
  reads("GET /meet.md", ({ slug }) => `/meet.md?q=${slug}`, { says_nothing: true }),
  reads("GET /me/rooms", ({ slug }) => `/me/rooms?q=${slug}`, { says_nothing: true }),
  reads("GET /api/wait", ({ slug }) => `/api/wait?rooms=${slug}&wait_seconds=0`, {
    status: 422,
    says_nothing: true,
  }),
];

/** The routes of the service that name no room. They are in the walk for canaries alone. */
export const no_room_routes: ReadonlySet<string> = new Set([
  "GET /healthz",
  "GET /readyz",
  "POST /api/meet/rooms",
  "POST /meet",
  "GET /api/name/:name/posts",
  "GET /api/name",
  "GET /api/name/export",
  "GET /api/name/:name",
  "POST /api/name/whoami",
  "POST /api/name",
  "POST /api/name/rotate",
  "POST /api/name/recover",
  "POST /api/name/revoke",
  "GET /claim",
  "POST /claim",
  "GET /claim/key",
  "POST /claim/key",
  "GET /name/:name",
  "POST /api/admin/names/:name/suspend",
  "POST /api/admin/names/:name/unsuspend",
  "POST /api/admin/names/:name/reserve",
  "POST /api/admin/names/:name/unreserve",
  "POST /api/admin/names/:name/release",
  "GET /api/admin/invites",
  "POST /api/admin/invites",
  "POST /api/admin/invites/:id/revoke",
  "POST /signin",
  "POST /signout",
  "GET /me",
  "POST /me/sessions",
  "POST /oauth/token",
  "POST /oauth/revoke",
  "POST /oauth/register",
  "GET /.well-known/oauth-protected-resource/mcp/account",
  "GET /.well-known/oauth-authorization-server/oauth",
  "GET /oauth/.well-known/oauth-authorization-server",
  "GET /.well-known/openid-configuration/oauth",
  "GET /oauth/.well-known/openid-configuration",
  "GET /oauth/authorize",
  "POST /oauth/authorize",
  "GET /api/name/grants",
  "DELETE /api/name/grants/:id",
  "POST /me/grants",
  "GET /api/admin/clients",
  "POST /api/admin/clients",
  "POST /api/admin/clients/end",
  "GET /api/locker",
  "GET /api/locker/index",
  "GET /api/locker/index.md",
  "GET /api/locker/*",
  "PUT /api/locker/*",
  "DELETE /api/locker/*",
  "GET /locker",
  "GET /locker.md",
  "GET /locker/:name/*",
  "GET /me/locker",
  "GET /me/locker/*",
  "POST /me/locker",
  "POST /api/admin/lockers/:name/:slot/remove",
  "GET /api/jobs",
  "GET /api/jobs.md",
  "GET /api/jobs/:id",
  "POST /api/jobs",
  "POST /api/jobs/:id/claim",
  "POST /api/jobs/:id/extend",
  "POST /api/jobs/:id/release",
  "POST /api/jobs/:id/deliver",
  "POST /api/jobs/:id/withdraw",
  "POST /api/jobs/:id/review",
  "GET /jobs",
  "POST /jobs",
  "GET /jobs.md",
  "GET /jobs/:id",
  "GET /me/jobs",
  "GET /me/jobs/:id",
  "POST /me/jobs/:id/:action",
  "POST /api/admin/jobs/:id/withdraw",
  "GET /api/mailbox",
  "POST /api/mailbox/ack",
  "POST /api/mailbox/reached",
  "PUT /api/mailbox/delivery",
  "GET /api/mailbox/webhook",
  "PUT /api/mailbox/webhook",
  "DELETE /api/mailbox/webhook",
  "POST /api/mailbox/webhook/test",
  "DELETE /api/mailbox",
  "GET /api/mailbox/stream",
  "GET /me/webhook",
  "POST /me/webhook",
  "GET /me/mailbox",
  "POST /me/mailbox",
  "POST /me/mailbox/delivery",
  "GET /api/beacon",
  "GET /api/beacon.md",
  "GET /api/beacon/:round",
  "GET /api/beacon/toss",
  "GET /api/beacon/days/:day",
  "GET /beacon",
  "GET /beacon.md",
  "GET /beacon/:round",
  "GET /.well-known/jwks.json",
  "GET /receipt/key",
  "GET /receipt/key.pem",
  "GET /receipt/verify",
  "POST /receipt/verify",
  "GET /receipt",
  "POST /receipt",
  "GET /receipt.md",
  "GET /me/receipts",
  "GET /api/admin/audit",
  "GET /api/admin/export",
  "GET /api/admin/backup",
  "GET /api/admin/retention",
  "POST /api/admin/retention",
  "GET /api/admin/network",
  "GET /api/admin/tokens",
  "POST /api/admin/tokens",
  "POST /api/admin/tokens/:id/revoke",
  "GET /api/admin/bans",
  "POST /api/admin/bans",
  "POST /api/admin/bans/lift",
  "GET /api/admin/reports",
  "GET /assets/:digest/:name",
  "GET /favicon.ico",
  "GET /",
  "GET /admin",
  "POST /admin",
  "GET /mcp",
  "GET /mcp/meet",
  "GET /mcp/account",
  "DELETE /mcp",
  "DELETE /mcp/meet",
  "DELETE /mcp/account",
  "GET /api",
  "GET /api.md",
  "GET /api/docs/:section",
  "GET /problems",
  "GET /problems.md",
  "GET /problems/:code",
  "GET /sitemap.xml",
  "GET /openapi.json",
  "GET /llms.txt",
  "GET /SKILL.md",
  "GET /.well-known/agent-skills/index.json",
  "GET /.well-known/api-catalog",
  "GET /.well-known/ai-catalog.json",
  "GET /.well-known/mcp/catalog.json",
  "GET /robots.txt",
  "GET /mcp/server-card",
  "GET /mcp.md",
  "GET /mcp/meet/server-card",
  "GET /mcp/meet.md",
  "GET /mcp/account.md",
]);

/** The routes to which messages of MCP are sent: `mcp_ways` has what they name. */
export const mcp_routes: ReadonlySet<string> = new Set([
  "POST /mcp",
  "POST /mcp/meet",
  "POST /mcp/meet/:room",
  "POST /mcp/account",
]);

/** A call over MCP. `of`: `tools/call meet_read`, `resources/read meet://room/{room}`, … */
export interface McpWay extends Omit<Outcome, "status"> {
  of: string;
  method: string;
  paramsOf(to: Target): Record<string, unknown>;
  /** At which addresses it is; all by default. */
  at?: "own" | "shared";
  /** Only in one era of the protocol: sessions in the earlier one, `listen` in the later one. */
  era?: "session" | "modern";
}

const tool = (
  name: string,
  argsOf: (to: Target) => Record<string, unknown>,
  outcome: Partial<McpWay> = {},
): McpWay => ({
  of: `tools/call ${name}`,
  method: "tools/call",
  paramsOf: (to) => ({ name, arguments: argsOf(to) }),
  ...outcome,
});

const template = "meet://room/{room}";
const uri = ({ slug }: Target): string => `meet://room/${slug}`;
const following = (to: Target) => ({ notifications: { resourceSubscriptions: [uri(to)] } });
const completes = (ref: object, of: string): McpWay => ({
  of: `completion/complete ${of}`,
  method: "completion/complete",
  paramsOf: ({ slug }) => ({ ref, argument: { name: "room", value: slug.slice(0, 12) } }),
  says_nothing: true,
});

/** The ways over MCP. */
export const mcp_ways: McpWay[] = [
  tool("meet_ask", ({ name }) => ({ question: "mine?", name }), { ...writes, at: "own" }),
  tool("meet_answer", ({ slug, name }) => ({ room: slug, name, body: "mine" }), writes),
  tool(
    "meet_answer",
    ({ slug, name, post_id }) => ({
      room: `#${slug.toUpperCase()}`,
      name,
      body: "mine",
      in_reply_to: post_id,
    }),
    writes,
  ),
  tool("meet_rooms", ({ slug }) => ({ query: slug }), { says_nothing: true, at: "shared" }),
  tool("meet_rooms", () => ({ visibility: "private" }), { has_other_rooms: true, at: "shared" }),
  tool("meet_rooms", () => ({ visibility: "private", query: "goal" }), {
    has_other_rooms: true,
    at: "shared",
  }),
  tool("meet_read", ({ slug }) => ({ room: slug })),
  tool("meet_read", ({ slug }) => ({
    room: `https://example.com/meet/r/${slug}`,
    since: 0,
    wait_seconds: 1,
  })),
  tool("meet_read", ({ slug }) => ({ room: uri({ slug } as Target), digest: true, max_tokens: 500 })),
  tool("meet_read", () => ({ since: 0, ids: true }), { at: "own" }),
  tool("meet_speak", ({ slug, name }) => ({ room: slug, name, body: "mine" }), writes),
  tool(
    "meet_speak",
    ({ slug, name }) => ({ room: slug, name, body: "mine", since: 0, receipt: true }),
    writes,
  ),
  tool(
    "meet_speak",
    ({ slug, name, other }) => ({ room: slug, name, body: `mine, @${other}`, add_members: true }),
    { ...(writes as Partial<McpWay>), by: "host" },
  ),
  tool("meet_close", ({ slug }) => ({ room: slug }), hosts as Partial<McpWay>),
  tool("meet_close", ({ slug, name }) => ({ room: slug, name, last_word: "mine" }), hosts as Partial<McpWay>),
  tool("lease_take", ({ slug }) => ({ room: slug, paths: ["src/other"] }), writes),
  tool("lease_take", ({ slug, fence }) => ({ room: slug, extend: fence }), writes),
  tool("lease_release", ({ slug, fence }) => ({ room: slug, fence }), writes),
  tool("wait", ({ slug }) => ({ rooms: { [slug]: 0 }, wait_seconds: 1 })),
  tool("wait", ({ slug }) => ({ leases: { [slug]: "2026-01-01T00:00:00.000Z" }, wait_seconds: 1 })),
  { of: `resources/read ${template}`, method: "resources/read", paramsOf: (to) => ({ uri: uri(to) }) },
  {
    of: `resources/subscribe ${template}`,
    method: "resources/subscribe",
    paramsOf: (to) => ({ uri: uri(to) }),
    era: "session",
  },
  {
    of: `resources/unsubscribe ${template}`,
    method: "resources/unsubscribe",
    paramsOf: (to) => ({ uri: uri(to) }),
    era: "session",
    says_nothing: true,
  },
  {
    of: `subscriptions/listen ${template}`,
    method: "subscriptions/listen",
    paramsOf: following,
    era: "modern",
  },
  { of: "resources/list", method: "resources/list", paramsOf: () => ({}), at: "own" },
  {
    of: "prompts/get join_room",
    method: "prompts/get",
    paramsOf: ({ slug }) => ({ name: "join_room", arguments: { room: slug } }),
  },
  completes({ type: "ref/prompt", name: "join_room" }, "join_room"),
  completes({ type: "ref/resource", uri: template }, template),
  // At the room's own address: what an address says of itself whatever its room.
  ...["ping", "server/discover", "tools/list", "prompts/list", "resources/templates/list"].map(
    (method): McpWay => ({ of: method, method, paramsOf: () => ({}), at: "own", says_nothing: true }),
  ),
];

/** The tools that name no room. */
export const no_room_tools: ReadonlySet<string> = new Set([
  "meet_open",
  "name_claim",
  "name_recover",
  "name_lookup",
  "locker_put",
  "locker_get",
  "locker_list",
  "locker_delete",
  "beacon",
  "receipt_verify",
  "jobs_list",
  "job_read",
  "job_post",
  "job_claim",
  "job_update",
  "job_deliver",
  "job_review",
  "mailbox_read",
  "mailbox_ack",
]);

/** Whether a way is at this MCP address. */
export function isOfferedAt({ of, at }: McpWay, address: string): boolean {
  const is_own = address.startsWith("/mcp/meet/");
  if (at !== undefined && (at === "own") !== is_own) return false;
  if (address === "/mcp/meet" && of.includes(" lease_")) return false;
  const has_all_tools = address === "/mcp" || address === "/mcp/account";
  return has_all_tools || !of.startsWith("tools/call") || / (?:meet|lease)_/.test(of);
}

/** The requests of a way over MCP at one address: as a plain call, and in the later era. */
export function mcpSent({ method, paramsOf, era }: McpWay, path: string, to: Target): Sent[] {
  const params = paramsOf(to);
  const current = modern(method, params);
  const of_now: Sent = { method: "POST", path, headers: current.headers, body: current.body };
  if (era === "modern") return [of_now];
  const json = { "content-type": "application/json" };
  const of_then: Sent = { method: "POST", path, headers: json, body: message(method, params) };
  return era === "session" ? [of_then] : [of_then, of_now];
}
