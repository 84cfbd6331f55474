/**
 * Texts that try to run scripts, in every field and on every page. The content security policy is bypassed, so that escaping
 * alone has to hold; a sample runs under the policy, too. A dialog, an error, a request to another origin, and any element or
 * attribute that pages do not have otherwise, is a fault.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { asOwner } from "../../support/admin.ts";
import { get, post } from "../../support/http.ts";
import { claim } from "../../support/names.ts";
import { startSource } from "../../support/service.ts";
import { calling, startReceiver } from "../../support/webhook_receivers.ts";
import { attacks, packed, sampleOf } from "./support/attacks.ts";
import { useBrowser } from "./support/browser.ts";
import { outlineOf } from "./support/outline.ts";
import { signIn, visit, visited } from "./support/pages.ts";
import { makeWorld, world_options, type World } from "./support/world.ts";

const browser = useBrowser(world_options);
let world!: World;
/** What pages are made of: without the attacks, they have this and nothing else. The first are of posts that arrive later. */
const known = new Set(["li data-more", "li data-parent"]);

beforeAll(async () => {
  world = await makeWorld(browser.wharf);
});

const open = (bypassCSP = true) => browser.openPage({ context: { bypassCSP } });

async function expectHarmless(page: Page): Promise<void> {
  const { around, faults } = await outlineOf(page);
  const unknown = around.filter((part) => !known.has(part));
  expect({ at: page.url(), faults, unknown }).toEqual({ at: page.url(), faults: [], unknown: [] });
}

/** Goes to each path and looks for what the texts have become. */
async function expectAllHarmless(paths: string[], page?: Page): Promise<void> {
  const to = page ?? (await open());
  for (const path of paths) {
    await to.goto(path);
    await expectHarmless(to);
  }
}

/** Calls the API; returns its answer, or null if it refuses the texts, or what follows from refused ones. */
async function send<Answer>(method: string, path: string, body: object, key = ""): Promise<Answer | null> {
  const response = await fetch(`${browser.wharf.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  if (response.status === 422 || response.status === 409) return null;
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Answer;
}

interface Opened {
  slug: string;
}
const openRoom = (goal: string, name = "guest") => send<Opened>("POST", "/api/meet/rooms", { goal, name });

test("pages without attacks have no faults", async () => {
  for (const shown of visited) {
    const page = await open(false);
    await visit(page, shown, world);
    const { around, faults } = await outlineOf(page);
    expect(faults).toEqual([]);
    // What scripts add.
    await page.waitForTimeout(100);
    for (const part of [...around, ...(await outlineOf(page)).around]) known.add(part);
    await page.context().close();
  }
  expect(known.size).toBeGreaterThan(100);
});

describe("posts", () => {
  let slug = "";
  beforeAll(async () => {
    ({ slug } = (await openRoom("Everything"))!);
    const path = `/api/meet/rooms/${slug}/posts`;
    let refused = 0;
    for (const body of attacks) {
      const as_name = body.length <= 80 && (await send("POST", path, { name: body, body }));
      if (!as_name && !(await send("POST", path, { name: "x", body }))) refused++;
    }
    expect(refused).toBeLessThan(attacks.length / 50);
  }, 600_000);

  test("texts and names are harmless on all pages of a room", async () => {
    const page = await open();
    let seen = 0;
    for (let path: string | null = `/meet/r/${slug}`; path !== null;) {
      await page.goto(path);
      await expectHarmless(page);
      seen += await page.locator("li.post").count();
      const earlier = page.locator("a[rel=prev]").first();
      path = (await earlier.count()) > 0 ? await earlier.getAttribute("href") : null;
    }
    expect(seen).toBeGreaterThan(attacks.length * 0.97);
  }, 600_000);

  test("a sample is harmless under the policy, too, and breaks no rule of it", async () => {
    const numbers = sampleOf(attacks, 8).map((_, i) => 50 + i * Math.floor(attacks.length / 9));
    await expectAllHarmless(
      numbers.map((n) => `/meet/r/${slug}?before=${n}`),
      await open(false),
    );
  });

  test("texts are harmless as they arrive on an open page", async () => {
    const { slug: live } = (await openRoom("Live"))!;
    const page = await open();
    await page.goto(`/meet/r/${live}`);
    const texts = sampleOf(attacks, 60);
    for (const body of texts) {
      await send("POST", `/api/meet/rooms/${live}/posts`, { name: "guest", body });
    }
    // Posts below the window wait for a click; those that come while the page is short do not.
    await page.waitForFunction((count) => {
      for (const button of document.querySelectorAll("button"))
        if (/new posts?$/.test(button.textContent)) button.click();
      return document.querySelectorAll("li.post").length >= count;
    }, 50);
    await expectHarmless(page);
  });

  test("the forms to answer and to report a post quote it harmlessly", async () => {
    const numbers = sampleOf(attacks, 12).map((_, i) => 1 + i * 300);
    await expectAllHarmless(
      numbers.flatMap((n) => [`/meet/r/${slug}?reply=${n}`, `/meet/r/${slug}?report=${n}`]),
    );
  });
});

test("goals are harmless in lists, in searches and above rooms", async () => {
  const slugs: string[] = [];
  for (const goal of packed(attacks, 400)) {
    const opened = await openRoom(goal);
    if (opened) slugs.push(opened.slug);
  }
  expect(slugs.length).toBeGreaterThan(300);
  const page = await open();
  for (let path: string | null = "/meet"; path !== null;) {
    await page.goto(path);
    await expectHarmless(page);
    const next = page.locator("main a[href*='cursor=']").first();
    path = (await next.count()) > 0 ? await next.getAttribute("href") : null;
  }
  await expectAllHarmless(["/", "/meet?q=alert", "/meet?q=script&closed=1"], page);
  await expectAllHarmless(
    sampleOf(slugs, 40).map((slug) => `/meet/r/${slug}`),
    page,
  );
});

test("jobs are harmless on the board and on their pages: title, detail, result, reason", async () => {
  const titles = packed(attacks, 140);
  const details = packed(attacks, 4_000);
  const results = packed(attacks, 8_000);
  const reasons = packed(attacks, 1_000);
  const claim = async (name: string) => (await send<{ key: string }>("POST", "/api/name", { name }))!.key;
  const paths: string[] = [];
  for (const [i, detail] of details.entries()) {
    const title = titles[i * Math.floor(titles.length / details.length)]!;
    const [key, worker] = [await claim(`poster-${i}`), await claim(`worker-${i}`)];
    const job = await send<{ id: string }>("POST", "/api/jobs", { title, detail }, key);
    if (!job) continue;
    paths.push(`/jobs/${job.id}`);
    const at = `/api/jobs/${job.id}`;
    await send("POST", `${at}/claim`, {}, worker);
    await send("POST", `${at}/deliver`, { result: results[i % results.length]! }, worker);
    const reason = reasons[i % reasons.length]!;
    await send("POST", `${at}/review`, { verdict: i % 2 ? "accepted" : "disputed", reason }, key);
  }
  expect(paths.length).toBeGreaterThan(details.length / 2);
  await expectAllHarmless(["/jobs", "/jobs?state=delivered", "/jobs?q=alert", "/name/poster-1", ...paths]);
});

test("slots are harmless: names and values", async () => {
  const key = world.keys["tidekeeper"]!;
  const paths: string[] = [];
  const names = attacks.filter((text) => text.length <= 60 && /^[^/.%?#\\\s]+$/.test(text));
  for (const [i, value] of packed(attacks, 10_000).slice(0, 24).entries()) {
    const slot = names[i * Math.floor(names.length / 24)]!;
    const path = `/api/locker/${encodeURIComponent(slot)}`;
    const put = await send("PUT", path, { value, public: true }, key);
    if (put) paths.push(`/locker/tidekeeper/${encodeURIComponent(slot)}`);
    const plain = await send("PUT", `/api/locker/attack-${i}`, { value, public: true }, key);
    if (plain) paths.push(`/locker/tidekeeper/attack-${i}`);
  }
  expect(paths.length).toBeGreaterThan(20);
  await expectAllHarmless(["/locker", "/name/tidekeeper", ...paths]);
});

test("the pages of one's own locker are harmless: values, and forms that were refused", async () => {
  const key = world.keys["babbage"]!;
  const page = await open();
  await signIn(page, "babbage", key);
  for (const [i, value] of packed(attacks, 20_000).slice(0, 10).entries()) {
    await send("PUT", `/api/locker/own-${i}`, { value, public: i % 2 === 0 }, key);
    await page.goto(`/me/locker/own-${i}`);
    expect(await page.locator("[name=value]").inputValue()).toBe(value.replace(/\r\n?/g, "\n"));
    await expectHarmless(page);
    // Refused, because the slot is written meanwhile: the page shows both texts.
    await send("PUT", `/api/locker/own-${i}`, { value: `${value} again` }, key);
    await page.locator("form:has(textarea) button[type=submit]").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
  }
  for (const text of sampleOf(attacks, 6)) {
    await page.goto("/me/locker");
    await expectHarmless(page);
    await page.locator("[name=slot]").fill(`${text} `.replace(/\s/g, " "));
    await page.locator("[name=value]").fill(text);
    await page.locator("form:has(textarea) button[type=submit]").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
  }
});

const params = [
  ...["q", "cursor", "state", "tag", "sort", "closed", "before", "reply", "report", "next", "name", "since"],
  ...[
    "r",
    "label",
    "int",
    "pick",
    "n",
    "shuffle",
    "draw",
    "items",
    "heads",
    "tails",
    "round",
    "done",
    "limit",
    "via",
  ],
];

test("parameters of addresses are harmless on every page", async () => {
  const page = await open();
  for (const [i, { path }] of visited.entries()) {
    const [address = ""] = path(world).split("?");
    for (const text of sampleOf(attacks, 2 * visited.length).slice(2 * i, 2 * i + 2)) {
      const query = params.map((name) => `${name}=${encodeURIComponent(text)}`).join("&");
      await page.goto(`${address}?${query}`);
      await expectHarmless(page);
    }
  }
}, 600_000);

test("each parameter alone is harmless: searches, labels, draws, receipts", async () => {
  const round = Date.parse("2030-01-05T12:00:00Z") / 60_000;
  const ended = Date.parse("2030-01-01T07:58:00Z") / 60_000;
  const paths = sampleOf(packed(attacks, 60), 12).flatMap((text) => {
    const value = encodeURIComponent(text);
    return [
      ...[`/meet?q=${value}`, `/jobs?q=${value}`, `/jobs?tag=${value}`, `/receipt?r=${value}`],
      ...[`/beacon/${round}?label=${value}`, `/beacon/${round}?label=x&pick=${value},b`],
      `/beacon/${round}?label=x; heads: ${value}; tails: ${value}`,
      `/beacon/${ended}?label=x; heads: ${value}; tails: ${value}`,
      `/beacon?round=1&draw=coin&label=${value}&heads=${value}&tails=${value}`,
      ...[
        `/beacon/${round + 9_000}?label=${value}&pick=${value},b`,
        `/beacon?draw=pick&label=${value}&items=`,
      ],
      ...[`/name/${value}`, `/signin?next=${value}`, `/claim?name=${value}&next=${value}`],
    ];
  });
  await expectAllHarmless(paths);
});

test("parts of paths are harmless", async () => {
  const page = await open();
  for (const text of sampleOf(
    attacks.filter(({ length }) => length < 100),
    25,
  )) {
    for (const before of ["/meet/r/", "/name/", "/jobs/", "/problems/", "/api/docs/", "/locker/x/", "/"]) {
      const response = await page.goto(before + encodeURIComponent(text));
      if (response?.headers()["content-type"]?.startsWith("text/html")) await expectHarmless(page);
    }
  }
});

test("the page of a webhook is harmless: its address, and forms that were refused", async () => {
  const receiver = startReceiver();
  const service = await startSource({ ...calling, webhook_checks_per_hour_by_address: 1_000 });
  try {
    const { name, key } = await claim(service.url, "Ada");
    const page = await browser.openPage({ at: service.url, context: { bypassCSP: true } });
    await signIn(page, name, key);
    const set = async (address: string) => {
      await page.goto("/me/webhook");
      await page.evaluate((text) => {
        for (const folded of document.querySelectorAll("details")) folded.open = true;
        const field = document.querySelector<HTMLInputElement>("[name=url]")!;
        field.type = "text";
        field.value = text;
      }, address);
      await page.locator("form:has([name=url]) button[type=submit]").click();
      await page.locator(".fault, dd code").first().waitFor();
      return outlineOf(page);
    };
    const plain: Awaited<ReturnType<typeof set>>[] = [];
    for (const address of ["none", receiver.url, "none"]) plain.push(await set(address));
    const parts = new Set(plain.flatMap(({ around }) => around));
    for (const text of sampleOf(packed(attacks, 1_900), 12)) {
      // An address has neither spaces nor a fragment. A browser takes a slash for a space between attributes.
      const valid = `${receiver.url}?${text.replace(/[\s\\#\p{Cc}]/gu, "/")}`;
      for (const address of [valid, text]) {
        const { around, faults } = await set(address);
        const unknown = around.filter((part) => !parts.has(part));
        expect({ address, faults, unknown }).toEqual({ address, faults: [], unknown: [] });
      }
    }
    const shown = (await get<{ url: string }>(`${service.url}/api/mailbox/webhook`, { "x-wf-key": key }))
      .body;
    expect(shown.url.length).toBeGreaterThan(1_000);
  } finally {
    await service.stop();
    await receiver.stop();
  }
});

test("refused forms show what was entered harmlessly", async () => {
  const { slug } = world.rooms.empty;
  const long = packed(attacks, 4_500).filter(({ length }) => length > 4_100);
  const page = await open();
  for (const body of sampleOf(long, 6)) {
    await page.goto(`/meet/r/${slug}`);
    await page.locator("#speak [name=name]").evaluate((input) => input.removeAttribute("maxlength"));
    await page.locator("#speak [name=name]").fill(body.slice(0, 120).replace(/\s/g, " "));
    await page.locator("#speak [name=body]").evaluate((input) => input.removeAttribute("maxlength"));
    await page.locator("#speak [name=body]").fill(body);
    await page.locator("#speak button[type=submit]").first().click();
    await page.locator(".fault").first().waitFor();
    expect((await page.locator("#speak [name=body]").inputValue()).length).toBeGreaterThan(4_000);
    await expectHarmless(page);
    await page.goto("/meet");
    await page.locator("[name=goal]").evaluate((input) => input.removeAttribute("maxlength"));
    await page.locator("[name=goal]").fill(body.replace(/\n/g, " "));
    await page.locator("form:has([name=goal]) [name=name]").fill(body.slice(0, 60).replace(/\s/g, " "));
    await page.locator("form:has([name=goal]) button[type=submit]").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
    await page.goto("/claim");
    await page.locator("main [name=name]").fill(body.slice(0, 60).replace(/\s/g, " "));
    await page.locator("main form button[type=submit]").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
    await page.goto("/signin");
    await page.locator("main [name=name]").fill(body.slice(0, 80).replace(/\s/g, " "));
    await page.locator("main [name=key]").fill("wfk_wrong");
    await page.locator("main form:has([name=key]) button[type=submit]").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
  }
});

test("the form to offer a job shows what was entered harmlessly, and the page to sign in the title of a job", async () => {
  const page = await open();
  await signIn(page, "linnea", world.keys["linnea"]!);
  for (const text of sampleOf(packed(attacks, 4_500), 6)) {
    await page.goto("/jobs");
    await page.locator("#offer [name=title]").fill(text.replace(/\n/g, " "));
    await page.locator("#offer [name=detail]").fill(text);
    await page.locator("#offer [name=tags]").fill(text.slice(0, 100).replace(/\n/g, " "));
    await page.locator("#offer button.main").click();
    await page.locator(".fault").first().waitFor();
    await expectHarmless(page);
  }
  for (const title of sampleOf(packed(attacks, 140), 8)) {
    const job = await send<{ id: string }>("POST", "/api/jobs", { title, detail: "x" }, world.keys["linnea"]);
    if (job) await expectAllHarmless([`/signin?next=/me/jobs/${job.id}`]);
  }
});

/** Fills fields with texts, whatever their limits, sends the form, and looks at the page that refuses it. */
async function expectRefusedHarmlessly(
  page: Page,
  form: string,
  fields: Record<string, string>,
): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    const input = page.locator(`${form} [name=${name}]`);
    await input.evaluate((element) => element.removeAttribute("maxlength"));
    await input.fill(text);
  }
  await page.locator(`${form} button[type=submit]`).first().click();
  await page.locator(".fault").first().waitFor();
  for (const [name, text] of Object.entries(fields))
    expect(await page.locator(`${form} [name=${name}]`).inputValue()).toBe(text.replace(/\r\n?/g, "\n"));
  await expectHarmless(page);
}
const inLine = (text: string): string => text.replace(/\s/g, " ");
const longTexts = (chars_min: number, count: number): string[] =>
  sampleOf(
    packed(attacks, chars_min + 500).filter(({ length }) => length > chars_min + 100),
    count,
  );

test("the forms of jobs show what was entered harmlessly: deliveries and reviews, beside the texts of others", async () => {
  const claim = async (name: string) => (await send<{ key: string }>("POST", "/api/name", { name }))!.key;
  const [poster, worker] = [await claim("form-poster"), await claim("form-worker")];
  const [page, other] = [await open(), await open()];
  await signIn(page, "form-worker", worker);
  await signIn(other, "form-poster", poster);
  const [titles, details] = [packed(attacks, 140), packed(attacks, 4_000)];
  const [results, reasons] = [longTexts(8_000, 3), longTexts(1_000, 3)];
  let tried = 0;
  for (const i of [0, 1, 2]) {
    const texts = { title: titles[40 * i + 7]!, detail: details[9 * i + 2]! };
    const job = await send<{ id: string }>("POST", "/api/jobs", texts, poster);
    if (!job) continue;
    tried++;
    await send("POST", `/api/jobs/${job.id}/claim`, {}, worker);
    await page.goto(`/me/jobs/${job.id}`);
    await expectRefusedHarmlessly(page, "form[action$=deliver]", { result: results[i]! });
    for (const result of packed(attacks, 7_000).slice(3 * i))
      if (await send("POST", `/api/jobs/${job.id}/deliver`, { result }, worker)) break;
    await other.goto(`/me/jobs/${job.id}`);
    await expectRefusedHarmlessly(other, "form[action$=review]", { reason: reasons[i]! });
  }
  await expectAllHarmless(["/me/jobs", "/me/receipts", "/name/form-worker", "/name/form-poster"], page);
  await expectAllHarmless(["/me/jobs", "/me/mailbox", "/me/receipts"], other);
  expect(tried).toBeGreaterThan(0);
});

test("the form to close a room shows the last word and its name harmlessly", async () => {
  const page = await open();
  await page.goto("/meet");
  await page.locator("[name=goal]").fill("A room to close");
  await page.locator("form:has([name=goal]) [name=name]").fill("guest");
  await page.locator("form:has([name=goal]) button[type=submit]").click();
  await page.locator("code", { hasText: "wfh_" }).first().waitFor();
  const address = (await page.locator("main a[href*='/meet/r/']").first().getAttribute("href"))!;
  await page.goto(address);
  // No other page here is that of a host.
  for (const part of (await outlineOf(page)).around) known.add(part);
  for (const text of longTexts(4_000, 4)) {
    await page.goto(address);
    await page.locator("#close > summary").click();
    await expectRefusedHarmlessly(page, "#close form", { last_word: text, name: inLine(text).slice(0, 120) });
  }
});

test("the form of a toss, its options and its links are harmless", async () => {
  const page = await open();
  for (const [i, text] of longTexts(300, 6).entries()) {
    await page.goto("/beacon");
    const line = inLine(text);
    await page.locator("#agree [name=draw][value=pick]").check({ force: true });
    await page.locator("#agree [name=label]").evaluate((input) => input.removeAttribute("maxlength"));
    // Too long, and without a label: both are refused.
    await page.locator("#agree [name=label]").fill(i % 2 === 0 ? line : " ");
    await page.locator("#agree [name=items]").fill(line);
    await page.locator("#agree button[type=submit]").click();
    await page.waitForLoadState();
    await expectHarmless(page);
  }
  const round = Date.parse("2030-01-05T12:00:00Z") / 60_000;
  const texts = sampleOf(attacks, 30).map((text) => encodeURIComponent(text.slice(0, 90)));
  await expectAllHarmless(
    texts.flatMap((text, i) => [
      `/beacon/${round + 9_000 + i}?label=${text}`,
      `/beacon/${round - 1 - i}?label=${text}`,
      `/beacon/${round - 1 - i}?label=x&heads=${text}&tails=${text}`,
      `/beacon/${round + 9_000 + i}?label=x&pick=${text},${text}`,
    ]),
    page,
  );
});

test("reports and the forms of admins are harmless", async () => {
  const service = await startSource();
  try {
    const { body: made } = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
      label: "<img src=x onerror=alert(1)>",
      scope: "moderate",
    });
    const room = (await post<{ api: string }>(`${service.url}/api/meet/rooms`, { goal: "x", name: "guest" }))
      .body;
    for (const text of sampleOf(attacks, 60)) {
      const said = await post<{ id: string }>(`${room.api}/posts`, { name: "guest", body: text });
      if (said.status === 201) await post(`${room.api}/posts/${said.body.id}/report`, { reason: text });
    }
    const page = await browser.openPage({
      at: service.url,
      context: { bypassCSP: true, httpCredentials: { username: "grace", password: made.token } },
    });
    await page.goto("/admin");
    const outline = await outlineOf(page);
    expect(outline.faults).toEqual([]);
    expect(outline.around).not.toContain("img");
    const parts = outline.around.length;
    for (const text of sampleOf(attacks, 5)) {
      await page.locator("[name=target]").last().fill(text.replace(/\s/g, " "));
      await page.locator("[name=reason]").last().fill(text.replace(/\s/g, " "));
      await page.locator("form:has([name=target]) button").last().click();
      await page.locator(".fault").first().waitFor();
      const { around, faults } = await outlineOf(page);
      expect(faults).toEqual([]);
      expect(around.length).toBeLessThan(parts + 12);
    }
  } finally {
    await service.stop();
  }
});

test("goals and posts of private rooms are harmless on the pages of their members", async () => {
  const { key } = (await send<{ key: string }>("POST", "/api/name", { name: "form-member" }))!;
  const page = await open();
  await signIn(page, "form-member", key);
  let opened = 0;
  for (const goal of sampleOf(attacks, 30)) {
    const body = { goal, name: "form-member", visibility: "private" };
    const room = await send<Opened>("POST", "/api/meet/rooms", body, key);
    if (!room) continue;
    const said = { name: "form-member", body: goal };
    await send("POST", `/api/meet/rooms/${room.slug}/posts`, said, key);
    if (opened++ % 6 > 0) continue;
    const path = `/meet/r/${room.slug}`;
    await expectAllHarmless([path, `${path}?member=form-member`, `${path}/key`], page);
    await page.goto(path);
    await expectRefusedHarmlessly(page, "#invite", { name: inLine(goal) });
  }
  expect(opened).toBeGreaterThan(10);
  await expectAllHarmless(["/me", "/me/rooms", "/me/rooms?q=script"], page);
});
