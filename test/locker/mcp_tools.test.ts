/** The tools of lockers: storing a text, reading it, what others see of it, and the limits. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { treat_as } from "../../src/core/text_form.ts";
import { forgeries } from "../support/forgeries.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { quotesIn } from "../support/text_form.ts";
import { testCalls, type GoodCall, type RefusedCall } from "../support/tool_calls.ts";
import { callTool, codeOf } from "../support/tools.ts";
import { locker_limits } from "../../src/api/limits.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  await put({ slot: "plans/tea", value: "At *four*,\n```with``` milk." });
  await put({ slot: "motto", value: "Ask.", public: true });
});
afterAll(() => service.stop());

const tool = (name: string, args: object, who?: Holder) => callTool(url, name, args, who?.pair);
const put = (args: object, who = ada) => tool("locker_put", args, who);
const full = "x".repeat(locker_limits.slot_bytes_max);

const good_calls: GoodCall[] = [
  ["locker_put", () => [{ slot: "a", value: "" }, ada], null],
  ["locker_put", () => [{ slot: "a", value: "é", public: true, name: "ada", key: ada.key }], null],
  ["locker_put", () => [{ slot: "b", value: "x", expected_version: 0, expires_in: 60 }, ada], null],
  ["locker_put", () => [{ slot: "key", value: ada.key }, ada], null],
  ["locker_get", () => [{ slot: "plans/tea" }, ada], null],
  ["locker_get", () => [{ slot: "plans/tea", max_tokens: 1 }, ada], null],
  ["locker_get", () => [{ slot: "motto", owner: "ADA" }], null],
  ["locker_get", () => [{ slot: "motto", owner: "ADA", max_tokens: 1 }], null],
  ["locker_get", () => [{ slot: "motto", owner: null }, ada], null],
  ["locker_list", () => [{}, ada], null],
  ["locker_list", () => [{ key: bob.key }], null],
  ["locker_list", () => [{ of: "own", limit: 1 }, ada], null],
  ["locker_list", () => [{ of: "all" }], null],
  ["locker_list", () => [{ of: "all", limit: 1, cursor: null }], null],
  ["locker_delete", () => [{ slot: "a", expected_version: 2 }, ada], null],
  ["locker_delete", () => [{ slot: "key" }, ada], null],
];

const refused_calls: RefusedCall[] = [
  ["locker_put", "credential_required", () => [{ slot: "a", value: "" }], /Next: .*name_claim/],
  [
    "locker_put",
    "credential_required",
    () => [{ slot: "a", value: "", name: "Ada" }],
    /Next: .*your name's key/,
  ],
  ["locker_put", "unknown_credential", () => [{ slot: "a", value: "", name: "Ada", key: bob.key }], /Check/],
  ["locker_put", "invalid_fields", () => [{}, ada], /slot: is required; value: is required/],
  ["locker_put", "invalid_fields", () => [{ slot: "index", value: "" }, ada], /slot: is reserved/],
  ["locker_put", "invalid_fields", () => [{ slot: "-a", value: "" }, ada], /begins and ends with a letter/],
  [
    "locker_put",
    "invalid_fields",
    () => [{ slot: "a", value: "\0", expires_in: 0 }, ada],
    /value: .*expires_in:/,
  ],
  [
    "locker_put",
    "contains_key",
    () => [{ slot: "a", value: bob.key, public: true }, ada],
    /keep the value private/,
  ],
  ["locker_put", "contains_key", () => [{ slot: bob.key, value: "" }, ada], /Next: Take the key out/],
  [
    "locker_put",
    "slot_too_large",
    () => [{ slot: "a", value: `${full}x` }, ada],
    /at most 32768.*\nNext: Store less/,
  ],
  [
    "locker_put",
    "precondition_failed",
    () => [{ slot: "motto", value: "", expected_version: 0 }, ada],
    /Next: locker_get .*expected_version/,
  ],
  ["locker_get", "credential_required", () => [{ slot: "motto" }], /Next: .*name_claim/],
  ["locker_get", "slot_not_found", () => [{ slot: "motto" }, bob], /Next: locker_list/],
  [
    "locker_get",
    "slot_not_found",
    () => [{ slot: "plans/tea", owner: "Ada" }, bob],
    /locker_list {"of":"all"}/,
  ],
  ["locker_list", "credential_required", () => [{}], /Next: .*name_claim/],
  ["locker_delete", "credential_required", () => [{ slot: "motto" }], /Next: .*name_claim/],
  ["locker_delete", "slot_not_found", () => [{ slot: "motto" }, bob], /Next: locker_list/],
  ["locker_delete", "precondition_failed", () => [{ slot: "motto", expected_version: 9 }, ada], /locker_get/],
  ["locker_list", "credential_required", () => [{ of: "own" }], /Next: .*name_claim/],
  ["locker_list", "invalid_fields", () => [{ of: "Ada" }, ada], /of: must be "own" or "all"/],
  [
    "locker_list",
    "invalid_fields",
    () => [{ of: "all", limit: 101 }],
    /limit: must be a whole number from 1 to 100/,
  ],
  ["locker_list", "invalid_fields", () => [{ of: "all", cursor: "?" }], /cursor: /],
];

testCalls(() => service, /^locker_/, good_calls, refused_calls);

describe("a locker, from tool to tool", () => {
  test("quotes another name's value, and returns the caller's own in a block of its own, as written", async () => {
    for (const value of forgeries) {
      await put({ slot: "note", value, public: true });
      const own = await tool("locker_get", { slot: "note", key: ada.key });
      expect([own.structuredContent!.value, own.content[1]!.text]).toEqual([value, value]);
      expect(quotesIn(own.content[0]!.text)).toEqual([]);
      const others = await tool("locker_get", { slot: "note", owner: "Ada" });
      expect(others.structuredContent).toMatchObject({ value, treat_as });
      expect(others.content.map(({ text }) => quotesIn(text))).toEqual([[value]]);
    }
  });

  test("returns the size of a value instead of the value if it does not fit into max_tokens", async () => {
    await put({ slot: "note", value: "12345678", public: true });
    for (const args of [
      { slot: "note", key: ada.key },
      { slot: "note", owner: "Ada" },
    ]) {
      const fits = await tool("locker_get", { ...args, max_tokens: 2 });
      expect(fits.structuredContent).toMatchObject({ value: "12345678" });
      const { structuredContent, content } = await tool("locker_get", { ...args, max_tokens: 1 });
      expect(structuredContent).toMatchObject({ bytes: 8, more: 1 });
      expect(structuredContent).not.toHaveProperty("value");
      expect(content).toHaveLength(1);
    }
  });

  test("answers the same for another name's private slot and a missing one", async () => {
    const texts = ["plans/tea", "nothing"].map(async (slot) => {
      const { content } = await tool("locker_get", { slot, owner: "Ada" }, bob);
      return content[0]!.text;
    });
    const [hidden, missing] = await Promise.all(texts);
    expect(hidden).toBe(missing!);
  });

  test("refuses the second write over the same version", async () => {
    await put({ slot: "shared", value: "0" });
    const { version } = (await tool("locker_get", { slot: "shared" }, ada)).structuredContent as {
      version: number;
    };
    const both = await Promise.all(
      ["1", "2"].map((value) => put({ slot: "shared", value, expected_version: version })),
    );
    expect(new Set(both.map(codeOf))).toEqual(new Set([null, "precondition_failed"]));
  });

  test("names the next step if a limit of the locker is reached", async () => {
    const eve = await claim(url, "Eve");
    for (let i = 0; i < locker_limits.locker_bytes_max / locker_limits.slot_bytes_max; i++) {
      expect(codeOf(await put({ slot: `s${i}`, value: full }, eve))).toBeNull();
    }
    const over = await put({ slot: "more", value: "x" }, eve);
    expect([codeOf(over), over.content[0]!.text]).toEqual([
      "locker_full",
      expect.stringMatching(/locker_delete/),
    ]);
    for (let i = 0; i < locker_limits.slots_per_locker; i++) await put({ slot: `s${i}`, value: "" }, eve);
    const listed = (await tool("locker_list", {}, eve)).structuredContent as { slots: object[] };
    expect(listed.slots).toHaveLength(locker_limits.slots_per_locker);
    const none_left = await put({ slot: "more", value: "" }, eve);
    expect([codeOf(none_left), none_left.content[0]!.text]).toEqual([
      "locker_slots_full",
      expect.stringMatching(/Next: locker_list .* locker_delete/),
    ]);
  });

  test("does not return an expired slot", async () => {
    await put({ slot: "soon", value: "x", expires_in: 1 });
    service.clock.advance(1);
    expect(codeOf(await tool("locker_get", { slot: "soon" }, ada))).toBe("slot_not_found");
  });

  test("lists the caller's slots in pages by next_cursor", async () => {
    const dan = await claim(url, "Dan");
    for (const slot of ["c", "a", "b"]) await put({ slot, value: "" }, dan);
    const page = async (args: object) => {
      const { content, structuredContent } = await tool("locker_list", { limit: 2, ...args }, dan);
      const { slots, next_cursor } = structuredContent as { slots: { slot: string }[]; next_cursor?: string };
      if (next_cursor) expect(content[0]!.text).toContain(`next_cursor: ${next_cursor}`);
      return [slots.map(({ slot }) => slot), next_cursor];
    };
    const [first, cursor] = await page({});
    expect([first, await page({ cursor })]).toEqual([
      ["a", "b"],
      [["c"], undefined],
    ]);
  });

  test("reads the index to its end by next_cursor, without values", async () => {
    await put({ slot: "hidden", value: "what nobody sees" }, bob);
    const names: string[] = [];
    for (let cursor: string | null = null; ;) {
      const { content, structuredContent } = await tool("locker_list", { of: "all", limit: 1, cursor });
      expect(content[0]!.text).not.toContain("what nobody sees");
      const page = structuredContent as { lockers: { name: string }[]; next_cursor?: string };
      names.push(...page.lockers.map(({ name }) => name));
      if (page.next_cursor === undefined) break;
      expect(content[0]!.text).toContain(`next_cursor: ${page.next_cursor}`);
      cursor = page.next_cursor;
    }
    expect(names).toEqual(["Ada", "Bob", "Dan", "Eve"]);
  });
});

test("refuses a name argument if the key in the headers belongs to another name", async () => {
  const bearer = { authorization: `Bearer ${ada.key}` };
  for (const headers of [ada.pair, bearer]) {
    const called = (name: string, args: object) => callTool(url, name, args, headers);
    for (const args of [{ name: "Bob" }, { name: "Bob", key: ada.key }]) {
      expect(codeOf(await called("locker_put", { ...args, slot: "whose", value: "x" }))).toBe(
        "unknown_credential",
      );
      expect(codeOf(await called("mailbox_read", args))).toBe("unknown_credential");
    }
    for (const args of [{ name: "ADA" }, { name: "" }, { name: null }, { name: "Ada", key: ada.key }]) {
      expect((await called("locker_list", args)).structuredContent).toMatchObject({ name: "Ada" });
    }
  }
  expect(codeOf(await tool("locker_get", { slot: "whose" }, ada))).toBe("slot_not_found");
  expect(codeOf(await tool("locker_list", { name: "Bob" }))).toBe("credential_required");
});
