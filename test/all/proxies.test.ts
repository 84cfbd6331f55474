/** The recipes for nginx and Caddy with the real programs: TLS, a base path, streams, waits, MCP, addresses, large bodies. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Finding } from "../../src/doctor/finding.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { isBelow } from "../support/base_path_proxy.ts";
import { addressesIn, linksOf } from "../support/links.ts";
import { handshake, message } from "../support/mcp_messages.ts";
import { lacks } from "../support/programs.ts";
import { proxies, startProxied, type Proxied, type ProxyName } from "../support/proxies.ts";
import { eventsOf } from "../support/sse.ts";

const unusable = lacks_binary || lacks("proxies", "nginx", "caddy", "curl", "openssl");
const body_bytes_max = 256 * 1024;

async function postTo<Body>(
  proxied: Proxied,
  path: string,
  sent: object | string,
  headers: Record<string, string> = {},
): Promise<Body> {
  const answer = await proxied.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
  });
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as Body;
}

describe.skipIf(unusable).each([...proxies])("behind %s", (name) => {
  let proxied: Proxied;
  let base: string;
  let room: string;
  beforeAll(async () => {
    proxied = await startProxied(name);
    ({ base } = proxied);
    const { slug } = await post<{ slug: string }>("/api/meet/rooms", { goal: "Behind proxies", name: "Ada" });
    room = `/api/meet/rooms/${slug}`;
  });
  afterAll(() => proxied.stop());

  const post = <Body>(path: string, sent: object | string, headers?: Record<string, string>): Promise<Body> =>
    postTo(proxied, path, sent, headers);
  const say = (body: string) => post(`${room}/posts`, { name: "Ada", body });

  /** Calls with curl: its flags, its output. */
  const curl = (...flags: string[]): string => {
    const { stdout, stderr, success } = Bun.spawnSync(["curl", "-sk", ...flags]);
    if (!success) throw new Error(stderr.toString());
    return stdout.toString();
  };

  test("pages, their assets and documents are found below the base path", async () => {
    const { origin } = new URL(base);
    const headers = { accept: "text/html" };
    const pages = ["/", "/meet", "/beacon", "/jobs", "/api", room.replace("/api/meet/rooms", "/meet/r")];
    const seen = new Set<string>();
    for (const page of pages) {
      const answer = await proxied.fetch(page, { headers });
      expect([page, answer.status]).toEqual([page, 200]);
      const { followed, posted } = linksOf(await answer.text(), base + page);
      const own = [...followed, ...posted].filter((url) => new URL(url).origin === origin);
      expect(own.filter((url) => !isBelow(url, base))).toEqual([]);
      for (const url of followed) if (url.includes("/assets/")) seen.add(url);
    }
    expect(seen.size).toBeGreaterThan(2);
    for (const url of seen) expect([url, (await proxied.fetch(url)).status]).toEqual([url, 200]);
    const llms = await (await proxied.fetch("/llms.txt")).text();
    expect(addressesIn(llms, origin).filter((url) => !isBelow(url, base))).toEqual([]);
    const bare = await proxied.fetch(base, { headers });
    expect([301, 302]).toContain(bare.status);
    expect(new URL(bare.headers.get("location")!, base).pathname).toBe("/wharf/");
  });

  test("a stream has an event when it happens, and a wait is answered by a post", async () => {
    const stream = await proxied.fetch(`${room}/stream`);
    const events = eventsOf(stream);
    const { total } = (await (await proxied.fetch(room)).json()) as { total: number };
    const waiting = proxied.fetch(`${room}?since=${total}&wait_seconds=50`);
    await say("at once");
    expect((await events.next()).value).toMatchObject({ data: expect.stringContaining("at once") });
    expect(((await (await waiting).json()) as { posts: object[] }).posts).toHaveLength(1);
    await events.return(undefined);
  });

  test("an MCP call is resumed by Last-Event-ID after its connection is lost", async () => {
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
    const begun = await proxied.fetch("/mcp", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(message("initialize", handshake)),
    });
    const session = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id")! };
    const { slug } = await post<{ slug: string }>("/api/meet/rooms", { goal: "Resume", name: "Ada" });
    const reading = { name: "meet_read", arguments: { room: slug, wait_seconds: 50 } };
    const lost = await proxied.fetch("/mcp", {
      method: "POST",
      headers: { ...session, "content-type": "application/json" },
      body: JSON.stringify(message("tools/call", reading, 7)),
    });
    const reader = lost.body!.getReader();
    let seen = "";
    while (!/^id: \S+$/m.test(seen)) seen += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    await post(`/api/meet/rooms/${slug}/posts`, { name: "Bob", body: "while you were away" });
    const last = /^id: (\S+)$/m.exec(seen)![1]!;
    const resumed = await proxied.fetch("/mcp", {
      headers: { ...session, accept: "text/event-stream", "last-event-id": last },
    });
    expect(await resumed.text()).toContain("while you were away");
  });

  test("each caller has its own budget, and cannot pretend to be another", () => {
    // Rooms of an hour: the only limit that does not grow again during the test.
    const opening = ["-H", "content-type: application/json", "-d", '{"goal": "Budgets", "name": "Bob"}'];
    const left = (from: string, ...more: string[]) => {
      const url = `${base}/api/meet/rooms`;
      const head = curl("--interface", from, "-D", "-", "-o", "/dev/null", ...opening, ...more, url);
      return Number(/^ratelimit: .*r=(\d+)/im.exec(head)![1]);
    };
    const first = left("127.0.0.2");
    expect(left("127.0.0.2")).toBe(first - 1);
    expect(left("127.0.0.3")).toBe(first);
    expect(left("127.0.0.2", "-H", "X-Forwarded-For: 203.0.113.9")).toBe(first - 2);
    expect(left("127.0.0.2", "-H", "X-Forwarded-For: 203.0.113.9, 203.0.113.10")).toBe(first - 3);
  });

  test("clients find what leads to a sign-in, also outside of the base path, and no check of the doctor fails", async () => {
    const doctor = Bun.spawn([binary(), "doctor", "--oauth", base, "--json"], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: proxied.certificate },
      stdout: "pipe",
    });
    const { findings } = (await new Response(doctor.stdout).json()) as { findings: Finding[] };
    expect(findings.filter(({ status }) => status === "failed")).toEqual([]);
    expect([findings.length, await doctor.exited]).toEqual([13, 0]);
  });

  test("speaks HTTP/2 with the client", () => {
    expect(curl("--http2", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", `${base}/meet`)).toBe(
      "2 200",
    );
  });

  test("passes on a body of the largest size, and the service's refusal of a larger one", async () => {
    const sent = JSON.stringify({ name: "Ada", body: "large" });
    await post(`${room}/posts`, sent.padEnd(body_bytes_max));
    // The proxy may close the connection of a request that is refused before its end: the next test needs another one.
    const refused = await proxied.fetch(`${room}/posts`, {
      method: "POST",
      keepalive: false,
      headers: { "content-type": "application/json" },
      body: sent.padEnd(body_bytes_max + 1),
    });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      413,
      "body_too_large",
    ]);
  });

  test("passes on a large answer whole", async () => {
    const { slug } = await post<{ slug: string }>("/api/meet/rooms", { goal: "Much to read", name: "Ada" });
    const large = `/api/meet/rooms/${slug}`;
    const bodies = Array.from({ length: 60 }, (_, i) => `${i} `.padEnd(3_900, "ä x"));
    for (const body of bodies) await post(`${large}/posts`, { name: `writer ${body.split(" ")[0]}`, body });
    const exported = await (await proxied.fetch(`${large}/export.jsonl`)).text();
    for (const body of bodies) expect(exported).toContain(JSON.stringify(body.trimEnd()));
  });
});

/** Waits for nothing behind a proxy, for 50 and 70 seconds: clients and proxies often give up after 60. Then the stream continues. */
async function waitBehind(name: ProxyName): Promise<void> {
  const proxied = await startProxied(name);
  try {
    const { slug } = await postTo<{ slug: string }>(proxied, "/api/meet/rooms", {
      goal: "Quiet",
      name: "Ada",
    });
    const quiet = `/api/meet/rooms/${slug}`;
    const events = eventsOf(await proxied.fetch(`${quiet}/stream`));
    const waits = [{ prefer: "wait=50" }, { prefer: "wait=70" }].map((headers) =>
      proxied.fetch(`${quiet}?since=2999-01-01T00:00:00.000Z`, { headers }),
    );
    for (const answer of await Promise.all(waits)) {
      expect([answer.status, ((await answer.json()) as { posts: object[] }).posts]).toEqual([200, []]);
    }
    await postTo(proxied, `${quiet}/posts`, { name: "Ada", body: "not quiet any more" });
    expect((await events.next()).value).toMatchObject({ data: expect.stringContaining("any more") });
    await events.return(undefined);
  } finally {
    await proxied.stop();
  }
}

test.skipIf(unusable)(
  "behind all of them waits without a post end after their time, with the stream beside them still open",
  () => Promise.all(proxies.map(waitBehind)),
  120_000,
);
