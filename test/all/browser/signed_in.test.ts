/** Every page shows who is signed in, also one that the browser has in its cache from before, and none does afterwards. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { claim } from "../../support/names.ts";
import { startAdmins } from "./support/admins.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn, visited, type Places } from "./support/pages.ts";
import { makeWorld, world_options } from "./support/world.ts";

const browser = useBrowser(world_options);
let world!: Places;
beforeAll(async () => {
  world = { ...(await makeWorld(browser.wharf)), admins: await startAdmins() };
});
afterAll(() => world?.admins.stop());

/** What the header of the page says of the reader. */
const reader = (page: Page): Promise<string> => page.locator("header .me").innerText();

/** The pages of the list, and those of MCP, once each. The gallery of components has no reader. */
function paths(): string[] {
  const { slug } = world.rooms.slow_export;
  const listed = visited
    .map(({ path }) => path(world).split("#")[0]!)
    .filter((path) => path !== "/_dev/components");
  return [...new Set([...listed, "/mcp", "/mcp/meet", `/mcp/meet/${slug}`])];
}

describe.each(readings)("%s", (_title, script) => {
  test("every page shows the name that is signed in, and the number of its unread notes", async () => {
    const page = await browser.openPage({ script });
    const read = async (path: string) => {
      await page.goto(path, { waitUntil: "domcontentloaded" });
      return [path, await reader(page)];
    };
    for (const path of paths()) expect(await read(path)).toEqual([path, "Sign in"]);
    await signIn(page, "linnea", world.keys.linnea!);
    for (const path of paths())
      expect(await read(path)).toEqual([path, expect.stringMatching(/^linnea\s+\d+ unread$/)]);
    await page.goto("/me");
    await page.getByRole("button", { name: "Sign out" }).click();
    for (const path of paths()) expect(await read(path)).toEqual([path, "Sign in"]);
  });
});

test("an admin who is signed in with a name sees it on the page for admins, and on the others after that", async () => {
  const { url, authorization } = world.admins.busy;
  const [, password] = atob(authorization.split(" ")[1]!).split(":");
  const { key } = await claim(url, "Grace");
  const page = await browser.openPage({
    at: url,
    context: { httpCredentials: { username: "anybody", password: password! } },
  });
  await signIn(page, "Grace", key);
  for (const path of ["/admin", "/", "/meet", "/api", "/mcp", "/problems", "/me", "/me/mailbox", "/admin"]) {
    await page.goto(path);
    expect([path, await reader(page)]).toEqual([path, "Grace"]);
  }
});
