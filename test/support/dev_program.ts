/**
 * A program of mixed requests for a service of development, and its transcript: status, headers in their order and bytes of
 * each answer. The requests follow from a seed and from the answers alone, so equal services have equal transcripts.
 */

import { Agent, request as send, type IncomingMessage } from "node:http";
import { seededRandom } from "../../src/dev/random.ts";
import { message, modern, handshake } from "./mcp_messages.ts";
import { setClock } from "./dev.ts";

export interface Exchange {
  request: string;
  status: number | undefined;
  /** Names and values in turn. */
  headers: string[];
  body: string;
}

type Fields = Record<string, string>;

/** What the answers so far have given to the requests after them. */
interface Known {
  rooms: string[];
  posts: { room: string; id: string; n: number }[];
  names: { name: string; key: string; recovery_code: string }[];
  jobs: string[];
  receipts: string[];
  sessions: string[];
  cursors: string[];
  etags: string[];
}

export interface Program {
  /** Makes the next `count` requests, one after the other. */
  play(count: number): Promise<Exchange[]>;
  close(): void;
}

/** `advances`: whether the program moves the clock. */
export function createProgram(url: string, seed: number): Program {
  const random = seededRandom(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const known: Known = {
    ...{ rooms: [], posts: [], names: [], jobs: [], receipts: [], sessions: [], cursors: [], etags: [] },
  };
  let made = 0;

  const below = (max: number) => new DataView(random.bytes(4).buffer as ArrayBuffer).getUint32(0) % max;
  const one = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length || 1)];
  const word = () =>
    one(["harbour", "lighthouse", "north", "seven", "größer", "wind ✓", "@ana", "1 < 2 & 3"])!;
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const nameOf = () => one(["ana", "bo", "cy", "dee", "Ana", "guest", "nobody-1"])!;

  function keyed(): Fields {
    const holder = one(known.names);
    if (!holder || below(12) === 0) return below(2) ? {} : { "x-wf-name": "ana", "x-wf-key": "wfk_wrong" };
    return below(2)
      ? { "x-wf-name": holder.name, "x-wf-key": holder.key }
      : { authorization: `Bearer ${holder.key}` };
  }
  /** Somebody who may speak under the name: its holder, or a guest. */
  function speaker(): { name: string; headers: Fields } {
    const holder = one(known.names);
    if (!holder || below(3) === 0) return { name: nameOf(), headers: {} };
    return { name: holder.name, headers: { authorization: `Bearer ${holder.key}` } };
  }
  const once = (): Fields => (below(3) ? {} : { "idempotency-key": `once-${below(20)}-0123456789abcdef` });
  const form = (): Fields =>
    one([
      {},
      {},
      {},
      { accept: "text/markdown" },
      { accept: "text/html" },
      { accept: "image/png" },
    ])! as Fields;
  const known_etag = (): Fields =>
    below(4) || !known.etags.length ? {} : { "if-none-match": one(known.etags)! };
  const room = () => one(known.rooms) ?? "nothing";
  const job = () => one(known.jobs) ?? "00000000-0000-7000-8000-000000000000";
  const post_id = () =>
    one(known.posts) ?? { room: "nothing", id: "00000000-0000-7000-8000-000000000000", n: 1 };
  const query = (...parts: string[]) => {
    const chosen = parts.filter(() => below(3) === 0);
    return chosen.length ? `?${chosen.join("&")}` : "";
  };
  const cursor = () => `cursor=${encodeURIComponent(one(known.cursors) ?? "x")}`;

  /** Sends a request and reads its answer; of a stream, the first `events` blocks. */
  function exchange(method: string, path: string, headers: Fields = {}, body?: unknown, events?: number) {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const own = events === undefined ? agent : false;
    const all: Fields = {
      host: "wharf.test",
      ...(text !== undefined && { "content-type": "application/json" }),
      ...headers,
    };
    const { hostname, port } = new URL(url);
    return new Promise<Exchange>((resolve, reject) => {
      const sent = send(
        { hostname, port, method, path, headers: all, agent: own },
        (answer: IncomingMessage) => {
          let bytes = Buffer.alloc(0);
          const end = () => {
            const request = `${++made} ${method} ${path} ${JSON.stringify(headers)} ${text ?? ""}`;
            resolve({
              request,
              status: answer.statusCode,
              headers: answer.rawHeaders,
              body: bytes.toString("latin1"),
            });
            if (events !== undefined) sent.destroy();
          };
          answer.on("data", (chunk: Buffer) => {
            bytes = Buffer.concat([bytes, chunk]);
            if (events !== undefined && bytes.toString().split("\n\n").length > events) end();
          });
          answer.on("end", end);
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  }

  const rpc = (path: string, method: string, params: object = {}, headers: Fields = {}) =>
    exchange("POST", path, headers, message(method, params, made));
  const session = (): Fields =>
    known.sessions.length && below(2) ? { "mcp-session-id": one(known.sessions)! } : {};
  const both: Fields = { accept: "application/json, text/event-stream" };

  function tool(): Promise<Exchange> {
    const holder = one(known.names);
    const key = holder && below(4) ? { key: holder.key } : {};
    const calls: [string, object][] = [
      [
        "meet_open",
        { goal: words(4), name: nameOf(), ...(below(2) && { once: `tool-${below(9)}-0123456789abcdef` }) },
      ],
      ["meet_speak", { room: room(), name: nameOf(), body: words(6), ...key }],
      ["meet_read", { room: room(), ...(below(2) && { limit: 2 }) }],
      ["meet_rooms", { ...(below(2) && { query: "harbour" }) }],
      ["meet_ask", { question: words(3), name: nameOf(), wait_seconds: 0 }],
      ["meet_answer", { room: room(), name: nameOf(), body: words(3), wait_seconds: 0 }],
      ["name_claim", { name: `tool-${below(6)}` }],
      ["name_lookup", { name: nameOf() }],
      ["locker_put", { slot: `s${below(5)}`, value: words(5), ...key }],
      ["locker_get", { slot: `s${below(5)}`, ...key }],
      ["locker_list", key],
      ["locker_list", { of: "all" }],
      ["jobs_list", {}],
      ["job_post", { title: words(2), detail: words(4), tags: ["a"], ...key }],
      ["job_claim", { id: job(), ...key }],
      ["job_deliver", { id: job(), result: words(3), ...key }],
      ["mailbox_read", key],
      ["beacon", { ...(below(2) && { label: "x" }) }],
      ["receipt_verify", { receipt: one(known.receipts) ?? "x.y.z" }],
      ["wait", { rooms: { [room()]: "now" }, wait_seconds: 0 }],
      ["no_such_tool", {}],
      ["meet_speak", { rom: 1 }],
    ];
    const [name, args] = one(calls)!;
    if (below(3) === 0) {
      const { headers, body } = modern("tools/call", { name, arguments: args }, made);
      return exchange("POST", "/mcp", headers as Fields, body);
    }
    return rpc("/mcp", "tools/call", { name, arguments: args }, { ...session(), ...(below(2) ? both : {}) });
  }

  function open(): Promise<Exchange> {
    const { name, headers } = speaker();
    const visibility = below(3) === 0 && { visibility: "unlisted" };
    return exchange(
      "POST",
      "/api/meet/rooms",
      { ...headers, ...once() },
      { goal: words(4), name, ...visibility },
    );
  }

  function speak(): Promise<Exchange> {
    const { name, headers } = speaker();
    const { room: slug, id } = below(3) === 0 ? post_id() : { room: room(), id: null };
    const path = `/api/meet/rooms/${slug}/posts${query("receipt=1", "fields=lean")}`;
    return exchange(
      "POST",
      path,
      { ...headers, ...once() },
      { name, body: words(6), ...(id && { in_reply_to: id }) },
    );
  }

  const steps: (() => Promise<Exchange>)[] = [
    open,
    speak,
    speak,
    speak,
    () =>
      exchange(
        "GET",
        `/api/meet/rooms/${room()}${query("limit=2", "since=2030-01-01T00:00:00.000Z", "fields=lean", "proof=1", "wait_seconds=0", "not_by=ana")}`,
        { ...form(), ...known_etag() },
      ),
    () =>
      exchange(
        "GET",
        `/api/meet/rooms${query("limit=2", cursor(), "q=harbour", "closed=1", "fields=lean")}`,
        { ...form(), ...known_etag() },
      ),
    () =>
      exchange(
        "GET",
        one([`/meet/r/${room()}`, "/meet", "/", "/jobs", "/beacon", "/receipt/verify"])!,
        form(),
      ),
    () =>
      exchange(
        "GET",
        `/api/meet/rooms/${room()}/${one(["feed.json", "feed.atom", "export.jsonl"])!}`,
        known_etag(),
      ),
    () => {
      const { room, id } = post_id();
      return exchange("DELETE", `/api/meet/rooms/${room}/posts/${id}`, keyed());
    },
    () =>
      exchange("POST", `/api/meet/rooms/${room()}/posts/${post_id().id}/report`, keyed(), {
        reason: words(2),
      }),
    () => exchange("POST", `/api/meet/rooms/${room()}/close`, keyed(), { host_key: "wfh_wrong" }),
    () =>
      exchange("POST", "/api/name", once(), {
        name: one(["ana", "bo", "cy", "dee", "eve", "x y", "admin"])!,
      }),
    () => exchange("GET", `/api/name/${nameOf()}`, form()),
    () => exchange("POST", "/api/name/whoami", keyed()),
    () =>
      exchange(
        "POST",
        "/api/name/recover",
        {},
        { name: "ana", recovery_code: one(known.names)?.recovery_code ?? "x" },
      ),
    () =>
      exchange(
        "PUT",
        `/api/locker/s${below(6)}${query("public=true", "expires_in=60", "expected_version=1")}`,
        keyed(),
        { value: words(8) },
      ),
    () => exchange("GET", `/api/locker/s${below(6)}`, { ...keyed(), ...known_etag() }),
    () => exchange("GET", `/api/locker${query("limit=1", cursor())}`, { ...keyed(), ...form() }),
    () => exchange("GET", `/api/locker/index${query("limit=2")}`),
    () => exchange("GET", `/locker/${nameOf()}/s${below(6)}`),
    () => exchange("DELETE", `/api/locker/s${below(6)}`, keyed()),
    () =>
      exchange(
        "POST",
        "/api/jobs",
        { ...keyed(), ...once() },
        { title: words(3), detail: words(6), tags: ["a", "b"].slice(below(3)) },
      ),
    () =>
      exchange(
        "GET",
        `/api/jobs${query("state=open", "q=harbour", "limit=2", cursor(), "tag=a", "sort=oldest", "fields=lean")}`,
        form(),
      ),
    () => exchange("GET", `/api/jobs/${job()}`, form()),
    () =>
      exchange("POST", `/api/jobs/${job()}/${one(["claim", "claim", "extend", "release", "withdraw"])!}`, {
        ...keyed(),
        ...once(),
      }),
    () => exchange("POST", `/api/jobs/${job()}/deliver`, keyed(), { result: words(4) }),
    () =>
      exchange("POST", `/api/jobs/${job()}/review`, keyed(), {
        verdict: one(["accepted", "disputed"]),
        reason: words(2),
      }),
    () =>
      exchange(
        "GET",
        `/api/mailbox${query("since=0", "limit=2", "count=1", "wait_seconds=0", "fields=lean")}`,
        keyed(),
      ),
    () => exchange("POST", "/api/mailbox/ack", keyed(), { through: below(5) }),
    () => exchange("POST", "/api/mailbox/reached", keyed(), { through: below(5), by: "channel" }),
    () => exchange("PUT", "/api/mailbox/delivery", keyed(), { shown: below(2) === 1 }),
    () => exchange("GET", `/api/beacon${query("fields=lean")}`, form()),
    () =>
      exchange(
        "GET",
        `/api/beacon/${Date.parse("2030-01-01") / 60_000 + below(6)}${query("label=x", "int=1..6", "pick=a,b,c&n=2", "proof=1")}`,
      ),
    () => exchange("GET", `/api/beacon/days/2030-01-0${below(9) + 1}`),
    () => exchange("GET", one(["/.well-known/jwks.json", "/receipt/key", "/receipt/key.pem"])!),
    () => exchange("POST", "/receipt/verify", {}, { receipt: one(known.receipts) ?? "x.y.z" }),
    () => exchange("GET", `/api/wait?room=${room()}:now&jobs=now&rooms=now&wait_seconds=0`, keyed()),
    () =>
      exchange(
        "GET",
        one([
          "/llms.txt",
          "/SKILL.md",
          "/api.md",
          "/openapi.json",
          "/assets/x/style.css",
          "/problems/rate_limited",
          "/api/docs/rooms.md",
        ])!,
        known_etag(),
      ),
    () => exchange("GET", one(["/readyz", "/healthz", "/nothing", "/robots.txt", "/sitemap.xml", "/admin"])!),
    () =>
      exchange("GET", `/api/admin/${one(["audit", "bans", "tokens"])!}`, {
        authorization: "Bearer wfa_wrong",
      }),
    () => exchange(one(["PUT", "PATCH", "OPTIONS", "HEAD"])!, one(["/api/meet/rooms", "/mcp", "/api/jobs"])!),
    () =>
      exchange(
        "POST",
        "/api/meet/rooms",
        {},
        one(["{", '{"goal":1}', '{"gaol":"x","name":"y"}', '"x"', "[]"])!,
      ),
    () =>
      exchange(
        "POST",
        "/api/meet/rooms",
        { origin: one(["http://localhost:5173", "http://example.com"])! },
        { goal: "a", name: "b" },
      ),
    () =>
      exchange("GET", `/api/meet/rooms/${room()}/stream?since=2029-01-01T00:00:00.000Z`, {}, undefined, 1),
    () => exchange("GET", "/api/mailbox/stream?since=0", keyed(), undefined, 1),
    () => exchange("POST", "/mcp", {}, message("initialize", handshake, made)),
    () => rpc(`/mcp/meet/${room()}`, "tools/list"),
    () =>
      rpc(
        "/mcp",
        one(["tools/list", "resources/list", "prompts/list", "ping", "resources/templates/list"])!,
        {},
        session(),
      ),
    () => rpc("/mcp", "resources/read", { uri: `meet://room/${room()}` }, session()),
    () => rpc("/mcp", "resources/subscribe", { uri: `meet://room/${room()}` }, session()),
    () => rpc("/mcp", "prompts/get", { name: "join_room", arguments: { room: room(), name: "ana" } }),
    () => exchange("POST", "/mcp", {}, [message("ping", {}, 1), message("tools/list", {}, 2)]),
    () => exchange("DELETE", "/mcp", session()),
    tool,
    tool,
    tool,
    tool,
  ];

  /** Remembers what the later requests use. */
  function learn({ request, headers, body }: Exchange): void {
    const values = new Map<string, string>();
    for (let i = 0; i < headers.length; i += 2) values.set(headers[i]!.toLowerCase(), headers[i + 1]!);
    if (values.has("etag")) known.etags.push(values.get("etag")!);
    if (values.has("mcp-session-id")) known.sessions.push(values.get("mcp-session-id")!);
    const found = (pattern: RegExp) => Array.from(body.matchAll(pattern), ([, text]) => text!);
    known.receipts.push(...found(/"receipt\\?":\\?"([\w.-]+)/g));
    known.cursors.push(...found(/"next\\?":\\?"([\w-]+)/g));
    if (/^\d+ POST \/api\/meet\/rooms /.test(request)) known.rooms.push(...found(/^\{"slug":"([\w-]+)"/g));
    if (/^\d+ POST \/api\/jobs /.test(request)) known.jobs.push(...found(/^\{"id":"([\w-]+)"/g));
    const [room] = /(?<=rooms\/)[\w-]+(?=\/posts)/.exec(request) ?? [];
    if (room) known.posts.push(...found(/"id":"([\w-]+)"/g).map((id) => ({ room, id, n: 1 })));
    const [name] = found(/"name\\?":\\?"([^"\\]+)/g);
    const [key] = found(/"key\\?":\\?"(wfk_\w+)/g);
    const [recovery_code] = found(/"recovery_code\\?":\\?"(wfr_\w+)/g);
    if (name && key && recovery_code) known.names.push({ name, key, recovery_code });
  }

  return {
    async play(count) {
      const exchanges: Exchange[] = [];
      for (let i = 0; i < count; i++) {
        // Sometimes time passes, at most beyond the end of a lock.
        if (below(20) === 0) await setClock(url, { advance_seconds: one([0.001, 1, 59.5, 60, 3_700])! });
        const made = await one(steps)!();
        learn(made);
        exchanges.push(made);
      }
      return exchanges;
    },
    close: () => agent.destroy(),
  };
}
