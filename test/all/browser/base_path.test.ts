/** Pages below a base path, behind a proxy that removes the path and behind one that does not: scripts, streams and forms. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { proxy_kinds, startBasePathProxy } from "../../support/base_path_proxy.ts";
import { get, post } from "../../support/http.ts";
import { claim } from "../../support/names.ts";
import { open, speak } from "../../support/rooms.ts";
import { startSource } from "../../support/service.ts";
import { faultsOf, patience_ms } from "./support/browser.ts";
import { startBrowser } from "./support/chromium.ts";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

describe.each(proxy_kinds)("behind a proxy %s", (_kind, strips) => {
  let stop: () => Promise<void>;
  afterEach(() => stop());

  /** A service below the path, and a page. */
  async function start() {
    const proxy = startBasePathProxy(strips);
    const service = await startSource({ base_url: proxy.base });
    proxy.to = service.url;
    const context = await browser.newContext();
    context.setDefaultTimeout(patience_ms);
    const faults = faultsOf(context, new URL(proxy.base).origin);
    stop = async () => {
      await context.close();
      await service.stop();
      await proxy.stop();
      expect([faults, proxy.outside]).toEqual([[], []]);
    };
    return { base: proxy.base, clock: service.clock, page: await context.newPage() };
  }

  test("somebody signs in, opens a room, speaks in it and sees the posts of others at once", async () => {
    const { base, page } = await start();
    const { name, key } = await claim(base, "Zoe");
    await page.goto(`${base}/signin`);
    await page.locator("main [name=name]").fill(name);
    await page.locator("main [name=key]").fill(key);
    await page.locator("main form:has([name=key]) button").click();
    await page.waitForURL(`${base}/me`);
    const room = await open(base, "Live below a path");
    await speak(room, "One.");
    await page.goto(`${base}/meet/r/${room.slug}`);
    await page.locator("#live[data-state=live]").waitFor();
    await speak(room, "Two.");
    await page.getByText("Two.").waitFor();
    await page.locator("#speak [name=body]").fill("Three.");
    await page.locator("#speak button").first().click();
    await page.getByText("Three.").waitFor();
    expect(page.url()).toStartWith(`${base}/meet/r/${room.slug}`);
    const { body } = await get<{ total: number }>(room.api);
    expect(body.total).toBe(3);
  });

  test("the browser checks a round and a receipt with the keys below the path", async () => {
    const { base, clock, page } = await start();
    await get(`${base}/api/beacon`);
    clock.advance(120);
    const { body } = await get<{ last_revealed: { round: number } }>(`${base}/api/beacon`);
    await page.goto(`${base}/beacon/${body.last_revealed.round}`);
    await page.getByText("This browser has just checked that").waitFor();
    const claimed = await post<{ receipt: string }>(`${base}/api/name`, { name: "Eve" });
    await page.goto(`${base}/receipt`);
    await page.locator("#who-checks", { hasText: "sends it nowhere" }).waitFor();
    await page.fill("#receipt", claimed.body.receipt);
    await page.getByText("The receipt is valid").waitFor();
  });
});
