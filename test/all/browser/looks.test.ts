/** What readers see on every page: one width, the mark of the page in the navigation, contrast, code, and how much is sent. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import bytes from "./bytes.json" with { type: "json" };
import { startAdmins } from "./support/admins.ts";
import { useBrowser } from "./support/browser.ts";
import { faintTexts } from "./support/contrast.ts";
import { visit, visited_by_all as visited, type Places } from "./support/pages.ts";
import { bytesOf } from "./support/weight.ts";
import { makeWorld, world_options } from "./support/world.ts";

const browser = useBrowser(world_options);
let world!: Places;
beforeAll(async () => {
  world = { ...(await makeWorld(browser.wharf)), admins: await startAdmins() };
});
afterAll(() => world?.admins.stop());

/** What a page may weigh: a tenth more than before its code had colours, if it is that old (`bytes.json`). */
const bytesMax = (title: string): number =>
  Math.floor(1.1 * ((bytes as Record<string, number>)[title] ?? 80 * 1024));

/** The link of the navigation that a path belongs to; the first that fits. */
const sections: [path: RegExp, section: string | null][] = [
  [/^\/me\/jobs|^\/jobs/, "/jobs"],
  [/^\/me\/locker|^\/locker/, "/locker"],
  [/^\/me\/rooms|^\/meet/, "/meet"],
  [/^\/beacon/, "/beacon"],
  [/^\/me\/receipts|^\/receipt/, "/receipt"],
  [/^\/api|^\/problems/, "/api"],
  [/^/, null],
];

/** The left and the right edge of the column. */
const column = [272, 1008];
/** Where the parts of the frame are in a window of 1280 pixels. */
const placesOf = (page: Page) =>
  page.evaluate(() =>
    ["body > header", "main", "body > footer"].map((part) => {
      const { left, right } = document.querySelector(part)!.getBoundingClientRect();
      return [left, right];
    }),
  );

/** The path of the link that the navigation marks. */
async function markedIn(page: Page): Promise<string | null> {
  const marked = page.locator("body > header nav [aria-current=page]");
  return (await marked.count()) === 0
    ? null
    : new URL((await marked.getAttribute("href"))!, page.url()).pathname;
}

test.each(visited)("$title: one width, its part marked, enough contrast, and not heavier", async (shown) => {
  const page = await browser.openPage({
    at: new URL(shown.path(world), browser.wharf.url).origin,
    width: 1280,
  });
  await visit(page, shown, world);
  expect(await placesOf(page)).toEqual([column, column, column]);
  const { pathname } = new URL(page.url());
  expect(await markedIn(page)).toBe(sections.find(([path]) => path.test(pathname))![1]);
  expect(await bytesOf(page)).toBeLessThanOrEqual(bytesMax(shown.title));
  // What is folded away, and a control that is disabled.
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
    document.querySelector("button")?.setAttribute("disabled", "");
  });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await faintTexts(page)).toEqual([]);
  }
});

test("a text that is too faint is found: over a gradient, as a marker, a placeholder and before an element", async () => {
  const page = await browser.openPage();
  await page.goto("/meet");
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "#g { background: linear-gradient(#fff, #777); color: #555 } #m::marker { color: #ccc } " +
        "#p::placeholder { color: #999 } #b::before { content: 'x'; color: #aaa } #o { opacity: 0.4 }",
    );
    document.adoptedStyleSheets = [sheet];
    document.querySelector("main")!.innerHTML =
      '<p id="g">x</p><ul><li id="m">x</li></ul><input id="p" placeholder="x"><p id="b"></p><p id="o">x</p>';
  });
  const found = (await faintTexts(page)).filter((text) => text.startsWith("light"));
  for (const id of ["g", "m", "p", "b", "o"]) expect(found.join("\n")).toContain(`id="${id}"`);
});

const line = (chars: number): string => `# ${"0123456789".repeat(20)}`.slice(0, chars);

test("code is as wide as it needs, up to 100 characters, beside a column that stays readable", async () => {
  const wharf = browser.wharf.client();
  const opening = wharf.post("/api/meet/rooms", { body: { goal: "Wide code", name: "wide-coder" } });
  const { slug } = await orThrow(opening);
  const path = { room: slug };
  const fence = (chars: number, indent = ""): string =>
    `Words.\n\n${indent}\`\`\`py\n${indent}${line(chars)}\n${indent}\`\`\``;
  for (const body of [fence(100), `- ${fence(140, "  ")}`, fence(30)])
    await orThrow(wharf.post("/api/meet/rooms/{room}/posts", { path, body: { name: "wide-coder", body } }));
  const page = await browser.openPage({ width: 1280 });
  await page.goto(`/meet/r/${slug}`);
  const boxes = await page.locator(".text .copy").evaluateAll((all) =>
    all.map((box) => {
      const [pre, button] = ["pre", "button"].map((part) => box.querySelector(part)!) as [
        HTMLElement,
        HTMLElement,
      ];
      return {
        scrolls: pre.scrollWidth > pre.clientWidth,
        width: box.getBoundingClientRect().width,
        is_beside: button.getBoundingClientRect().left >= pre.getBoundingClientRect().right,
        is_inside: box.getBoundingClientRect().right <= innerWidth - 8,
      };
    }),
  );
  expect(boxes.map(({ scrolls }) => scrolls)).toEqual([false, true, false]);
  for (const box of boxes) expect(box).toMatchObject({ is_beside: true, is_inside: true });
  // The short one is as wide as the text beside it.
  expect(boxes[2]!.width).toBeLessThan(710);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  const without = await browser.openPage({ script: false });
  await without.goto(`/meet/r/${slug}`);
  expect(await without.locator(".text .copy button:visible").count()).toBe(0);
  expect(await without.locator(".text .copy .c").first().textContent()).toBe(line(100));
});

test("the contents of a long document are beside the column, and its text is in the column", async () => {
  const page = await browser.openPage({ width: 1280 });
  await page.goto("/mcp");
  const edges = await page.evaluate(() =>
    [".contents", ".with-contents > div > p"].map((part) => {
      const { left, right } = document.querySelector(part)!.getBoundingClientRect();
      return [left, right];
    }),
  );
  expect(edges[0]![0]).toBeGreaterThanOrEqual(16);
  expect(edges[0]![1]).toBeLessThan(column[0]! + 16);
  expect(edges[1]).toEqual([column[0]! + 16, column[1]! - 16]);
});
