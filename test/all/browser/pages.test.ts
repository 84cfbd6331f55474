/** Every page: accessible by axe-core, within its budgets, no wider than the window, usable by keyboard, printable. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { findings, withoutScripts } from "./support/axe.ts";
import { printFaults } from "./support/print.ts";
import { useBrowser, type PageOptions } from "./support/browser.ts";
import { startAdmins } from "./support/admins.ts";
import { visit, visited_by_all as visited, type Places, type Visited } from "./support/pages.ts";
import { makeWorld, world_options } from "./support/world.ts";

const browser = useBrowser(world_options);
let world!: Places;
beforeAll(async () => {
  world = { ...(await makeWorld(browser.wharf)), admins: await startAdmins() };
});
afterAll(() => world?.admins.stop());

/** A new page of the service that has `path`. */
const openFor = ({ path }: Visited<Places>, options: PageOptions = {}): Promise<Page> =>
  browser.openPage({ at: new URL(path(world), browser.wharf.url).origin, ...options });

const kib = 1024;

/** The requests that a navigation takes. */
async function loadedBy(page: Page, navigate: () => Promise<unknown>): Promise<Request[]> {
  const loaded: Request[] = [];
  page.on("requestfinished", (request) => void loaded.push(request));
  await navigate();
  return loaded;
}

/** What stands out of a window of this width on its right side, as selectors; scrolling boxes may. */
async function widerThan(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1,
    );
    return ["the page", ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
  });
}

/** Fails if the page is over a budget: 80 KiB on the wire, 20 for a script, 30 for the document of a room. */
async function expectWithinBudgets(loaded: Request[], is_room: boolean): Promise<void> {
  const sizes = await Promise.all(loaded.map(async (request) => (await request.sizes()).responseBodySize));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(80 * kib);
  for (const request of loaded) {
    const response = (await request.response())!;
    if (response.status() !== 200) continue;
    const packed = Bun.gzipSync(new Uint8Array(await response.body())).byteLength;
    if (request.resourceType() === "script") expect(packed).toBeLessThanOrEqual(20 * kib);
    if (request.resourceType() === "document" && is_room) expect(packed).toBeLessThanOrEqual(30 * kib);
  }
}

/** What moves, as HTML, for a reader who wants reduced motion. */
async function movingIn(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("*")]
      .filter((element) => {
        const style = getComputedStyle(element);
        const lasts = (text: string) => text.split(",").some((one) => parseFloat(one) > 0.01);
        const moves = style.animationName !== "none" && lasts(style.animationDuration);
        return moves || lasts(style.transitionDuration) || style.scrollBehavior === "smooth";
      })
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  await page.emulateMedia({ reducedMotion: null });
  return moving;
}

test.each(visited)(
  "$title: accessible, small, no wider than a phone or a desk, still where motion is reduced, printed without forms",
  async (shown) => {
    const page = await openFor(shown);
    const loaded = await loadedBy(page, () => page.goto(shown.path(world)));
    await expectWithinBudgets(loaded, shown.route === "/meet/r/{room}");
    if (shown.as ?? shown.prepare ?? shown.authorization) await visit(page, shown, world);
    expect(await findings(page)).toEqual([]);
    for (const width of [1280, 390]) expect(await widerThan(page, width)).toEqual([]);
    expect(await movingIn(page)).toEqual([]);
    expect(await printFaults(page)).toEqual([]);
  },
);

test.each(visited)("$title: accessible without scripts", async (shown) => {
  const page = await openFor(shown);
  const { restore } = await withoutScripts(page);
  await visit(page, shown, world);
  await restore();
  expect(await findings(page, true)).toEqual([]);
});

/** The focused element: what it is, and whether one sees that it has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const all = [...document.querySelectorAll("*")];
    return {
      text: element.outerHTML.slice(0, 100),
      place: all.indexOf(element),
      is_visible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && width > 0 && height > 0,
    };
  });

const by_keyboard = ["home", "rooms", "room", "jobs", "job-open", "beacon", "receipt", "api"];
test.each(visited.filter(({ title }) => by_keyboard.includes(title)))(
  "$title: the first stop skips to the content, and each stop is seen and after the one before",
  async ({ path }) => {
    const page = await browser.openPage({ width: 390 });
    await page.goto(path(world));
    await page.keyboard.press("Tab");
    expect((await focused(page))?.text).toContain('class="skip"');
    let last = -1;
    for (let stops = 0; stops < 25; stops++) {
      const stop = await focused(page);
      if (!stop) break;
      expect(stop).toEqual({ ...stop, is_visible: true });
      expect(stop.place).toBeGreaterThan(last);
      last = stop.place;
      await page.keyboard.press("Tab");
    }
    expect(last).toBeGreaterThan(-1);
    await page.goto(path(world));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main, footer") !== null)).toBe(true);
  },
);

test("every page of the API's document is in the list of pages", async () => {
  const { paths } = (await (await fetch(`${browser.wharf.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
  };
  const pages = Object.keys(paths).filter((path) => {
    const forms = Object.keys(paths[path]?.get?.responses["200"]?.content ?? {});
    return forms.includes("text/html");
  });
  const routes = new Set(visited.map(({ route }) => route));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((path) => !routes.has(path))).toEqual([]);
});
