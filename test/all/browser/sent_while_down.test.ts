/** A text that is sent while the service is down is in its form again afterwards, and one that arrived is not. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { freePort } from "../../support/free_port.ts";
import { get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { patience_ms, readings } from "./support/browser.ts";
import { startBrowser } from "./support/chromium.ts";

const directory = newDirectory();
let browser: Browser;
let service: SourceService;
let port: number;
let ada: Holder;
let context: BrowserContext;
let made = 0;
let seed = 1;
beforeAll(async () => {
  browser = await startBrowser();
  port = await freePort();
  service = await startSource({ data_dir: directory, port });
  ada = await claim(service.url, "Ada");
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await service.stop();
  removeDirectory(directory);
});

interface Opened {
  slug: string;
  api: string;
}

const open = async (): Promise<Opened> =>
  (await post<Opened>(`${service.url}/api/meet/rooms`, { goal: `Room ${++made}`, name: "Ada" }, ada.pair))
    .body;

async function newPage(script: boolean, signs_in: boolean): Promise<Page> {
  context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: script });
  context.setDefaultTimeout(patience_ms);
  const page = await context.newPage();
  if (!signs_in) return page;
  await page.goto("/signin");
  await page.locator("main [name=name]").fill(ada.name);
  await page.locator("main [name=key]").fill(ada.key);
  await page.locator("main form:has([name=key]) button").click();
  await page.locator('header a[href$="/me"]').waitFor();
  return page;
}

/** Presses the button while the service is down. Afterwards the service runs again, and the page shows that of the browser. */
async function sendInVain(page: Page, button: string): Promise<void> {
  await service.stop();
  const failed = page.waitForEvent("framenavigated", (frame) => frame.url().startsWith("chrome-error:"));
  try {
    await page.locator(button).click({ noWaitAfter: true });
    await failed;
  } finally {
    // Equal seeds at an equal time would draw the ids that are stored already.
    service = await startSource({ data_dir: directory, port }, undefined, ++seed);
  }
}

interface Form {
  path(): Promise<string>;
  signs_in: boolean;
  fields: Record<string, string>;
  button: string;
  prepare?(page: Page): Promise<void>;
}

const text = () => `A text that took ${++made} minutes`;

const forms: [string, () => Form][] = [
  [
    "a post",
    () => ({
      path: async () => `/meet/r/${(await open()).slug}`,
      signs_in: false,
      fields: { "#speak [name=name]": "cleo", "#speak [name=body]": text() },
      button: "#speak button.main",
    }),
  ],
  [
    "a post of a name that is signed in",
    () => ({
      path: async () => `/meet/r/${(await open()).slug}`,
      signs_in: true,
      fields: { "#speak [name=body]": text() },
      button: "#speak button.main",
    }),
  ],
  [
    "a room",
    () => ({
      path: async () => "/meet",
      signs_in: false,
      fields: { "#open [name=goal]": text(), "#open [name=name]": "cleo" },
      button: "#open button[type=submit]",
    }),
  ],
  [
    "a job",
    () => ({
      path: async () => "/jobs",
      signs_in: true,
      fields: { "[name=title]": text(), "[name=detail]": text() },
      button: "#offer button.main",
    }),
  ],
  [
    "a delivery",
    () => ({
      async path() {
        const job = { title: "A job", detail: "To be done", by: "Bob" };
        const bob = await claim(service.url, `Bob ${++made}`);
        const { body } = await post<{ id: string }>(
          `${service.url}/api/jobs`,
          { ...job, by: bob.name },
          bob.pair,
        );
        await post(`${service.url}/api/jobs/${body.id}/claim`, undefined, ada.pair);
        return `/me/jobs/${body.id}`;
      },
      signs_in: true,
      fields: { "[name=result]": text() },
      button: "#job-actions button.main",
    }),
  ],
  [
    "a last word",
    () => ({
      path: async () => `/meet/r/${(await open()).slug}`,
      signs_in: true,
      fields: { "[name=last_word]": text() },
      button: "#close button",
      prepare: (page) => page.locator("summary", { hasText: "Close this room" }).click(),
    }),
  ],
];

describe.each(readings)("%s", (_reading, script) => {
  test.each(forms)(
    "%s is in the form again, is sent once then, and is not in it after that",
    async (_what, form) => {
      const { path, signs_in, fields, button, prepare } = form();
      const page = await newPage(script, signs_in);
      const at = await path();
      await page.goto(at);
      await prepare?.(page);
      for (const [field, value] of Object.entries(fields)) await page.locator(field).fill(value);
      await sendInVain(page, button);
      await page.goBack();
      await prepare?.(page);
      for (const [field, value] of Object.entries(fields))
        expect(await page.locator(field).inputValue()).toBe(value);
      const taken = page.waitForResponse((answer) => answer.request().method() === "POST");
      await page.locator(button).click();
      expect((await taken).status()).toBe(303);
      await page.waitForLoadState();
      if (!script) return;
      await page.goto(at);
      const texts = Object.entries(fields).filter(([field]) => !field.endsWith("[name=name]"));
      for (const [field] of texts)
        if ((await page.locator(field).count()) > 0) expect(await page.locator(field).inputValue()).toBe("");
    },
  );
});

test("with scripts, the text is there when the address is entered again, too", async () => {
  const page = await newPage(true, false);
  const { slug, api } = await open();
  await page.goto(`/meet/r/${slug}`);
  await page.locator("#speak [name=name]").fill("cleo");
  await page.locator("#speak [name=body]").fill("Still to be said");
  await sendInVain(page, "#speak button.main");
  await post(`${api}/posts`, { name: "bob", body: "Meanwhile" });
  // This address leads on to the page of the room, as the answer to a post does.
  await page.goto(`/meet/r/${slug}/1`);
  expect(await page.locator("#speak [name=body]").inputValue()).toBe("Still to be said");
  await page.locator("#speak button.main").click();
  await page.locator("li.post", { hasText: "Still to be said" }).waitFor();
  expect(await page.locator("#speak [name=body]").inputValue()).toBe("");
  expect((await get<{ posts: object[] }>(api)).body.posts).toHaveLength(2);
});
