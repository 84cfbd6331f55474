/** The pages of the beacon over HTTP: what they say before and after a round. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Die } from "../../views/beacon_parts.tsx";
import type { BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { get, send } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

const overview = async () => (await get<BeaconOverview>(`${service.url}/api/beacon`)).body;
const page = (path: string) => send("GET", service.url + path, { accept: "text/html" });
/** The text of a page without its tags. */
const textOf = (html: string) =>
  html
    .replace(/<\/?(?:b|bdi|span|time)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("the page of the beacon", () => {
  test("shows the last value as a coin and a die, and when the next one comes", async () => {
    const { last_revealed, now } = await overview();
    const { status, headers, body } = await page("/beacon");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const { draw } = (
      await get<BeaconRound>(`${service.url}/api/beacon/${last_revealed!.round}?label=&int=1..6`)
    ).body;
    expect(body).toContain(`aria-label="${last_revealed!.value.coin}"`);
    expect(body).toContain(`aria-label="${String(draw!.result)}"`);
    expect(textOf(body)).toContain(`The next one comes at ${now.ends.slice(11, 16)} UTC`);
    expect(textOf(body)).toContain("must not be used to make keys");
  });

  test.each([
    ["draw=coin&label=a+b", "?label=a%20b"],
    [
      "draw=coin&label=Lunch&heads=Ann+pays&tails=Bob",
      "?label=Lunch%3B%20heads%3A%20Ann%20pays%3B%20tails%3A%20Bob",
    ],
    ["draw=coin&label=&heads=Ann", "?label=heads%3A%20Ann"],
    ["draw=die&label=x&heads=ignored", "?label=x&int=1..6"],
    ["draw=die&label=x&items=ignored", "?label=x&int=1..6"],
    ["draw=pick&label=x&items=one%0D%0A+two+%0D%0A%0D%0Athree,%26", "?label=x&pick=one,two,three,%26"],
    ["draw=shuffle&label=x&items=%3Cb%3E,%C3%BC", "?label=x&shuffle=%3Cb%3E,%C3%BC"],
    ["label=x", "?label=x"],
    ["label=", ""],
  ])("leads from the form %s to the address of the toss", async (query, address) => {
    const round = (await overview()).now.round + 1;
    const answer = await page(`/beacon?round=${round}&${query}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${service.url}/beacon/${round}${address}`);
  });

  test.each(["coin", "die", "pick&items=a,b", "shuffle&items=a,b"])(
    "refuses a toss without a label (%s), because all share the public one, and proposes a label",
    async (draw) => {
      const round = (await overview()).now.round + 1;
      const { status, body } = await page(`/beacon?round=${round}&draw=${draw}&label=+&heads=+`);
      expect(status).toBe(422);
      expect(textOf(body)).toContain("This would be the public toss, which everybody shares.");
      expect(body).toMatch(/name="label"[^>]* value="Our toss of [^"]+ UTC"/);
    },
  );

  test.each([0, -1])("refuses a toss of a round that has begun (%d from now)", async (ahead) => {
    const round = (await overview()).now.round + ahead;
    const { status, body } = await page(`/beacon?round=${round}&draw=coin&label=x&heads=Ann`);
    expect(status).toBe(422);
    expect(body).toContain('id="round-fault"');
    expect(textOf(body)).toContain("too late to agree on that round");
    // The list does not offer that round any more: the form says what it has chosen in its place.
    expect(textOf(body)).toContain("Make the link again: it is for the next round.");
    expect(body).toContain('value="Ann"');
  });

  test("takes the next round that leaves half a minute to agree on it, however long the form was open", async () => {
    const { now, round_seconds } = await overview();
    const answer = await page("/beacon?round=next&draw=coin&label=x");
    expect(answer.status).toBe(303);
    const chosen = Number(/\/beacon\/(\d+)\?label=x$/.exec(answer.headers.get("location") ?? "")?.[1]);
    const left_ms = chosen * round_seconds * 1000 - service.clock.now();
    expect(left_ms).toBeGreaterThanOrEqual(30_000);
    expect(left_ms).toBeLessThan(30_000 + round_seconds * 1000);
    expect(chosen).toBeGreaterThan(now.round);
  });

  test("refuses a label that is too long with its meanings, and finds any round without a draw", async () => {
    const { now } = await overview();
    const long = await page(`/beacon?round=${now.round + 1}&draw=coin&label=${"x".repeat(190)}&heads=Ann`);
    expect(long.status).toBe(422);
    expect(textOf(long.body)).toContain("has 202 characters with what the sides mean; at most 200 fit");
    expect((await page(`/beacon?round=999999999999999&draw=coin&label=`)).status).toBe(422);
    expect((await page(`/beacon?round=${now.round - 1}&label=`)).status).toBe(303);
  });

  test("refuses a draw from no options beside the field, and shows what was entered", async () => {
    const { status, body } = await page("/beacon?round=77&draw=pick&label=%3Cb%3E&items=%20");
    expect(status).toBe(422);
    expect(body).toContain('id="items-fault"');
    expect(body).toContain('value="&lt;b>"');
    expect(body).toMatch(/value="pick" checked/);
  });
});

test.each([1, 2, 3, 4, 5, 6])("a die with %d pips looks the same upside down", async (number) => {
  const svg = (await Die({ number })) as string;
  const pips = Array.from(svg.matchAll(/cx="(\d+)" cy="(\d+)"/g), ([, x, y]) => `${x},${y}`);
  expect(pips).toHaveLength(number);
  const turned = pips.map((pip) =>
    pip
      .split(",")
      .map((at) => 100 - Number(at))
      .join(","),
  );
  expect(turned.sort()).toEqual(pips.sort());
});

describe("the page of a toss", () => {
  const query = "?label=lunch&pick=Ann,%3Cb%3EBob";

  test("says before the round what is agreed, and after it what was drawn", async () => {
    const { now } = await overview();
    const at = (rounds: number) =>
      new Date(Date.parse(now.starts) + rounds * 60_000).toISOString().slice(11, 16);
    const path = `/beacon/${now.round + 2}${query}`;
    const before = await page(path);
    expect(before.status).toBe(200);
    expect(before.headers.get("cache-control")).toBe("no-store");
    expect(before.body).not.toContain("data-outcome");
    expect(before.body).not.toContain("<b>Bob");
    expect(before.body).toContain('name="robots" content="noindex"');
    const agreed = textOf(before.body);
    for (const part of [
      "one of “Ann”, “&lt;b&gt;Bob”",
      "lunch",
      "Send this to the other one",
      "See the result",
    ])
      expect(agreed).toContain(part);
    expect(agreed).toContain(`Agree before ${at(2)} UTC`);
    expect(agreed).toContain(`The result comes at ${at(3)} UTC`);
    expect(agreed).not.toContain("too late");
    // The API and the Markdown form still answer that it is too early.
    expect((await get(`${service.url}/api${path}`)).status).toBe(425);
    expect((await send("GET", `${service.url}/beacon/${now.round + 2}.md${query}`)).status).toBe(425);

    service.clock.advance(3 * 60_000);
    const { draw, commit, seed } = (await get<BeaconRound>(`${service.url}/api${path}`)).body;
    const after = (await page(path)).body;
    const outcome = /data-outcome>(.*?)<\/ol>/s.exec(after)![1]!;
    expect(textOf(outcome).trim()).toBe((draw!.result as string[])[0]!.replace("<b>", "&lt;b&gt;"));
    for (const part of [commit, seed!, "wharf beacon verify"]) expect(after).toContain(part);
  });

  test("warns of a round that has begun", async () => {
    const { now } = await overview();
    const text = textOf((await page(`/beacon/${now.round}?label=x`)).body);
    expect(text).toContain("Now it is too late to copy it");
    for (const advice of ["Keep it", "add a few words"]) expect(text).not.toContain(advice);
    expect(text).toContain(`Began at ${now.starts.slice(11, 16)} UTC: too late to agree on it.`);
    expect(text).toContain(`agreed before, the result comes at ${now.ends.slice(11, 16)} UTC`);
    expect(text).not.toContain("Send this to the other one");
  });

  test("shows what the sides mean, harmlessly, and which of them it is", async () => {
    const { last_revealed, now } = await overview();
    const label = "<b>x</b>; heads: <i>Ann</i>\u202e; tails: <u>Bob</u>";
    const query = `?label=${encodeURIComponent(label)}`;
    for (const round of [last_revealed!.round, now.round + 1]) {
      const { body } = await page(`/beacon/${round}${query}`);
      expect(body).not.toMatch(/<(?:b|i|u)>(?:x|Ann|Bob)/);
      expect(textOf(body)).toContain(
        "; heads: &lt;i&gt;Ann&lt;/i&gt;[U+202E]; tails: &lt;u&gt;Bob&lt;/u&gt;”",
      );
      const sides = textOf(body).includes(
        "Heads &lt;i&gt;Ann&lt;/i&gt;[U+202E] Tails &lt;u&gt;Bob&lt;/u&gt;",
      );
      expect(sides).toBe(round > now.round);
    }
    const { coin } = (await get<BeaconRound>(`${service.url}/api/beacon/${last_revealed!.round}${query}`))
      .body.value!;
    const meaning = /class="meaning" data-outcome>(.*?)<\/bdi>/.exec(
      (await page(`/beacon/${last_revealed!.round}${query}`)).body,
    )![1]!;
    expect(meaning).toContain(coin === "heads" ? "Ann" : "Bob");
  });

  test("says why to believe it, how to keep the fingerprint, and what the operator knows", async () => {
    const { now } = await overview();
    const text = textOf((await page(`/beacon/${now.round + 1}`)).body);
    expect(text).toContain("was fixed before this round began: on ");
    for (const part of [
      "signed list",
      "Keep it",
      "The operator of this service knows every result in advance",
    ])
      expect(text).toContain(part);
  });

  test("warns of a round that began before the beacon", async () => {
    const own = await startSource();
    try {
      const round = (await get<BeaconOverview>(`${own.url}/api/beacon`)).body.last_revealed!.round;
      const text = textOf((await send("GET", `${own.url}/beacon/${round}`, { accept: "text/html" })).body);
      expect(text).toContain("was fixed after this round began: on ");
      expect(text).toContain("Believe this result only if you trust the operator.");
      expect(text).toContain("Can you believe it?");
      for (const wrong of ["Why you can believe it", "If you kept it"]) expect(text).not.toContain(wrong);
    } finally {
      await own.stop();
    }
  });

  test.each(["shuffle=Ann,Bob", "pick=Ann,Bob", "int=1..100"])(
    "shows no coin before a draw that is no coin (%s), and says what is drawn",
    async (draw) => {
      const { last_revealed, now } = await overview();
      const before = (await page(`/beacon/${now.round + 1}?label=x&${draw}`)).body;
      const after = (await page(`/beacon/${last_revealed!.round}?label=x&${draw}`)).body;
      for (const body of [before, after]) {
        expect(body).not.toContain('class="coin"');
        expect(textOf(body)).toMatch(/What is drawn: (?:the order|one of|a whole number)/);
      }
    },
  );

  test("says for each toss how many steps are shown by hand, and whether there is a label", async () => {
    const round = (await overview()).last_revealed!.round;
    const labelled = textOf((await page(`/beacon/${round}?label=lunch`)).body);
    expect(labelled).toContain("One of the steps by hand, for the fingerprint:");
    expect(labelled).toContain("follows from the number and the label.");
    const plain = textOf((await page(`/beacon/${round}?int=1..6`)).body);
    expect(plain).toContain("Two of the steps by hand, for the fingerprint and the value:");
    expect(plain).toContain("follows from the number.");
  });

  test("isolates the meaning of a side in the label and in the line, as it is on the coin", async () => {
    const round = (await overview()).now.round + 1;
    const label = "Who pays; heads: Ann; tails: أحمد and Bob";
    const { body } = await page(`/beacon/${round}?label=${encodeURIComponent(label)}`);
    expect(body).toContain('<dd dir="auto">أحمد and Bob</dd>');
    expect(body.split("<bdi>أحمد and Bob</bdi>")).toHaveLength(3);
    expect(textOf(body)).toContain(label);
  });

  test("quotes a label for the shell", async () => {
    const { last_revealed } = await overview();
    const { body } = await page(`/beacon/${last_revealed!.round}?label=it's%20$(id)`);
    expect(body.replaceAll("&#x27;", "'")).toContain("--draw 'label=it'\\''s%20%24(id)'");
  });
});
