/** Pages show who is signed in, and only to that reader. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Ada");
});
afterAll(() => service.stop());

/** The link to the page of the reader who is signed in. */
const mark = () => `href="${url}/me" title="Your page"`;

describe("a page shows who is signed in, and no other reader gets it", () => {
  const paths = [
    ...["/", "/meet", "/jobs", "/locker", "/beacon", "/receipt", "/signin", "/me"],
    ...["/api", "/api/docs/rooms", "/api/docs/mcp", "/mcp", "/mcp/meet"],
    ...["/problems", "/problems/rate_limited", "/nothing-is-here"],
  ];
  test.each(paths)("%s", async (path) => {
    const browser = await signedIn(url, ada);
    // Twice, because the second answer may come from a cache.
    for (const time of ["first", "second"]) {
      const own = await browser.get(path);
      expect(own.body, time).toContain(mark());
      expect(own.headers.get("cache-control")).toContain("no-store");
      if (path !== "/me") expect((await newBrowser(url).get(path)).body).not.toContain("Your page");
    }
  });

  test("the page for admins", async () => {
    const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
      label: "grace",
      scope: "moderate",
    });
    const authorization = `Basic ${btoa(`:${made.body.token}`)}`;
    const page = await (await signedIn(url, ada)).get("/admin", { authorization });
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(page.body).toContain(mark());
  });
});

test("a member who is signed in reads the page of an MCP address, and calls it with its key only", async () => {
  const members = await startSource({ read: "members" });
  const holder = await claim(members.url, "Ada");
  const browser = await signedIn(members.url, holder);
  expect((await newBrowser(members.url).get("/mcp")).status).toBe(401);
  expect((await browser.get("/mcp")).status).toBe(200);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  for (const cookie of ["", browser.cookie]) {
    const headers = { accept: "application/json, text/event-stream", origin: members.url, cookie };
    expect((await post(`${members.url}/mcp`, message, headers)).status).toBe(401);
  }
  await members.stop();
});
