/** Pages of lists and states: what changes elsewhere arrives by itself. */

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import { useBrowser } from "./support/browser.ts";
import { countShifts, shiftsOf } from "./support/live.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();

/** Lets the page look for changes, as it does when it is shown again and every 20 seconds. */
const lookNow = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const openRoom = (goal: string) =>
  orThrow(browser.wharf.client().post("/api/meet/rooms", { body: { goal, name: "ada" } }));

async function jobsOf(name: string) {
  const { key } = await orThrow(browser.wharf.client().post("/api/name", { body: { name } }));
  const client = browser.wharf.client({ key: key! });
  const post = (title: string) => orThrow(client.post("/api/jobs", { body: { title, detail: "Details." } }));
  return { client, post };
}

test("shows a new room on the home page, and keeps the focus on the same link", async () => {
  await openRoom("Who brings the bread?");
  const page = await browser.openPage();
  await page.goto("/");
  const link = page.getByRole("link", { name: "Who brings the bread?" });
  await link.focus();
  await openRoom("Who brings the cheese?");
  await lookNow(page);
  await page.getByRole("link", { name: "Who brings the cheese?" }).waitFor();
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("leaves an unchanged home page as it is, although its times are relative", async () => {
  const { created } = await openRoom("Who brings the salt?");
  const page = await browser.openPage();
  await page.clock.setFixedTime(Date.parse(created) + 3_600_000);
  await page.goto("/");
  await page.locator("#news time", { hasText: "1 hour ago" }).first().waitFor();
  const news = await page.locator("#news").elementHandle();
  const looked = page.waitForResponse((response) => response.url() === page.url());
  await lookNow(page);
  await (await looked).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await news!.evaluate((element) => element.isConnected)).toBe(true);
});

test("says on the job board how many jobs are new, and shows them by a link", async () => {
  const { post } = await jobsOf("grace");
  await post("Peel the apples");
  const page = await browser.openPage();
  await page.goto("/jobs");
  await post("Knead the dough");
  await post("Heat the oven");
  await lookNow(page);
  await page.getByRole("link", { name: "2 jobs are new: show them" }).click();
  await page.getByRole("link", { name: "Heat the oven" }).waitFor();
  expect(await page.locator("#fresh").count()).toBe(0);
});

test("says on the list of rooms that one is new, and moves nothing", async () => {
  const page = await browser.openPage({ width: 390 });
  await countShifts(page);
  await page.goto("/meet");
  await openRoom("Who brings the olives?");
  await lookNow(page);
  const link = page.getByRole("link", { name: "1 room is new: show it" });
  await link.waitFor();
  expect(await shiftsOf(page)).toBe(0);
  await link.click();
  await page.getByRole("link", { name: "Who brings the olives?" }).waitFor();
});

test("shows on the page of a job that it was claimed", async () => {
  const { post } = await jobsOf("hedy");
  const { id } = await post("Bake the bread");
  const page = await browser.openPage();
  await page.goto(`/jobs/${id}`);
  const { client } = await jobsOf("joan");
  await orThrow(client.post("/api/jobs/{id}/claim", { path: { id } }));
  await lookNow(page);
  await page.getByText("held", { exact: true }).waitFor();
  await page.locator("#job-state").getByText("joan").waitFor();
});

/** A page on which a new name is signed in, and the name's client. */
async function member(name: string) {
  const { key } = await orThrow(browser.wharf.client().post("/api/name", { body: { name } }));
  const page = await browser.openPage();
  await signIn(page, name, key!);
  return { page, client: browser.wharf.client({ key: key! }) };
}

test("shows a new note of the mailbox by itself, in its title too", async () => {
  const { page } = await member("rosalind");
  await page.goto("/me/mailbox");
  const { slug } = await openRoom("Who brings the wine?");
  const path = { room: slug };
  const say = (body: string) =>
    orThrow(
      browser.wharf.client().post("/api/meet/rooms/{room}/posts", { path, body: { name: "ada", body } }),
    );
  // No look is due for 20 seconds: the stream of the mailbox says that there is something.
  await say("Red or white, @rosalind?");
  await page.getByText("Red or white").waitFor();
  await page.waitForFunction(() => document.title.startsWith("(1) Mailbox"));
  await page.locator("header").getByRole("link", { name: "1 unread" }).waitFor();
  await say("Or none, @rosalind?");
  await page.getByText("Or none").waitFor();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.waitForFunction(() => document.title.startsWith("Mailbox"));
});

test("shows what happens to one's own jobs, and leaves a result that is being written", async () => {
  const { post, client: poster } = await jobsOf("dorothy");
  const { id } = await post("Wash the plates");
  const { page, client } = await member("katherine");
  await page.goto(`/me/jobs/${id}`);
  await page.getByRole("button", { name: "Claim this job" }).waitFor();
  await orThrow(client.post("/api/jobs/{id}/claim", { path: { id } }));
  await lookNow(page);
  await page.locator("[name=result]").fill("Half of them are clean.");
  await orThrow(client.post("/api/jobs/{id}/extend", { path: { id } }));
  await lookNow(page);
  await orThrow(client.post("/api/jobs/{id}/deliver", { path: { id }, body: { result: "All are clean." } }));
  await lookNow(page);
  await page.locator("#job-result").getByText("All are clean.").waitFor();
  expect(await page.locator("[name=result]").inputValue()).toBe("Half of them are clean.");

  const list = await page.context().newPage();
  await list.goto("/me/jobs");
  const { id: other } = await orThrow(
    poster.post("/api/jobs", { body: { title: "Dry them", detail: "Details." } }),
  );
  await orThrow(client.post("/api/jobs/{id}/claim", { path: { id: other } }));
  await lookNow(list);
  await list.locator("#held").getByRole("link", { name: "Dry them" }).waitFor();
});

test("shows that a slot was written elsewhere, and leaves what is being written", async () => {
  const { page, client } = await member("emmy");
  const put = (value: string) =>
    orThrow(client.put("/api/locker/{slot}", { path: { slot: "draft" }, body: { value } }));
  await page.goto("/me/locker");
  await page.locator("[name=value]").fill("Not yet stored.");
  await put("One");
  await lookNow(page);
  await page.getByRole("link", { name: "draft" }).waitFor();
  expect(await page.locator("[name=value]").inputValue()).toBe("Not yet stored.");
  await page.goto("/me/locker/draft");
  await page.locator("[name=value]").fill("Two, from here");
  await put("Two, from there");
  await lookNow(page);
  await page.locator("#slot-state", { hasText: "version 2" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("was written after you opened it").waitFor();
  expect(await page.locator("[name=value]").inputValue()).toBe("Two, from here");
});
