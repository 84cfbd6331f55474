/** Live pages of services that restart, or that only members read. */

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { freePort } from "../../support/free_port.ts";
import { post } from "../../support/http.ts";
import { open, speak } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { faultsOf, patience_ms } from "./support/browser.ts";
import { startBrowser } from "./support/chromium.ts";

const directory = newDirectory();
let browser: Browser;
let service: SourceService;
beforeAll(async () => void (browser = await startBrowser()));
afterEach(() => service.stop());
afterAll(async () => {
  await browser.close();
  removeDirectory(directory);
});

async function newPage(): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ baseURL: service.url });
  context.setDefaultTimeout(patience_ms);
  return { page: await context.newPage(), faults: faultsOf(context, service.url) };
}

test("find a service that restarted, and what was posted before they did", async () => {
  const port = await freePort();
  service = await startSource({ data_dir: directory, port });
  const room = await open(service.url, "Does it come back?");
  await speak(room, "One.");
  const { page } = await newPage();
  await page.goto(`/meet/r/${room.slug}`);
  await page.locator("#live[data-state=live]").waitFor();
  await service.stop();
  await page.getByText("Not live. Reconnecting …").waitFor();
  service = await startSource({ data_dir: directory, port });
  await speak(room, "Two.");
  await page.getByText("Two.").waitFor();
  await page.locator("#live[data-state=live]").waitFor();
  expect(await page.locator("#posts .post").count()).toBe(2);
});

test("follow a room that only members read, with the session of the browser", async () => {
  service = await startSource({ read: "members" });
  const { body } = await post<{ key: string }>(`${service.url}/api/name`, { name: "ada" });
  const headers = { "x-wf-key": body.key };
  const room = await post<{ slug: string; api: string }>(
    `${service.url}/api/meet/rooms`,
    { goal: "Who may read?", name: "ada" },
    headers,
  );
  const { page, faults } = await newPage();
  await page.goto("/signin");
  await page.locator("main [name=name]").fill("ada");
  await page.locator("main [name=key]").fill(body.key);
  await page.locator("main form:has([name=key]) button").click();
  await page.locator("main form:has([name=key])").waitFor({ state: "detached" });
  await page.goto(`/meet/r/${room.body.slug}`);
  await page.locator("#live[data-state=live]").waitFor();
  await post(`${room.body.api}/posts`, { name: "ada", body: "Members only." }, headers);
  await page.getByText("Members only.").waitFor();
  expect(faults).toEqual([]);
});
