/** What somebody who was only given a link sees of a toss: what it is about, until when to agree, and why to believe it. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser({ frozen: true });

interface Overview {
  now: { round: number };
  last_revealed: { round: number; value: { coin: string } };
}
const overview = async () => (await (await fetch(`${browser.wharf.url}/api/beacon`)).json()) as Overview;

/** The text of the main part, with single spaces. */
const textOf = async (page: Page) => (await page.locator("main").innerText()).replace(/\s+/g, " ");

/** A label under which the last round has another coin than without one. */
async function otherLabel(round: number, coin: string): Promise<string> {
  for (let i = 0; ; i++) {
    const answer = await fetch(`${browser.wharf.url}/api/beacon/${round}?label=lunch-${i}`);
    if (((await answer.json()) as { value: { coin: string } }).value.coin !== coin) return `lunch-${i}`;
  }
}

describe.each(readings)("%s", (_title, script) => {
  test("a toss with a label says why the public toss of the same round shows the other side", async () => {
    const { last_revealed } = await overview();
    const { coin } = last_revealed.value;
    const label = await otherLabel(last_revealed.round, coin);
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(`/beacon/${last_revealed.round}?label=${label}`);
    const shown = coin === "heads" ? "Heads" : "Tails";
    const drawn = coin === "heads" ? "Tails" : "Heads";
    expect(await page.locator("[data-outcome]").innerText()).toBe(drawn);
    const text = await textOf(page);
    expect(text).toContain("This label has its own toss:");
    expect(text).toContain(`Without a label it is the public toss, which shows ${shown}.`);
    expect(text).not.toMatch(/everybody sees the same/i);

    await page.getByRole("link", { name: "the public toss" }).click();
    expect(await page.locator("h1").innerText()).toBe("The public toss");
    expect(await page.locator("[data-outcome]").innerText()).toBe(shown);
    expect(await textOf(page)).toContain("A toss with a label has its own result");
    await page.getByRole("link", { name: "Toss your own" }).click();
    expect(await page.getByRole("button", { name: "Make the link" }).isVisible()).toBe(true);
  });

  test("both see what the sides mean, until when to agree, and which side it is", async () => {
    const ann = await browser.openPage({ script, width: 390 });
    await ann.goto("/beacon");
    await ann.getByLabel("What is it about?").fill("Who pays for lunch");
    await ann.getByLabel("Heads means").fill("Ann pays; really");
    await ann.getByLabel("Tails means").fill("Bob pays");
    await ann.getByRole("button", { name: "Make the link" }).click();
    const bob = await browser.openPage({ script });
    await bob.goto(ann.url());
    expect(new URL(bob.url()).searchParams.get("label")).toBe(
      "Who pays for lunch; heads: Ann pays, really; tails: Bob pays",
    );
    const { now } = await overview();
    const begins = new Date((now.round + 1) * 60_000).toISOString().slice(11, 16);
    for (const page of [ann, bob]) {
      expect(await page.locator(".sides").innerText()).toMatch(/Heads\s+Ann pays, really\s+Tails\s+Bob pays/);
      expect(await page.locator(".large").innerText()).toContain(`Agree before ${begins} UTC`);
      expect(await textOf(page)).toContain("The operator of this service knows every result in advance");
    }
    await browser.wharf.clock.advance({ minutes: 3 });
    for (const page of [ann, bob]) {
      await page.click("[data-again]");
      const [side, meaning] = await page.locator("[data-outcome]").allInnerTexts();
      expect(meaning).toBe(side === "Heads" ? "Ann pays, really" : "Bob pays");
    }
  });

  test("only a coin has sides, and only a pick and an order have options", async () => {
    const page = await browser.openPage({ script });
    await page.goto("/beacon");
    const shown = async () => [
      await page.getByLabel("Heads means").isVisible(),
      await page.getByLabel("The options").isVisible(),
    ];
    expect(await shown()).toEqual([true, false]);
    await page.getByLabel("An order").check();
    expect(await shown()).toEqual([false, true]);
    await page.getByLabel("A die").check();
    expect(await shown()).toEqual([false, false]);
  });

  test("a toss without a label is refused, and what is proposed makes one", async () => {
    const page = await browser.openPage({ script, width: 390 });
    await page.goto("/beacon");
    await page.getByRole("button", { name: "Make the link" }).click();
    expect(await page.locator("#agree .fault").first().innerText()).toContain("the public toss");
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.locator("#toss").waitFor();
    expect(await textOf(page)).toContain("This label has its own toss: “Our toss of ");
  });

  test("a page that is read again after the round began says that it is too late", async () => {
    const { now } = await overview();
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(`/beacon/${now.round + 1}?label=late`);
    expect(await textOf(page)).not.toContain("too late");
    await browser.wharf.clock.advance({ minutes: 1 });
    await page.reload();
    expect(await page.locator(".over").innerText()).toMatch(
      /^Began at \d\d:\d\d UTC: too late to agree on it\.$/,
    );
    expect(await page.getByText("Send this to the other one").count()).toBe(0);
  });

  test("the home page leads to a toss of one's own, and the menu says coin", async () => {
    const page = await browser.openPage({ script, width: 390 });
    await page.goto("/");
    expect(await textOf(page)).toContain("a toss of your own has its own result");
    await page.getByRole("link", { name: "Toss a coin with somebody" }).click();
    await page.locator("#agree").waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/beacon#agree");
    expect(await page.getByRole("navigation").getByRole("link", { name: "Coin" }).getAttribute("href")).toBe(
      `${browser.wharf.url}/beacon`,
    );
  });
});

describe("with scripts", () => {
  /** The page of a toss in the next round, as somebody sees it whose clock shows another time. */
  async function openToss(label: string, init?: () => void): Promise<Page> {
    const page = await browser.openPage({ width: 390, context: { timezoneId: "Asia/Kathmandu" } });
    if (init) await page.addInitScript(init);
    const { now } = await overview();
    await page.clock.install({ time: (await browser.wharf.state()).now });
    await page.goto(`/beacon/${now.round + 1}?label=${label}`);
    return page;
  }

  test("the page says by itself that it is too late, and then the result", async () => {
    const page = await openToss("live");
    await page.locator("[data-left]", { hasText: "in " }).waitFor();
    await browser.wharf.clock.advance({ minutes: 1 });
    await page.clock.runFor("01:05");
    await page.locator(".over", { hasText: "too late to agree on it" }).waitFor();
    expect(await page.locator("#said").textContent()).toContain("too late to agree on it");
    expect(await page.locator("[data-outcome]").count()).toBe(0);
    await browser.wharf.clock.advance({ minutes: 1 });
    await page.clock.runFor("01:05");
    await page.locator("[data-outcome]").waitFor();
  });

  test("times have the reader's own beside UTC, once, also after the page has changed by itself", async () => {
    const page = await openToss("local");
    const { now } = await overview();
    const local = new Date((now.round + 1) * 60_000 + 345 * 60_000).toISOString().slice(11, 16);
    const shown = async (path: string) => (await page.locator(path).innerText()).replace(/\s/g, " ");
    expect(await shown(".large time")).toEndWith(` UTC (${local} your time)`);
    await browser.wharf.clock.advance({ minutes: 1 });
    await page.clock.runFor("01:05");
    expect(await shown(".over time")).toEndWith(` UTC (${local} your time)`);
    await page.goto("/beacon");
    expect(await page.locator("#agree option").nth(1).innerText()).toMatch(
      /^\d\d:\d\d\sUTC \(\d\d:\d\d\), in up to \d min$/,
    );
  });

  test("a system that can share gets a button, which sends link, words, deadline and fingerprint", async () => {
    const page = await openToss("share%3B%20heads%3A%20Ann", () => {
      navigator.share = (data) => {
        document.title = JSON.stringify(data);
        return Promise.resolve();
      };
    });
    await page.getByRole("button", { name: /^Share the link/ }).click();
    const shared = JSON.parse(await page.title()) as { url: string; text: string };
    expect(shared.url).toBe(page.url());
    expect(shared.text).toMatch(
      /^share; heads: Ann\. Agree before \d\d:\d\d UTC; the result comes at \d\d:\d\d UTC\. Fingerprint: [0-9a-f]{64}$/,
    );
  });

  test("a system that cannot share gets no button, and the link and the fingerprint to copy", async () => {
    const page = await openToss("copy");
    expect(await page.locator("[data-share]").isVisible()).toBe(false);
    const to_send = await page.locator(".copy code").first().innerText();
    expect(to_send.split("\n")).toEqual([page.url(), expect.stringMatching(/^Fingerprint: [0-9a-f]{64}$/)]);
    expect(await page.locator("[data-copy]").first().isVisible()).toBe(true);
  });
});
