/** Markdown twins: a walk along the links visits every page and reads its twin. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { call, post, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { quotesIn } from "../support/text_form.ts";
import { startSource, type TestService } from "../support/service.ts";

let service: TestService;
let url: string;
let ada: Holder;
let unlisted: string;
let job: string;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  url = service.url;
  ada = await claim(url, "Ada.md");
  const bob = await claim(url, "Bob");
  const rooms = `${url}/api/meet/rooms`;
  const room = await post<{ api: string }>(rooms, { goal: "Walked", name: "Eve" });
  await post(`${room.body.api}/posts`, { name: "Eve", body: "hello" });
  const hidden = { goal: "Hidden", name: "Eve", visibility: "unlisted" };
  unlisted = (await post<{ url: string }>(rooms, hidden)).body.url;
  job = (await postJob(url, ada)).id;
  await callJob(url, bob, job, "claim");
  await callJob(url, bob, job, "deliver", { result: "done" });
  for (const slot of ["a", "b/c.d", "e.md"]) {
    await call("PUT", `${url}/api/locker/${slot}`, { value: `stored in ${slot}`, public: true }, ada.pair);
  }
});
afterAll(() => service.stop());

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const twinIn = (links: string): string | undefined =>
  /<([^>]+)>; rel="alternate"; type="text\/markdown"/.exec(links)?.[1];

/** Reads a page as a browser does, with redirects. Null if the answer is no page. */
async function pageAt(address: string): Promise<{ address: string; html: string; headers: Headers } | null> {
  const response = await fetch(address, { headers: browser });
  const html = await response.text();
  expect([address, response.status]).toEqual([address, 200]);
  const is_page = response.headers.get("content-type")!.startsWith("text/html");
  return is_page ? { address: response.url, html, headers: response.headers } : null;
}

/** The links of a page to this service. */
const linksOf = (page: { address: string; html: string }): string[] =>
  Array.from(page.html.matchAll(/<a [^>]*href="([^"]+)"/g), ([, href]) => {
    const link = new URL(href!.replaceAll("&amp;", "&"), page.address);
    link.hash = "";
    return link;
  })
    .filter(({ origin }) => origin === new URL(url).origin)
    .map(({ href }) => href);

test("every page that links lead to has a markdown twin", async () => {
  const seen = new Set<string>();
  const places = ["/", "/mcp", "/mcp/meet", "/mcp/meet/walked", "/problems/name_taken", "/meet?q=hello"];
  const open = [...places.map((path) => url + path), unlisted];
  const kinds = new Set<string>();
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    // The page for admins asks for a token first.
    if (new URL(address).pathname === "/admin") continue;
    const page = await pageAt(address);
    if (!page) continue;
    linksOf(page).forEach((link) => open.push(link));
    const { pathname } = new URL(page.address);
    // In place of the home page agents read /llms.txt, and they have no use for the form to sign in.
    if (["/", "/signin", "/claim"].includes(pathname)) continue;
    kinds.add(pathname.split("/").slice(0, 3).join("/"));
    const twin = twinIn(page.headers.get("link")!)!;
    expect([page.address, twin]).toEqual([page.address, expect.stringMatching(/^http/)]);
    expect(page.html).toContain(`<link rel="alternate" type="text/markdown" href="${twin.split("?")[0]}`);
    const of_twin = await send("GET", twin);
    expect([twin, of_twin.status, of_twin.headers.get("content-type")]).toEqual([
      twin,
      200,
      "text/markdown; charset=utf-8",
    ]);
    expect(of_twin.body).toMatch(/^# /);
    // The page's URL serves the twin, too, to clients that ask for markdown; the address of tools does to browsers only.
    const accept = pathname.startsWith("/mcp") ? "text/markdown, text/html;q=0.5" : "text/markdown";
    const negotiated = await send("GET", page.address, { accept });
    expect([page.address, negotiated.headers.get("content-type")]).toEqual([
      page.address,
      "text/markdown; charset=utf-8",
    ]);
    expect(negotiated.headers.get("vary")).toContain("Accept");
    // Browsers may read the twin.
    expect((await send("GET", twin, browser)).status).toBe(200);
  }
  expect([...kinds].toSorted()).toEqual(
    [
      "/api",
      "/api/docs",
      "/beacon",
      `/beacon/${[...kinds].find((kind) => kind.startsWith("/beacon/"))!.split("/")[2]}`,
      "/jobs",
      `/jobs/${job}`,
      "/locker",
      "/locker/Ada.md",
      "/mcp",
      "/mcp/meet",
      "/meet",
      "/meet/r",
      "/name/Ada-md",
      "/name/Bob",
      "/problems",
      ...[...kinds].filter((kind) => kind.startsWith("/problems/")),
      "/receipt",
    ].toSorted(),
  );
  expect([...kinds].filter((kind) => kind.startsWith("/problems/")).length).toBeGreaterThan(40);
});

test("a slot has a twin for its owner, unless another slot has the name of the twin", async () => {
  const read = (slot: string, headers = {}) =>
    send("GET", `${url}/api/locker/${slot}`, { ...ada.pair, ...headers });
  for (const twin of [await read("a.md"), await read("a", { accept: "text/markdown" })]) {
    expect(twin.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(twin.headers.get("cache-control")).toBe("private, no-cache");
    expect(twin.body).toMatch(/^# Your slot "a", public, version 1, written \S+\n\nstored in a$/);
    const again = await read("a.md", { "if-none-match": twin.headers.get("etag")! });
    expect(again.status).toBe(304);
  }
  const json = await read("a");
  expect((await read("a.md", { "if-none-match": json.headers.get("etag")! })).status).toBe(200);
  expect(JSON.parse((await read("e.md")).body)).toMatchObject({ slot: "e.md", value: "stored in e.md" });
  expect((await read("missing.md")).status).toBe(404);
  expect((await send("GET", `${url}/api/locker/a.md`)).status).toBe(401);
});

test("the locker index and a receipt's verdict have a twin", async () => {
  const index = await send("GET", `${url}/api/locker/index.md`);
  expect(index.body).toContain(`- "b/c.d" 15 bytes, public <${url}/locker/Ada.md/b/c.d>`);
  const { body } = await post<{ receipt: string }>(`${url}/api/meet/rooms`, { goal: "Signed", name: "Ada" });
  const verdict = await send("GET", `${url}/receipt.md?r=${body.receipt}`);
  expect(verdict.body).toContain("## The receipt is valid");
  expect(quotesIn(verdict.body).map((payload) => JSON.parse(payload))).toMatchObject([{ act: "meet.open" }]);
});
