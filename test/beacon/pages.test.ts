/** The pages of the beacon over HTTP: what they say before and after a round. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Die } from "../../views/beacon_parts.tsx";
import type { BeaconOverview, BeaconRound } from "../../src/beacon/schema.ts";
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
    .replace(/<\/?(?:b|bdi|span)\b[^>]*>/g, "")
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
    expect(textOf(body)).toContain(`The next value comes at ${now.ends.slice(11, 16)} UTC`);
    expect(textOf(body)).toContain("must not be used to make keys");
  });

  test.each([
    ["draw=coin&label=a+b", "?label=a%20b"],
    ["draw=coin&label=", "?label="],
    ["draw=die&label=x&items=ignored", "?label=x&int=1..6"],
    ["draw=pick&label=&items=one%0D%0A+two+%0D%0A%0D%0Athree,%26", "?pick=one,two,three,%26"],
    ["draw=shuffle&label=x&items=%3Cb%3E,%C3%BC", "?label=x&shuffle=%3Cb%3E,%C3%BC"],
    ["label=x", "?label=x"],
    ["label=", ""],
  ])("leads from the form %s to the address of the toss", async (query, address) => {
    const answer = await page(`/beacon?round=77&${query}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${service.url}/beacon/77${address}`);
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
    const path = `/beacon/${now.round + 2}${query}`;
    const before = await page(path);
    expect(before.status).toBe(200);
    expect(before.headers.get("cache-control")).toBe("no-store");
    expect(before.body).not.toContain("data-outcome");
    expect(before.body).not.toContain("<b>Bob");
    expect(before.body).toContain('name="robots" content="noindex"');
    const agreed = textOf(before.body);
    for (const part of ["one of “Ann”, “&lt;b&gt;Bob”", "lunch", "Send this link", "See the result"])
      expect(agreed).toContain(part);
    expect(agreed).not.toContain("has begun");
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
    expect(textOf((await page(`/beacon/${now.round}?label=x`)).body)).toContain("has begun already");
  });

  test("quotes a label for the shell", async () => {
    const { last_revealed } = await overview();
    const { body } = await page(`/beacon/${last_revealed!.round}?label=it's%20$(id)`);
    expect(body.replaceAll("&#x27;", "'")).toContain("--draw 'label=it'\\''s%20%24(id)'");
  });
});
