/** Every row and rule of docs/contract.md, section 6 over real HTTP, against the source and the compiled binary. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BeaconDay, BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { readKeys } from "../../src/verifier/jws.ts";
import { readStatement } from "../../src/verifier/statement.ts";
import { rootByPath, rootOverCommits } from "../../src/verifier/tree.ts";
import { get, post } from "../support/http.ts";
import { ways, type TestService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

const sha256 = (text: string) => Bun.SHA256.hash(text, "hex");
const hex64 = /^[0-9a-f]{64}$/;

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

describe.each(ways)("the beacon (%s)", (_way, start) => {
  let service: TestService;
  let api: string;
  let seen: BeaconOverview;
  /** The last round that has passed. */
  let past: number;
  beforeAll(async () => {
    service = await start();
    api = `${service.url}/api/beacon`;
    seen = (await get<BeaconOverview>(api)).body;
    past = seen.last_revealed!.round;
  });
  afterAll(() => service.stop());
  const round = (number: number, query = "") => get<BeaconRound>(`${api}/${number}${query}`);

  test("returns the current round, the last one, and the commitments of the current and the next 60 rounds", async () => {
    const { now, last_revealed, upcoming_commitments, days } = seen;
    expect(Date.parse(now.starts)).toBe(now.round * 60_000);
    expect(Date.parse(now.ends)).toBe(now.round * 60_000 + 60_000);
    expect(last_revealed!.round).toBe(now.round - 1);
    expect(sha256(last_revealed!.seed)).toBe(last_revealed!.commit);
    expect(last_revealed!.value.hex).toBe(sha256(`${last_revealed!.seed}:`));
    expect(upcoming_commitments.map(({ round }) => round)).toEqual(
      Array.from({ length: 61 }, (_, i) => now.round + i),
    );
    for (const { round, starts, commit } of upcoming_commitments) {
      expect(Date.parse(starts)).toBe(round * 60_000);
      expect(commit).toMatch(hex64);
    }
    const week_ahead = new Date(Date.parse(now.starts) + 8 * 86_400_000).toISOString().slice(0, 10);
    expect(days.last).toBe(week_ahead);
    expect(seen).toMatchObject({
      clock: "ok",
      round_seconds: 60,
      one_round: "/api/beacon/{round}",
      caveat: expect.stringContaining("not secret and must not be used to make keys"),
      how: expect.arrayContaining([expect.stringContaining("sha256sum")]),
    });
    expect(seen.test_mode).toBeUndefined();
    const { headers } = await get(api);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("returns the seed and value of a past round, cacheable permanently", async () => {
    const { status, headers, body } = await round(past);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("etag")).toMatch(/^"[\w-]{22}(?:-\w+)?"$/);
    expect(body).toMatchObject({ round: past, revealed: true, round_seconds: 60 });
    // A cache may store this answer for a year, so it contains no value that changes.
    expect(body).not.toHaveProperty("now_round");
    const twin = await (await fetch(`${api}/${past}.md`)).text();
    expect(twin).not.toContain("runs now");
    const { structuredContent } = await callTool(service.url, "beacon", { round: past });
    expect(structuredContent).not.toHaveProperty("now_round");
    expect(sha256(body.seed!)).toBe(body.commit);
    const hex = sha256(`${body.seed}:`);
    const float = Number.parseInt(hex.slice(0, 13), 16) / 2 ** 52;
    const coin = Number.parseInt(hex.slice(0, 2), 16) % 2 ? "heads" : "tails";
    expect(body.value).toEqual({ label: "", hex, float, coin });
    expect(body.caveat).toContain("must not be used to make keys");
    expect(body.clock).toBeUndefined();
    const again = await fetch(`${api}/${past}`, { headers: { "if-none-match": headers.get("etag")! } });
    expect(again.status).toBe(304);
    expect(again.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test("returns the commitment and proof of a coming round, without a seed and not cacheable", async () => {
    const { round: number, commit } = seen.upcoming_commitments[5]!;
    const { status, headers, body } = await round(number);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({ round: number, commit, revealed: false, seed: null, clock: "ok" });
    expect(body.value).toBeUndefined();
    expect(body.draw).toBeUndefined();
  });

  test("returns a proof from the commitment to the root that the day's statement signs", async () => {
    const keys = await readKeys(await (await fetch(`${service.url}/.well-known/jwks.json`)).text());
    for (const number of [past, seen.upcoming_commitments[60]!.round]) {
      const { commit, proof, starts } = (await round(number)).body;
      expect(await rootByPath(commit, proof.index, proof.rounds, proof.path)).toBe(proof.root);
      const statement = await readStatement(proof.statement, keys);
      expect(Object.keys(statement)).toEqual(["iss", "day", "first_round", "rounds", "root", "prev"]);
      expect(statement.iss).toBe(service.url);
      expect(statement).toMatchObject({ day: starts.slice(0, 10), rounds: 1440, root: proof.root });
      expect(statement.first_round + proof.index).toBe(number);
      expect(proof.precommitted).toBe(proof.published < `${proof.day}T00:00:00.000Z`);
    }
  });

  test("says of each day when its root was published, and calls the day precommitted only if that was before it began", async () => {
    const first = (await get<BeaconDay>(`${api}/days/${seen.days.first}`)).body;
    // In its first minute a day is the second one: the last round is of the day before.
    const second = (await get<BeaconDay>(`${api}/days/${nextDay(first.published.slice(0, 10))}`)).body;
    expect(first.published > `${first.day}T00:00:00.000Z`).toBe(true);
    expect([first.precommitted, second.precommitted]).toEqual([false, true]);
    const { proof } = (await round(second.first_round)).body;
    expect(proof).toMatchObject({ day: second.day, published: second.published, precommitted: true });
    const { how } = (await get<BeaconOverview>(api)).body;
    expect(how.join(" ")).not.toContain("7 days");
  });

  test("returns the commitments and root of a day, and a chain of signed statements a week ahead", async () => {
    const keys = await readKeys(await (await fetch(`${service.url}/.well-known/jwks.json`)).text());
    let prev: string | null = null;
    for (let at = Date.parse(seen.days.first); at <= Date.parse(seen.days.last); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10);
      const { status, headers, body } = await get<BeaconDay>(`${api}/days/${day}`);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(body).toMatchObject({ day, first_round: at / 60_000, rounds: 1440, prev });
      expect(body.commits).toHaveLength(1440);
      expect(await rootOverCommits(body.commits)).toBe(body.root);
      const { iss: _iss, ...statement } = await readStatement(body.statement, keys);
      expect(statement).toEqual({ day, first_round: at / 60_000, rounds: 1440, root: body.root, prev });
      prev = sha256(body.statement);
    }
  });

  test.each([
    ["?label=", ""],
    ["?label=lunch", "lunch"],
    ["?label=%C3%9Cber%20%F0%9F%8E%B2%0Aa%3Ab", "Über 🎲\na:b"],
    ["?label=a%2Bb", "a+b"],
  ])("accepts a label: %s", async (query, label) => {
    const { seed, value } = (await round(past, query)).body;
    expect(value).toMatchObject({ label, hex: sha256(`${seed}:${label}`) });
  });

  test("gives each label a draw of its own", async () => {
    const hexes = new Set<string>();
    for (let i = 0; i < 20; i++) hexes.add((await round(past, `?label=${i}`)).body.value!.hex);
    expect(hexes.size).toBe(20);
  });

  test("draws int, pick and shuffle with reproducible steps", async () => {
    const { value, draw } = (await round(past, "?label=die&int=-2..3")).body;
    const hash = sha256(`${value!.hex},1`);
    const taken = Number(BigInt(`0x${hash}`) % 6n);
    expect(draw).toEqual({
      kind: "int",
      from: -2,
      to: 3,
      result: taken - 2,
      steps: [{ i: 1, sha256: hash, of: 6, taken }],
    });
    const shuffled = (await round(past, "?shuffle=a,b,c,d,e")).body.draw!;
    expect((shuffled.result as string[]).toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect(shuffled.steps.map(({ of }) => of)).toEqual([5, 4, 3, 2]);
    for (const n of [1, 3, 5]) {
      const picked = (await round(past, `?pick=a,b,c,d,e&n=${n}`)).body.draw!;
      expect(picked.result).toEqual((shuffled.result as string[]).slice(0, n));
    }
    expect((await round(past, "?pick=a,b")).body.draw).toMatchObject({ kind: "pick", n: 1 });
  });

  test.each([
    "int=6..1",
    "int=1..",
    "int=1..1e9",
    "int=0..9999999999999999",
    "int=1..6&shuffle=a,b",
    "pick=a,b&n=3",
    "pick=a,b&n=0",
    "n=2",
    "pick=",
    "shuffle=a,,b",
    `shuffle=${"a,".repeat(1000)}a`,
    `label=${"x".repeat(201)}`,
    "label=%00",
  ])("answers 422 with the field to an invalid draw: %s", async (query) => {
    // Also for a round that has not ended: it is not waited for.
    for (const path of [`${past}?${query}`, `${past + 20}?${query}&wait_seconds=280`]) {
      const { status, body } = await get(`${api}/${path}`);
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: "invalid_fields", errors: [{ path: expect.any(String) }] });
    }
  });

  test("answers 425 with Retry-After to a draw before its seed and to an unpublished round or day", async () => {
    const soon = seen.upcoming_commitments[10]!.round;
    for (const path of [
      `${soon}?label=x`,
      `${soon}?int=1..6`,
      `${soon}?pick=a,b`,
      `${soon}?shuffle=a,b`,
      String(past + 10 * 1440),
      "999999999999999",
      "days/2999-12-31",
    ]) {
      const { status, headers, body } = await get(`${api}/${path}`);
      expect(status).toBe(425);
      expect(body).toMatchObject({ code: "not_yet", retryable: true });
      expect(headers.get("cache-control")).toBe("no-store");
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const wait = Number((await get(`${api}/${soon}?label=x`)).headers.get("retry-after"));
    expect(wait).toBeGreaterThan(9 * 60 - 60);
    expect(wait).toBeLessThanOrEqual(11 * 60 + 1);
  });

  test("answers 404 before the first day, and 422 to an invalid round or day", async () => {
    for (const path of ["0", "1", "days/1970-01-01"]) {
      expect(await get(`${api}/${path}`)).toMatchObject({ status: 404, body: { code: "round_not_found" } });
    }
    for (const path of ["x", "-1", "1.5", "1e3", "1".repeat(16), "days/2026-02-30", "days/x"]) {
      expect((await get(`${api}/${path}`)).status).toBe(422);
    }
  });

  test("serves the same on pages and as Markdown, with the note that nothing is secret", async () => {
    const lastRevealed = async () => (await get<BeaconOverview>(api)).body.last_revealed!;
    for (const [path, type] of [
      ["/beacon", "text/html; charset=utf-8"],
      [`/beacon/${past}`, "text/html; charset=utf-8"],
      ["/beacon.md", "text/markdown; charset=utf-8"],
      ["/api/beacon.md", "text/markdown; charset=utf-8"],
      [`/beacon/${past}.md`, "text/markdown; charset=utf-8"],
      [`/api/beacon/${past}.md`, "text/markdown; charset=utf-8"],
    ] as const) {
      const before = await lastRevealed();
      const response = await fetch(service.url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(type);
      const text = await response.text();
      expect(text).toContain("must not be used to make keys");
      expect(text).not.toMatch(/<script(?![^>]* src=)/);
      // The binary's clock is the system's: a round may end between two calls.
      const shown = path.includes(String(past)) ? [seen.last_revealed!] : [before, await lastRevealed()];
      expect(shown.some(({ commit }) => text.includes(commit))).toBe(true);
      if (!type.includes("html")) continue;
      expect(shown.some(({ seed }) => text.includes(`${seed} | sha256sum`))).toBe(true);
    }
    const markdown = await fetch(`${api}/${past}`, { headers: { accept: "text/markdown" } });
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const found = await fetch(`${service.url}/beacon?round=${past}&label=a%20b`, { redirect: "manual" });
    expect(found.headers.get("location")).toBe(`${service.url}/beacon/${past}?label=a%20b`);
  });

  test("escapes labels and items", async () => {
    const text = await (
      await fetch(`${service.url}/beacon/${past}?label=%3Cb%3Ex&shuffle=%3Ci%3E,%3Cu%3E`)
    ).text();
    expect(text).toContain("&lt;b&gt;x");
    expect(text).not.toContain("<b>x");
    expect(text).not.toContain("<u>");
  });

  test("accepts no writes, and answers 401 to a wrong credential", async () => {
    expect((await post(`${api}/${past}`, {})).status).toBe(405);
    expect((await get(api, { authorization: "Bearer nonsense" })).status).toBe(401);
    expect((await get(`${api}/${past}`, { authorization: "Bearer nonsense" })).status).toBe(401);
  });

  test("marks every answer as a test with rounds of 10 seconds", async () => {
    const quick = await start({ round_seconds: 10 });
    const overview = (await get<BeaconOverview>(`${quick.url}/api/beacon`)).body;
    const number = overview.last_revealed!.round;
    const day = overview.now.starts.slice(0, 10);
    for (const path of ["", `/${number}`, `/days/${day}`]) {
      const { body } = await get(`${quick.url}/api/beacon${path}`);
      expect(body).toMatchObject({
        round_seconds: 10,
        test_mode: expect.stringContaining("trying things out"),
      });
    }
    for (const path of ["/beacon", "/beacon.md", `/beacon/${number}`, `/beacon/${number}.md`]) {
      expect(await (await fetch(quick.url + path)).text()).toContain("trying things out");
    }
    await quick.stop();
  });
});
