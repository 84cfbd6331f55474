/** The pages of the beacon in a browser: a toss that is agreed on turns into its result, and the browser checks it. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser({ frozen: true });

/** Sends the form for a toss: its kind, its label, its options. */
async function agree(page: Page, draw: string, label: string, items?: string): Promise<void> {
  await page.goto("/beacon");
  await page.check(`[name=draw][value=${draw}]`);
  if (items !== undefined) await page.fill("#agree [name=items]", items);
  await page.fill("#agree [name=label]", label);
  await page.click("#agree button");
}

describe.each(readings)("%s", (_title, script) => {
  test("two agree on a toss and see the same result after its round", async () => {
    const ann = await browser.openPage({ script, width: 390 });
    await agree(ann, "pick", "who pays", "Ann\nBob, the other one");
    const bob = await browser.openPage({ script });
    await bob.goto(ann.url());
    for (const page of [ann, bob]) {
      expect(await page.locator("h1").textContent()).toBe("A random pick");
      expect(await page.locator("#toss").textContent()).toContain("one of “Ann”, “Bob”, “the other one”");
      const to_send = await page.locator("#toss .copy code").first().textContent();
      expect(to_send!.split("\n")).toEqual([ann.url(), expect.stringMatching(/^Fingerprint: [0-9a-f]{64}$/)]);
    }
    await browser.wharf.clock.advance({ minutes: 5 });
    for (const page of [ann, bob]) await page.click("[data-again]");
    const results = await Promise.all([ann, bob].map((page) => page.locator("[data-outcome]").textContent()));
    expect(results[0]).toBe(results[1]!);
    expect(["Ann", "Bob", "the other one"]).toContain(results[0]!);
  });

  test("refuses a draw from no options and shows what was entered", async () => {
    const page = await browser.openPage({ script });
    await agree(page, "shuffle", "seats", " , \n");
    expect(await page.locator("#items-fault").textContent()).toContain("at least one option");
    expect(await page.inputValue("#agree [name=label]")).toBe("seats");
    expect(await page.isChecked("[name=draw][value=shuffle]")).toBe(true);
  });
});

describe("with scripts", () => {
  test("a toss turns into its result by itself, and the browser checks it", async () => {
    const page = await browser.openPage();
    await page.clock.install({ time: (await browser.wharf.state()).now });
    await agree(page, "coin", "lunch");
    await page.locator("[data-left]", { hasText: "in " }).waitFor();
    expect(await page.locator("[data-outcome]").count()).toBe(0);
    await browser.wharf.clock.advance({ minutes: 5 });
    await page.clock.runFor("03:00");
    await page.locator("[data-outcome]").waitFor();
    const outcome = (await page.locator("[data-outcome]").textContent())!;
    expect(["Heads", "Tails"]).toContain(outcome);
    expect(await page.locator("#said").textContent()).toBe(`The result: ${outcome}`);
    await page.locator("#checked", { hasText: "This browser has just checked" }).waitFor();
    expect(await page.locator("#checked").textContent()).toContain(
      `the label. The result: ${outcome.toLowerCase()}.`,
    );
    expect(await page.locator(".checks").isVisible()).toBe(false);
    await page.getByText("The 8 steps of the check").click();
    expect(await page.locator(".is-holds:visible").count()).toBe(8);
  });

  test("a new value arrives by itself", async () => {
    const page = await browser.openPage();
    await page.clock.install({ time: (await browser.wharf.state()).now });
    await page.goto("/beacon");
    const address = () => page.locator("#now a").getAttribute("href");
    const before = await address();
    await browser.wharf.clock.advance({ minutes: 1 });
    await page.clock.runFor("01:30");
    await page.waitForFunction(
      (old) => document.querySelector("#now a")?.getAttribute("href") !== old,
      before,
    );
    expect(await address()).not.toBe(before);
  });

  test("a page that cannot be read says so, and tries again until it can", async () => {
    const page = await browser.openPage({ allow: [/status 503: \/beacon/] });
    await page.clock.install({ time: (await browser.wharf.state()).now });
    await page.goto("/beacon");
    const before = await page.locator("#now a").getAttribute("href");
    await browser.wharf.clock.advance({ minutes: 1 });
    await browser.wharf.faults.add({ route: "GET /beacon", status: 503, times: 1 });
    const left = page.locator("[data-left]");
    await page.clock.fastForward("01:02");
    await left.filter({ hasText: /^late: .* Trying again\.$/ }).waitFor();
    await page.clock.fastForward("00:05");
    await left.filter({ hasText: /^in / }).waitFor();
    expect(await page.locator("#now a").getAttribute("href")).not.toBe(before);
  });

  test.each([
    ["the seed", (body: Body) => (body.seed = flipped(body.seed)), /SHA-256 of the seed: they differ/],
    [
      "the path",
      (body: Body) => (body.proof.path[2] = flipped(body.proof.path[2]!)),
      /proof leads .*: they differ/,
    ],
    [
      "the statement",
      (body: Body) => (body.proof.statement = `${body.proof.statement.slice(0, -8)}AAAAAAAA`),
      /signed by the key: the statement's signature does not fit/,
    ],
    ["the draw", (body: Body) => (body.draw!.result = 7), /draw follows from the value: drawn again: [1-6]/],
  ])("a check line says what is wrong if %s is changed", async (_what, change, line) => {
    const page = await browser.openPage();
    await page.route("**/api/beacon/*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as Body;
      change(body);
      await route.fulfill({ response: answer, json: body });
    });
    const { last_revealed } = (await (await fetch(`${browser.wharf.url}/api/beacon`)).json()) as Overview;
    await page.goto(`/beacon/${last_revealed.round}?label=x&int=1..6`);
    await page.locator(".checks").waitFor();
    expect(await page.locator("#checked").textContent()).toContain("It does NOT hold");
    expect(await page.locator(".checks li:has(.is-wrong)").first().textContent()).toMatch(line);
  });

  test("a browser without Ed25519 says so, and checks the rest", async () => {
    const page = await browser.openPage();
    await page.addInitScript(() => {
      SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException("no", "NotSupportedError"));
    });
    const { last_revealed } = (await (await fetch(`${browser.wharf.url}/api/beacon`)).json()) as Overview;
    await page.goto(`/beacon/${last_revealed.round}`);
    await page.locator("#checked", { hasText: "(but not its signature)" }).waitFor();
    expect(await page.locator("li:has(.is-skipped)").textContent()).toContain("no Ed25519");
    expect(await page.locator(".is-holds").count()).toBe(4);
  });

  test("a page that is not at a secure address says that nothing is checked", async () => {
    const page = await browser.openPage();
    await page.addInitScript(() => Object.defineProperty(Crypto.prototype, "subtle", { value: undefined }));
    const { last_revealed } = (await (await fetch(`${browser.wharf.url}/api/beacon`)).json()) as Overview;
    await page.goto(`/beacon/${last_revealed.round}`);
    await page.locator("#checked", { hasText: "checks nothing here" }).waitFor();
  });
});

interface Body {
  seed: string;
  draw?: { result: number };
  proof: { path: string[]; statement: string };
}
interface Overview {
  last_revealed: { round: number };
}
const flipped = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
