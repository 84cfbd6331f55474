/** What distinguishes the sessions of a name: the browser in a few words, the network of its address, and when it was seen last. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { shortNetwork } from "../../src/core/ip_address.ts";
import { browserOf } from "../../src/web/browser_text.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, type Browser } from "../support/sign_in.ts";
import { stored } from "../support/stored.ts";

/** Each User-Agent with its words. */
const known: [words: string | null, sent: string][] = [
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"],
  ["Firefox on Android", "Mozilla/5.0 (Android 15; Mobile; rv:146.0) Gecko/146.0 Firefox/146.0"],
  [
    "Firefox on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/146.0 Mobile/15E148 Safari/605.1.15",
  ],
  [
    "Chrome on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  ],
  [
    "Chrome on ChromeOS",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  ],
  [
    "Chrome on iPad",
    "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0.0.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Chrome on Linux",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/143.0.0.0 Safari/537.36",
  ],
  [
    "Edge on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0",
  ],
  [
    "Edge on Android",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36 EdgA/143.0.0.0",
  ],
  [
    "Opera on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 OPR/125.0.0.0",
  ],
  [
    "Samsung Internet on Android",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  ],
  [
    "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  ],
  ["Firefox", "Firefox/1.0 (a system of nobody)"],
  [null, "curl/8.17.0"],
  [null, "Mozilla/5.0 (Windows NT 10.0)"],
  [null, "<script>alert(1)</script>"],
  [null, `${"x".repeat(600)} Firefox/146.0`],
  [null, ""],
];

test.each(known)("%s: %s", (words, sent) => {
  expect(browserOf(new Headers(sent === "" ? {} : { "user-agent": sent }))).toBe(words);
});

test("the network of an address is its /24, or its /48", () => {
  const cases: [string, string | null][] = [
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["2001:db8:1:2::3", "2001:db8:1::/48"],
    ["unknown", null],
    ["", null],
  ];
  for (const [address, network] of cases)
    expect([address, shortNetwork(address)]).toEqual([address, network]);
});

const [firefox, chrome] = [known[0]![1], known[3]![1]];

describe("a session", () => {
  let service: SourceService;
  let url: string;
  let ada: Holder;
  beforeAll(async () => {
    service = await startSource({ trusted_proxies: ["127.0.0.1/32"] });
    url = service.url;
    ada = await claim(url, "Ada");
  });
  afterAll(() => service.stop());

  const from = (agent: string, address: string) => ({
    "user-agent": agent,
    "x-forwarded-for": `203.0.113.9, ${address}`,
  });
  const at = async (headers: Record<string, string>): Promise<Browser> => {
    const browser = newBrowser(url);
    await browser.post("/signin", { name: ada.name, key: ada.key }, headers);
    return browser;
  };
  /** The entries of the list of sessions, as text. */
  const entries = async (browser: Browser, headers: Record<string, string>): Promise<string[]> => {
    const { body } = await browser.get("/me", headers);
    const list = body.split("<h2>Sessions</h2>")[1]!.split("</ul>")[0]!;
    return Array.from(list.matchAll(/<li class="session">(.*?)<\/li>/gs), ([, entry]) =>
      entry!
        .replaceAll(/<form.*<\/form>|<[^>]*>/gs, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
  };

  test("shows its browser, the network behind the trusted proxy, and when it was seen last", async () => {
    const here = from(firefox, "192.0.2.77");
    const phone = await at(from(chrome, "2001:db8:1:2::3"));
    service.clock.advance(2 * 3600);
    const browser = await at(here);
    expect(await entries(browser, here)).toEqual([
      expect.stringMatching(
        /^Firefox on Linux This browser from 192\.0\.2\.0\/24 · signed in 1 Mar 2026, 14:00 UTC$/,
      ),
      expect.stringMatching(
        /^Chrome on Windows from 2001:db8:1::\/48 · signed in 1 Mar 2026, 12:00 UTC · last seen 1 Mar 2026, 12:00 UTC End$/,
      ),
    ]);
    // The network that is shown is that of the last use, exact to an hour.
    service.clock.advance(2 * 3600);
    await phone.get("/meet", from(chrome, "198.51.100.3"));
    const moved = (await entries(browser, here)).find((entry) => entry.startsWith("Chrome"));
    expect(moved).toContain(
      "from 198.51.100.0/24 · signed in 1 Mar 2026, 12:00 UTC · last seen 1 Mar 2026, 16:00 UTC",
    );
  });

  test("begins with them also by claiming a name, opening a room and showing a host key", async () => {
    const here = from(firefox, "192.0.2.77");
    const rows = () =>
      stored(service.directory, "SELECT browser, network FROM sessions ORDER BY id DESC LIMIT 1");
    const expected = [{ browser: "Firefox on Linux", network: "192.0.2.0/24" }];
    await newBrowser(url).post("/claim", { name: "Grace", once: "1" }, here);
    expect(await rows()).toEqual(expected);
    service.clock.advance(1);
    await newBrowser(url).post("/meet", { goal: "A goal", name: "Eve", once: "2" }, here);
    expect(await rows()).toEqual(expected);
    service.clock.advance(1);
    const room = await post<{ slug: string; host_key: string }>(`${url}/api/meet/rooms`, {
      goal: "B",
      name: "Eve",
    });
    const { slug, host_key } = room.body;
    await newBrowser(url).post(`/meet/r/${slug}/host`, { host_key }, from(chrome, "192.0.2.77"));
    expect(await rows()).toEqual([{ browser: "Chrome on Windows", network: "192.0.2.0/24" }]);
  });

  test("stores neither the User-Agent nor the address", async () => {
    await at({ "user-agent": `${firefox} canary`, "x-forwarded-for": "192.0.2.231" });
    const rows = JSON.stringify(await stored(service.directory, "SELECT * FROM sessions"));
    expect(rows).toContain("Firefox on Linux");
    for (const part of ["Gecko", "146.0", "canary", "192.0.2.231"]) expect(rows).not.toContain(part);
  });

  test("of before, without browser and network, is shown and gets them at its next use", async () => {
    const grace = await claim(url, "Hopper");
    const browser = newBrowser(url);
    await browser.post("/signin", { name: grace.name, key: grace.key }, from(firefox, "192.0.2.77"));
    await stored(service.directory, "UPDATE sessions SET browser = NULL, network = NULL");
    expect((await entries(browser, from(firefox, "192.0.2.77")))[0]).toStartWith(
      "A browser This browser signed in",
    );
    service.clock.advance(2 * 3600);
    expect((await entries(browser, from(firefox, "192.0.2.77")))[0]).toStartWith(
      "Firefox on Linux This browser from 192.0.2.0/24",
    );
  });
});
