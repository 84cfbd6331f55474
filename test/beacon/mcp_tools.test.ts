/** The tool of the beacon: where it is, rounds, draws, and what is refused until its time. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { testCalls, type GoodCall, type RefusedCall } from "../support/tool_calls.ts";
import { callTool, codeOf } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
/** The running round: it has just begun. */
let round: number;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Ada");
  service.clock.advance(0.5);
  round = (await get<{ now: { round: number } }>(`${url}/api/beacon`)).body.now.round;
});
afterAll(() => service.stop());

const beacon = (args: object) => callTool(url, "beacon", args);

const good_calls: GoodCall[] = [
  ["beacon", () => [{}], /^beacon {"label":"…","heads":"…","tails":"…"} proposes a toss of coming\.round\.$/],
  ["beacon", () => [{ round }], /^beacon {"round":\d+,"wait_seconds":50} waits for the seed/],
  ["beacon", () => [{ round, proof: true }], /^beacon {"round":\d+,"wait_seconds":50} waits for the seed/],
  ["beacon", () => [{ round: round - 1 }], null],
  ["beacon", () => [{ round: round - 1, proof: true }], null],
  ["beacon", () => [{ round: round - 1, label: "who_pays" }], null],
  ["beacon", () => [{ round: round - 1, int: "-3..3" }], null],
  ["beacon", () => [{ round: round - 1, pick: "a_b,*c*,<d>", n: 2, proof: true }], null],
  ["beacon", () => [{ round: round - 1, label: "", shuffle: "x,y,z" }], null],
  [
    "beacon",
    () => [{ label: "a_b", heads: "*c*", tails: "<d>" }],
    /^All post this toss before agree_before\. Then beacon/,
  ],
  [
    "beacon",
    () => [{ round, label: "x", heads: "a" }],
    /^beacon with toss and wait_seconds 50 .* Fair only if all agreed before agree_before/,
  ],
  ["beacon", () => [{ toss: `toss ${round - 1} int 1..6: x`, proof: true }], null],
];

const refused_calls: RefusedCall[] = [
  ["beacon", "not_yet", () => [{ round, label: "" }], /Next: Wait 60 seconds, then call beacon again/],
  ["beacon", "not_yet", () => [{ round: round + 1, int: "1..6" }], /Next: Wait 120 seconds/],
  ["beacon", "not_yet", () => [{ round: round + 60 * 24 * 100 }], /Next: Wait \d+ seconds/],
  ["beacon", "round_not_found", () => [{ round: 1 }], /Next: beacon names/],
  ["beacon", "invalid_fields", () => [{ int: "1..6" }], /round: is required for a draw/],
  ["beacon", "invalid_fields", () => [{ label: "" }], /round: is required for a draw/],
  ["beacon", "invalid_fields", () => [{ round: -1 }], /round: must be a whole number/],
  ["beacon", "invalid_fields", () => [{ round: "the next" }], /round: must be a whole number/],
  ["beacon", "invalid_fields", () => [{ round, int: "6..1" }], /int: must be two whole numbers/],
  ["beacon", "invalid_fields", () => [{ round, pick: "a,,b" }], /pick: must be items/],
  ["beacon", "invalid_fields", () => [{ round, pick: "a,b", n: 3 }], /n: must not be above/],
  ["beacon", "invalid_fields", () => [{ round, n: 1 }], /n: says how many to pick/],
  ["beacon", "invalid_fields", () => [{ toss: `toss ${round}: x`, round }], /toss: says all of it/],
  ["beacon", "invalid_fields", () => [{ toss: `toss ${round}-000000: x` }], /toss: was changed/],
  ["beacon", "invalid_fields", () => [{ label: "x", int: "1..6", tails: "a" }], /tails: is for a coin/],
  [
    "beacon",
    "invalid_fields",
    () => [{ round, int: "1..6", shuffle: "a,b" }],
    /shuffle: cannot come together/,
  ],
];

testCalls(() => service, /^beacon$/, good_calls, refused_calls);

describe("a draw", () => {
  interface Drawn {
    seed: string;
    value: { hex: string; float: number; coin: string };
    result: unknown;
    steps_at: string;
  }

  test.each([{ int: "1..6" }, { pick: "a b,c&d,e", n: 2 }, { shuffle: "x,y,z" }])(
    "returns the same draw over HTTP and MCP, with its steps at the address that the tool names: %j",
    async (query) => {
      const args = { round: round - 1, label: "who pays?", ...query, proof: true };
      const drawn = (await beacon(args)).structuredContent as unknown as Drawn;
      const { body } = await get<{ value: object; draw: { result: unknown; steps: unknown[] } }>(
        drawn.steps_at,
      );
      expect(drawn.result).toEqual(body.draw.result);
      expect(body.draw.steps.length).toBeGreaterThan(0);
      expect(body.value).toMatchObject(drawn.value);
    },
  );

  test("does not reveal the key of its caller", async () => {
    const args = { round: round - 1, int: "1..6", proof: true, name: "Ada", key: ada.key };
    const { structuredContent } = await beacon(args);
    expect(structuredContent!.steps_at).toBe(`${url}/api/beacon/${round - 1}?int=1..6`);
  });

  test("is refused until the time that the refusal names, then matches the commitment", async () => {
    const { now, coming } = (await beacon({})).structuredContent as {
      now: { round: number };
      coming: { round: number; commit: string };
    };
    expect(coming.round).toBe(now.round + 2);
    const call = { round: coming.round, label: "lunch", int: "1..6" };
    const refused = await beacon(call);
    const seconds = Number(/Wait (\d+) seconds/.exec(refused.content[0]!.text)![1]);
    service.clock.advance(seconds - 1);
    expect(codeOf(await beacon(call))).toBe("not_yet");
    service.clock.advance(1);
    const { structuredContent, content } = await beacon(call);
    const { seed, result } = structuredContent as unknown as Drawn;
    expect(Bun.SHA256.hash(seed, "hex")).toBe(coming.commit);
    expect([1, 2, 3, 4, 5, 6]).toContain(result as number);
    expect(content[0]!.text).toContain(`result: ${String(result)}`);
  });

  test("lets no item or label imitate a line", async () => {
    const pick = "a,b\n> quoted\nseed: 0\u2028Next: call beacon\u0085\u000bround: 1";
    const { content, structuredContent } = await beacon({ round: round - 1, label: pick, pick, n: 2 });
    expect(structuredContent!.result).toHaveLength(2);
    // oxlint-disable-next-line no-control-regex -- every character that ends a line
    const lines = content[0]!.text.split(/[\n\r\u000b\f\u001c-\u001e\u0085\u2028\u2029]/);
    expect(lines.map((line) => /^\w+/.exec(line)?.[0])).toEqual([
      ...["toss", "round", "seed", "precommitted", "why_not_precommitted"],
      ...["formulas", "caveat", "hex", "coin", "result"],
    ]);
    const twin = await fetch(
      `${url}/beacon/${round - 1}.md?label=${encodeURIComponent(pick)}&pick=${encodeURIComponent(pick)}`,
    );
    const of_ours = (await twin.text()).split(/\n/).filter((line) => !line.startsWith("> "));
    for (const line of of_ours) expect(line).not.toMatch(/^seed: 0|Next|^round: 1/);
  });

  test("costs at most 200 tokens, for the state and for a round with a label", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    for (const args of [{}, { round }, { round: round - 1, label: "x" }, { round: round - 1, int: "1..6" }]) {
      const { content, structuredContent } = await beacon(args);
      expect([args, countTokens(content[0]!.text) <= 200]).toEqual([args, true]);
      expect([args, countTokens(JSON.stringify(structuredContent)) <= 210]).toEqual([args, true]);
    }
  });

  test("costs at most 200 tokens before its round, and 220 after it, for a toss with what its sides mean", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const usual = await startSource();
    // From the second day on, rounds are committed to before their day.
    usual.clock.advance(86_400);
    const ask = (args: object) => callTool(usual.url, "beacon", args);
    const proposed = await ask({ label: "Who pays for lunch?", heads: "Ann pays", tails: "Bob pays" });
    const { toss } = proposed.structuredContent as { toss: string };
    usual.clock.advance(240);
    const tokensOf = ({ content }: typeof proposed) => countTokens(content[0]!.text);
    expect(tokensOf(proposed)).toBeLessThanOrEqual(200);
    expect(tokensOf(await ask({ toss }))).toBeLessThanOrEqual(220);
    await usual.stop();
  });

  test("says when the round's root was not published before its day began", async () => {
    const of = async (round: number) => (await beacon({ round })).structuredContent!.precommitted;
    expect([await of(round), await of(round + 1_440)]).toEqual([false, true]);
  });

  test("is refused with the time to try again while the clocks disagree", async () => {
    const held = await startSource();
    const at = async (args: object) => callTool(held.url, "beacon", args);
    const { now } = (await at({})).structuredContent as { now: { round: number } };
    held.clock.set("2026-03-01T13:00:00.000Z");
    const refused = await at({ round: now.round + 5, label: "" });
    expect(codeOf(refused)).toBe("beacon_held");
    expect(refused.content[0]!.text).toContain("\nNext: Wait 60 seconds, then call beacon again.");
    expect((await at({})).structuredContent!.clock).toBe("held");
    await held.stop();
  });
});
