/** What the browser tests find: each kind of fault is planted once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { faultsOf, readings } from "./support/browser.ts";
import { startBrowser } from "./support/chromium.ts";

const policy = "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:1";

const pages: Record<string, string> = {
  "/style": "<p style='color: red'>x</p>",
  "/handler": "<img src='/none.png' onerror='alert(1)'>",
  "/picture": "<img src='http://example.com/x.png'>",
  "/thrown": "<script src='/thrown.js'></script>",
  "/console": "<script src='/console.js'></script>",
  "/dialog": "<script src='/dialog.js'></script>",
  "/elsewhere": "<script src='/elsewhere.js'></script>",
  "/missing": "<script src='/missing.js'></script>",
  "/cut": "<script src='/cut.js'></script>",
};
const scripts: Record<string, string> = {
  "/thrown.js": "throw new Error('planted')",
  "/console.js": "console.error('planted')",
  "/dialog.js": "alert('planted')",
  "/elsewhere.js": "fetch('http://127.0.0.1:1/').catch(() => {})",
  "/cut.js": "fetch('/drop').catch(() => {})",
};

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }) {
    const { pathname } = new URL(url);
    const script = scripts[pathname];
    if (script !== undefined) return new Response(script, { headers: { "content-type": "text/javascript" } });
    const page = pages[pathname] ?? (pathname === "/" ? "<p>x</p>" : null);
    const headers = { "content-type": "text/html", "content-security-policy": policy };
    return new Response(`<!doctype html>${page ?? ""}`, { status: page === null ? 404 : 200, headers });
  },
});
let browser!: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(async () => {
  await browser.close();
  await server.stop(true);
});

/** The faults of a page, once it has loaded and has the fault `expected`. Null: once its scripts have run. */
async function faultsAt(path: string, script: boolean, expected: RegExp | null): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: script });
  const faults = faultsOf(context, server.url.origin);
  await context.route("**/drop", (route) => route.abort("connectionreset"));
  const page = await context.newPage();
  await page.goto(server.url.origin + path);
  const is_found = () => faults.some((fault) => expected?.test(fault));
  if (expected) while (!is_found()) await page.waitForTimeout(10);
  else await page.waitForTimeout(100);
  await context.close();
  return faults;
}

describe.each(readings)("%s", (_title, script) => {
  test("a page without faults has none", async () => expect(await faultsAt("/", script, null)).toEqual([]));
  const refused = /console: .*Content Security Policy/;
  test.each(["/style", "/handler", "/picture"])("finds what the policy forbids: %s", async (path) =>
    expect((await faultsAt(path, script, refused)).join("\n")).toMatch(refused),
  );
});

test.each([
  ["/thrown", /uncaught: planted/],
  ["/console", /console: planted/],
  ["/dialog", /dialog: planted/],
  ["/elsewhere", /another origin: http:\/\/127\.0\.0\.1:1\//],
  ["/missing", /status 404: \/missing\.js/],
  ["/cut", /failed: \/drop: net::/],
])("finds the fault of %s", async (path, fault) =>
  expect((await faultsAt(path, true, fault)).join("\n")).toMatch(fault),
);
