/**
 * Makes a picture of every page, light and dark, for a phone and for a desk: `bun run screenshots [folder] [part of a title]`.
 * The content is that of test/fixtures/content; the folder is `dist/screenshots` if none is given.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startAdmins } from "../test/all/browser/support/admins.ts";
import { startBrowser } from "../test/all/browser/support/chromium.ts";
import { visit, visited_by_all } from "../test/all/browser/support/pages.ts";
import { wharf_command } from "../test/support/binary.ts";
import { makeWorld, world_options } from "../test/all/browser/support/world.ts";
import { startWharf } from "../testing/wharf.ts";

const [folder = "dist/screenshots", part = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const [wharf, browser, admins] = await Promise.all([
  startWharf({ command: wharf_command, ...world_options }),
  startBrowser(),
  startAdmins(),
]);
try {
  const world = { ...(await makeWorld(wharf)), admins };
  const { now } = await wharf.state();
  const chosen = visited_by_all.filter(({ title }) => title.includes(part));
  for (const width of [390, 1280]) {
    for (const shown of chosen) {
      const context = await browser.newContext({
        baseURL: wharf.url,
        viewport: { width, height: 900 },
        locale: "en-GB",
        timezoneId: "UTC",
      });
      const page = await context.newPage();
      // So that times are relative to those of the content.
      await page.clock.setFixedTime(now);
      await visit(page, shown, world);
      await page.waitForTimeout(100);
      // In a window as high as the page, the bar of a live room is below the posts.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(900, height) });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const path = join(folder, `${shown.title}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      await context.close();
    }
  }
  console.log(`${chosen.length * 4} pictures in ${folder}`);
} finally {
  await browser.close();
  await Promise.all([wharf.stop(), admins.stop()]);
}
