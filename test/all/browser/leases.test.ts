/** What is held, on the page of a room: as it is, as it changes, and as the host of the room ends it. */

import { expect, test } from "bun:test";
import { orThrow } from "../../../src/client/client.ts";
import { useBrowser } from "./support/browser.ts";
import { follow, long, roomWith, shiftsOf, toEnd } from "./support/live.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();

/** A name that takes leases. */
async function holder(name: string) {
  const { key } = await orThrow(browser.wharf.client().post("/api/name", { body: { name } }));
  const client = browser.wharf.client({ name, key: key! });
  const leases = "/api/meet/rooms/{room}/leases";
  return {
    key: key!,
    client,
    take: async (room: string, paths: string[], purpose?: string) => {
      const body = { paths, ttl_seconds: 600, ...(purpose && { purpose }) };
      return (await orThrow(client.post(leases, { path: { room }, body }))).fence;
    },
    release: (room: string, fence: number) =>
      orThrow(client.post(`${leases}/release`, { path: { room }, body: { fence } })),
  };
}

test("appears, changes and disappears on the page by itself", async () => {
  const room = await roomWith(browser.wharf, ["One."]);
  const rosa = await holder("rosa");
  const page = await browser.openPage();
  await follow(page, room.slug);
  const section = page.getByRole("region", { name: "Held now" });
  expect(await section.count()).toBe(0);
  const fence = await rosa.take(room.slug, ["src/auth", "issue/12"], "Refactoring <b>the login</b>");
  await section.getByText("Refactoring <b>the login</b>").waitFor();
  expect(await section.locator(".paths li").allTextContents()).toEqual(["issue/12", "src/auth"]);
  expect(await section.getByRole("link", { name: "rosa" }).count()).toBe(1);
  // An absolute time.
  expect(await section.locator("time").textContent()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d\sUTC/);
  // Nobody but the host ends it.
  expect(await section.getByText("End this lease").count()).toBe(0);
  await rosa.take(room.slug, ["docs"]);
  await section.getByText("docs").waitFor();
  await rosa.release(room.slug, fence);
  await section.getByText("src/auth").waitFor({ state: "detached" });
  expect(await section.locator(".paths li").allTextContents()).toEqual(["docs"]);
});

test("moves nothing for somebody who reads the end of the page", async () => {
  const room = await roomWith(
    browser.wharf,
    Array.from({ length: 12 }, () => long),
  );
  const tove = await holder("tove");
  const page = await browser.openPage();
  await follow(page, room.slug);
  await toEnd(page);
  const fence = await tove.take(room.slug, ["src"]);
  await page.locator("#held .paths").waitFor();
  await tove.release(room.slug, fence);
  await page.locator("#held .paths").waitFor({ state: "detached" });
  expect(await shiftsOf(page)).toBe(0);
});

test("many changes at once end in the last state", async () => {
  const room = await roomWith(browser.wharf, ["One."]);
  const signe = await holder("signe");
  const page = await browser.openPage();
  await follow(page, room.slug);
  for (let i = 0; i < 30; i++) await signe.release(room.slug, await signe.take(room.slug, [`a/${i}`]));
  await signe.take(room.slug, ["the/last"]);
  await page.locator("#held").getByText("the/last").waitFor();
  expect(await page.locator("#held .paths li").count()).toBe(1);
});

for (const script of [true, false]) {
  test(`the host ends a lease ${script ? "with" : "without"} scripts`, async () => {
    const hosting = await holder(`opener ${script}`);
    const other = await holder(`editor ${script}`);
    const opening = hosting.client.post("/api/meet/rooms", {
      body: { goal: "Who hosts?", name: `opener ${script}` },
    });
    const { slug } = await orThrow(opening);
    await other.take(slug, ["src", "docs"]);
    await other.take(slug, ["issue/1"]);
    const page = await browser.openPage({ script });
    await signIn(page, `opener ${script}`, hosting.key);
    await page.goto(`/meet/r/${slug}`);
    const held = page.locator("#held");
    await held.getByText("End this lease").first().click();
    await held.getByRole("button", { name: "End it" }).first().click();
    await held.getByText("docs").waitFor({ state: "detached" });
    expect(await held.locator(".paths li").allTextContents()).toEqual(["issue/1"]);
    const { notes } = await orThrow(other.client.get("/api/mailbox"));
    expect(notes).toMatchObject([{ kind: "lease.broken", room: slug, paths: ["docs", "src"], how: "host" }]);
  });
}

test("a question stays open, with the focus, while others take and release", async () => {
  const hosting = await holder("opener of the question");
  const other = await holder("editor of the question");
  const body = { goal: "Which lease?", name: "opener of the question" };
  const { slug } = await orThrow(hosting.client.post("/api/meet/rooms", { body }));
  await other.take(slug, ["docs"]);
  const fence = await other.take(slug, ["src"]);
  const page = await browser.openPage();
  await signIn(page, "opener of the question", hosting.key);
  await follow(page, slug);
  const held = page.locator("#held");
  const asking = held.locator(".ask[open]");
  await held.getByText("End this lease").first().click();
  await asking.getByRole("button").focus();
  await other.take(slug, ["test"]);
  await held.getByText("test").waitFor();
  await other.release(slug, fence);
  await held.getByText("src").waitFor({ state: "detached" });
  expect(await asking.count()).toBe(1);
  await page.keyboard.press("Enter");
  await held.getByText("docs").waitFor({ state: "detached" });
  expect(await held.locator(".paths li").allTextContents()).toEqual(["test"]);
});
