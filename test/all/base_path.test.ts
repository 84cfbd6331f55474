/** A base URL with a path: everything works below it, behind a proxy that removes the path and behind one that does not. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { orThrow } from "../../src/client/client.ts";
import {
  base_path,
  isBelow,
  proxy_kinds,
  startBasePathProxy,
  type BasePathProxy,
} from "../support/base_path_proxy.ts";
import { clientOf } from "../support/client.ts";
import { get, post, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { addressesIn, linksOf } from "../support/links.ts";
import { ask, beginSession, listen } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";

/** Pages that differ from another only in what their list or form begins with. */
const is_repeated = /[?&](?:cursor|before|reply|report|redact)=/;
/** Documents whose addresses exist; those of others are examples, too. */
const is_index = /sitemap|ai-catalog|feed\.|\.well-known|\/openapi\.json$|jwks/;

describe.each(proxy_kinds)("behind a proxy %s", (_kind, strips) => {
  let proxy: BasePathProxy;
  let service: SourceService;
  let base: string;
  let origin: string;
  let ada: Holder;
  let browser: Browser;
  let room: { slug: string; host_key: string | null };

  beforeAll(async () => {
    proxy = startBasePathProxy(strips);
    ({ base } = proxy);
    ({ origin } = new URL(base));
    service = await startSource({ base_url: base, webhooks: true });
    proxy.to = service.url;
    ada = await claim(base, "Ada");
    const eve = await claim(base, "Eve");
    browser = await signedIn(base, ada, origin);
    const client = clientOf(base, ada);
    room = await orThrow(client.post("/api/meet/rooms", { body: { goal: "Base paths", name: "Ada" } }));
    const posts = `${base}/api/meet/rooms/${room.slug}/posts`;
    const { body: first } = await post<{ id: string }>(posts, { name: "Ada", body: "first, @Eve" }, ada.pair);
    await post(posts, { name: "Eve", body: "hello @Ada", in_reply_to: first.id }, eve.pair);
    await orThrow(
      client.put("/api/locker/{slot}", { path: { slot: "open" }, body: { value: "x", public: true } }),
    );
    const { id } = await postJob(base, ada);
    await callJob(base, eve, id, "claim");
    await callJob(base, eve, id, "deliver", { result: "42" });
    await postJob(base, ada);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
  });

  test("no link, form, redirect or asset is dead or outside, on a walk from the home page and the documents of agents", async () => {
    const seen = new Set(
      ["/", "/robots.txt", "/sitemap.xml", "/llms.txt", "/SKILL.md", "/openapi.json"].map(
        (path) => base + path,
      ),
    );
    const forms = new Set<string>();
    const types = new Set<string>();
    const faults: string[] = [];
    // Some addresses have no page, and answer with JSON.
    const headers = { ...browser.headers(), accept: "text/html, */*;q=0.5" };
    const meet = (from: string, urls: string[], into = new Set<string>()) => {
      for (const url of urls) {
        if (new URL(url).origin !== origin) continue;
        if (!isBelow(url, base)) faults.push(`outside: ${url} on ${from}`);
        else if (!is_repeated.test(url)) into.add(url);
      }
    };
    for (const url of seen) {
      if (new URL(url).pathname.endsWith("/stream")) {
        const stream = await readEvents(url, headers);
        if (!stream.response.ok) faults.push(`${stream.response.status}: ${url}`);
        await stream.close();
        continue;
      }
      const answer = await send("GET", url, headers);
      // Asks for a token.
      const is_for_admins = url === `${base}/admin` && answer.status === 401;
      if (answer.status >= 400 && !is_for_admins) faults.push(`${answer.status}: ${url}`);
      const type = answer.headers.get("content-type") ?? "";
      types.add(type.replace(/;.*/, ""));
      const location = answer.headers.get("location");
      const linked = (answer.headers.get("link") ?? "").matchAll(/<([^>]*)>/g);
      const named = [...(location === null ? [] : [location]), ...[...linked].map(([, at]) => at!)];
      meet(
        url,
        named.map((at) => new URL(at, url).href),
        seen,
      );
      if (type.startsWith("text/html")) {
        const { followed, posted, prefixes } = linksOf(answer.body, url);
        meet(url, followed, seen);
        meet(url, posted, forms);
        meet(url, prefixes);
      } else if (!url.includes("/assets/")) {
        meet(url, addressesIn(answer.body, origin), is_index.test(url) ? seen : undefined);
      }
    }
    for (const url of forms) {
      const allowed = (await send("OPTIONS", url)).headers.get("allow") ?? "";
      if (!allowed.includes("POST")) faults.push(`no form: ${url}`);
    }
    expect(faults).toEqual([]);
    expect(proxy.outside).toEqual([]);
    // The walk has met what it is for.
    expect([seen.size > 100, forms.size > 4]).toEqual([true, true]);
    for (const type of [
      "text/html",
      "text/markdown",
      "text/css",
      "text/javascript",
      "image/svg+xml",
      "application/json",
      "application/atom+xml",
      "application/xml",
    ]) {
      expect([type, types.has(type)]).toEqual([type, true]);
    }
  });

  test("a form leads to a page below the path, and the cookie is for the path alone", async () => {
    const other = await signedIn(base, ada, origin);
    const posted = await other.post("/signin", { name: "Ada", key: ada.key, next: "/me/jobs" });
    expect(posted.headers.get("location")).toBe(`${base}/me/jobs`);
    expect(posted.headers.get("set-cookie")).toContain(`Path=${base_path}/;`);
    expect((await other.get("/me")).body).toContain("Ada");
    const said = await other.post(`/meet/r/${room.slug}`, { name: "Ada", body: "by a form" });
    expect(said.status).toBe(303);
    expect(new URL(said.headers.get("location")!, base).href).toStartWith(`${base}/meet/r/${room.slug}`);
  });

  test("a stream and a waiting call get a post at once, and end with their reader", async () => {
    const api = `${base}/api/meet/rooms/${room.slug}`;
    const stream = await readEvents(`${api}/stream`);
    const { body: read } = await get<{ total: number }>(api);
    const waiting = get<{ posts: { body: string }[] }>(`${api}?since=${read.total}&wait_seconds=50`);
    while (service.open().waits === 0) await Bun.sleep(1);
    await post(`${api}/posts`, { name: "Bob", body: "now" });
    expect((await waiting).body.posts.map(({ body }) => body)).toEqual(["now"]);
    expect(await stream.next()).toMatchObject({ data: { body: "now" } });
    await stream.close();
    while (service.open().streams > 0) await Bun.sleep(1);
  });

  test("MCP sessions and subscriptions work, and tools return addresses below the path", async () => {
    for (const address of [`${base}/mcp`, `${base}/mcp/meet`, `${base}/mcp/meet/${room.slug}`]) {
      const session = await beginSession(address);
      const { body } = await ask<{ tools: object[] }>(address, "tools/list", {}, session);
      expect(body.result?.tools.length).toBeGreaterThan(0);
    }
    const opening = { name: "meet_open", arguments: { goal: "By a tool", name: "Bob" } };
    const opened = await ask<{ content: { text: string }[] }>(`${base}/mcp`, "tools/call", opening);
    expect(JSON.stringify(opened.body.result)).toContain(`${base}/meet/r/by-a-tool`);
    const stream = await listen(`${base}/mcp`, [`${base}/meet/r/by-a-tool`]);
    expect(await stream.next()).not.toBeNull();
    await stream.close();
  });

  test("only whole segments are the path, and HEAD and OPTIONS know it, too", async () => {
    const at = (path: string) => send("GET", service.url + path);
    expect((await at(`${base_path}/healthz`)).body).toBe('{"status":"ok"}');
    expect((await at(base_path)).body).toBe((await at("/")).body);
    expect((await at(`${base_path}?q=1`)).status).toBe(200);
    expect((await at(`${base_path}ish/healthz`)).status).toBe(404);
    expect((await at(`/else${base_path}/healthz`)).status).toBe(404);
    const url = `${service.url}${base_path}/meet`;
    expect((await send("HEAD", url)).status).toBe(200);
    expect((await send("OPTIONS", url)).headers.get("allow")).toContain("POST");
  });
});

test("counts a caller below the path by its own address", async () => {
  const service = await startSource({
    base_url: `https://wharf.example${base_path}`,
    rate_limit: true,
    reads_per_minute_by_address: 3,
  });
  const read = async (address: string) =>
    (await send("GET", `${service.url}${base_path}/meet`, { "x-forwarded-for": address })).status;
  let calls = 1;
  while ((await read("192.0.2.1")) === 200) calls++;
  expect(calls).toBeLessThan(10);
  expect(await read("192.0.2.2")).toBe(200);
  await service.stop();
});

test("refuses a path that begins like one of the service", () => {
  for (const path of ["/api", "/meet/wharf", "/.well-known"]) {
    expect(startSource({ base_url: `https://wharf.example${path}` })).rejects.toThrow(
      `--base-url must not have a path that begins with /${path.split("/")[1]}`,
    );
  }
});
