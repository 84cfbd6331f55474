/** A private room from its opening to leaving it: in a browser with and without scripts, by keyboard, on a phone, and while one is removed. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import type { Role } from "../../../src/api/rooms/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { readings, useBrowser, type PageOptions } from "./support/browser.ts";
import { follow } from "./support/live.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let made = 0;
const newName = (name: string): Promise<Holder> => claim(browser.wharf.url, `${name}-${++made}`);

/** A page on which this name is signed in. */
async function openAs(who: Holder, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage(options);
  await signIn(page, who.name, who.key);
  return page;
}

/** A private room of `host`. */
async function roomOf(host: Holder, members: [who: { name: string }, role: Role][] = []) {
  const client = browser.wharf.client(host);
  const body = { goal: "Whom do we invite?", name: host.name, visibility: "private" as const };
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body }));
  const path = { room: slug };
  for (const [{ name }, role] of members)
    await orThrow(client.post("/api/meet/rooms/{room}/members", { path, body: { name, role } }));
  return {
    path: `/meet/r/${slug}`,
    slug,
    say: (text: string) =>
      orThrow(client.post("/api/meet/rooms/{room}/posts", { path, body: { name: host.name, body: text } })),
    remove: ({ name }: Holder) =>
      orThrow(client.delete("/api/meet/rooms/{room}/members/{name}", { path: { ...path, name } })),
  };
}

const members = (page: Page) => page.getByRole("region", { name: /\d members?/ });
const rolesOn = (page: Page): Promise<string[]> => members(page).locator("li").allInnerTexts();
const say = async (page: Page, text: string) => {
  await page.locator("textarea[name=body]").fill(text);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await page.locator("#posts").getByText(text).waitFor();
};
const add = async (page: Page, name: string, role: Role) => {
  await page.locator("#invite [name=name]").fill(name);
  await page.locator("#invite [name=role]").selectOption(role);
  await page.getByRole("button", { name: "Add" }).click();
};

describe.each(readings)("%s", (_reading, script) => {
  test("one opens it, adds members, and each of them sees what its role allows", async () => {
    const [ada, bob, carol] = [await newName("ada"), await newName("bob"), await newName("carol")];
    const host = await openAs(ada, { script });
    await host.goto("/meet");
    await host.locator("#open [name=goal]").fill("Who is in?");
    await host.getByLabel("Visibility").selectOption({ label: "Private: for its members only" });
    await host.getByRole("button", { name: "Open the room" }).click();
    await host.getByRole("heading", { name: "The room is open" }).waitFor();
    await host.getByRole("link", { name: "add members" }).click();
    const at = new URL(host.url()).pathname;
    expect(await host.locator("#room-about").innerText()).toContain("private for its members only");
    expect(await host.locator("#room-about .badge .lock").count()).toBe(1);
    await add(host, `${carol.name} too`, "reader");
    await host.locator("#invite .fault").waitFor();
    expect(await host.locator("#invite [name=name]").inputValue()).toBe(`${carol.name} too`);
    await add(host, carol.name, "reader");
    await members(host).getByText(carol.name).waitFor();
    await add(host, bob.name, "member");
    await members(host).getByText(bob.name).waitFor();
    expect((await rolesOn(host)).map((text) => /\b(?:host|member|reader)\b/.exec(text)?.[0])).toEqual([
      "host",
      "member",
      "reader",
    ]);

    const member = await openAs(bob, { script });
    await member.goto(at);
    await say(member, "I bring the bread.");
    expect(await member.locator("#invite").count()).toBe(0);
    const reader = await openAs(carol, { script, width: 390 });
    await reader.goto(at);
    await reader.getByText("I bring the bread.").waitFor();
    await reader.getByText("You are a reader of this room").waitFor();
    expect(await reader.locator("textarea[name=body]").count()).toBe(0);
    expect(await reader.getByRole("link", { name: /^Reply/ }).count()).toBe(0);

    await host.getByRole("link", { name: `Change ${carol.name}` }).click();
    await host.locator("#member [name=role]").selectOption("member");
    await host.getByRole("button", { name: "Set the role" }).click();
    await reader.goto(at);
    await say(reader, "And I bring the wine.");
    await host.getByRole("link", { name: `Change ${carol.name}` }).click();
    await host.getByRole("button", { name: "Remove this member" }).click();
    await members(host).getByText(carol.name).waitFor({ state: "detached" });
    await reader.goto(at);
    await reader.getByRole("heading", { name: "There is no such room" }).waitFor();
  });

  test("a member leaves after a question, and the only host does not", async () => {
    const [ada, bob] = [await newName("ada"), await newName("bob")];
    const { path } = await roomOf(ada, [[bob, "member"]]);
    const [host, member] = [await openAs(ada, { script }), await openAs(bob, { script, width: 390 })];
    await host.goto(path);
    await members(host).getByText("Leave this room").click();
    await host.getByRole("button", { name: "Leave the room" }).click();
    await host.getByText("You are the only host. Make another member a host first.").waitFor();
    await member.goto(path);
    await members(member).getByText("Leave this room").click();
    await members(member).getByText("Leave “Whom do we invite?”?").waitFor();
    await member.getByRole("button", { name: "Leave the room" }).click();
    await member.waitForURL(/\/me#private-rooms$/);
    await member.goto(path);
    await member.getByRole("heading", { name: "There is no such room" }).waitFor();
  });
});

test("a page that follows the room says when its reader was removed, keeps what it was writing, and requests no more", async () => {
  const [ada, bob] = [await newName("ada"), await newName("bob")];
  const room = await roomOf(ada, [[bob, "member"]]);
  const page = await openAs(bob, { allow: [/^status 404: /] });
  await follow(page, room.slug);
  await room.say("Everybody sees this.");
  await page.locator("#posts").getByText("Everybody sees this.").waitFor();
  await page.locator("textarea[name=body]").fill("Half a thought");
  await room.remove(bob);
  await page.locator("#live .state", { hasText: "You can no longer read this room." }).waitFor();
  expect(await page.locator("textarea[name=body]").inputValue()).toBe("Half a thought");
  expect(await page.locator("#speak button").isDisabled()).toBe(true);
  expect((await browser.wharf.state()).open.streams).toBe(0);
  const requested: string[] = [];
  page.on("request", (request) => void requested.push(request.url()));
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await room.say("He does not see this.");
  expect([requested, await page.getByText("He does not see this.").count()]).toEqual([[], 0]);
});

test("the name of a member is entered, its role chosen and the form sent by keyboard alone", async () => {
  const [ada, bob] = [await newName("ada"), await newName("bob")];
  const { path } = await roomOf(ada);
  const page = await openAs(ada);
  await page.goto(path);
  await page.getByLabel("Claimed name").focus();
  await page.keyboard.type(bob.name);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await members(page).locator("li", { hasText: "reader" }).waitFor();
  await members(page)
    .getByRole("link", { name: `Change ${bob.name}` })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: `Change ${bob.name}` }).waitFor();
});

test("many members are folded, and long names are as wide as the page allows", async () => {
  const ada = await newName("ada");
  const others: [Holder, Role][] = [];
  for (let i = 0; i < 14; i++) others.push([await newName(i === 0 ? "w".repeat(58) : "one"), "member"]);
  const { path } = await roomOf(ada, others);
  const page = await openAs(ada);
  await page.goto(path);
  expect(await members(page).locator("li:visible").count()).toBe(12);
  await members(page).getByText("3 more").click();
  expect(await members(page).locator("li:visible").count()).toBe(15);
  for (const [width, is_beside] of [
    [1280, true],
    [1000, true],
    [390, false],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const [thread, list] = await page.evaluate(() =>
      ["#thread", "#members"].map((part) => document.querySelector(part)!.getBoundingClientRect().toJSON()),
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(list.left > 390 && list.top < 400).toBe(is_beside);
    expect(list.right).toBeLessThanOrEqual(width - 8);
    expect(thread).toBeDefined();
  }
});
