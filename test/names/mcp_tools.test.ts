/** The tools of names and receipts: claiming a name, looking one up, checking a receipt. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { testCalls, type GoodCall, type RefusedCall } from "../support/tool_calls.ts";
import { callTool, codeOf } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
let receipt: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  const claimed = await tool("name_claim", { name: "Carol", receipt: true });
  receipt = claimed.structuredContent!.receipt as string;
});
afterAll(() => service.stop());

const tool = (name: string, args: object) => callTool(url, name, args);
const retyped = (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");

const good_calls: GoodCall[] = [
  ["name_claim", () => [{ name: "Grace Hopper" }], null],
  ["name_claim", () => [{ name: "d-e.f_9", key: ada.key, receipt: true }], null],
  ["name_recover", () => [{ name: "BOB", recovery_code: bob.recovery_code }], null],
  ["name_lookup", () => [{ name: "ADA" }], null],
  ["name_lookup", () => [{ name: "bob", key: ada.key }], null],
  ["receipt_verify", () => [{ receipt }], null],
  ["receipt_verify", () => [{ receipt: `${receipt}A` }], null],
  ["receipt_verify", () => [{ receipt: receipt.replace(/^\w+/, foreign_header) }], null],
];
const foreign_header = Buffer.from('{"alg":"EdDSA","typ":"receipt+jwt","kid":"x"}').toString("base64url");

const refused_calls: RefusedCall[] = [
  ["name_claim", "invalid_fields", () => [{}], /name: is required\nNext: Correct what is named/],
  ["name_claim", "invalid_fields", () => [{ name: "-a" }], /name: may hold letters/],
  ["name_claim", "invalid_fields", () => [{ name: "x".repeat(65) }], /65 characters long; at most 64 fit/],
  [
    "name_claim",
    "name_reserved",
    () => [{ name: "Admin" }],
    /has a reserved word.*\nNext: Claim another\. .*whoami/,
  ],
  ["name_claim", "name_taken", () => [{ name: "ada" }], /Next: Claim another/],
  ["name_claim", "contains_key", () => [{ name: bob.key }], /Next: Take the key out/],
  ["name_claim", "unknown_credential", () => [{ name: "Dora", key: retyped(bob.key) }], /checksum/],
  ["name_recover", "invalid_fields", () => [{ name: "Ada" }], /recovery_code: is required/],
  [
    "name_recover",
    "wrong_recovery_code",
    () => [{ name: "Bob", recovery_code: ada.recovery_code }],
    /Next: Check the name and the code/,
  ],
  ["name_recover", "contains_key", () => [{ name: ada.key, recovery_code: "x" }], /Next: Take the key out/],
  ["name_lookup", "invalid_fields", () => [{ name: 1 }], /name: must be a string/],
  ["name_lookup", "name_not_claimed", () => [{ name: "Nobody Yet" }], /Next: Claim it: name_claim/],
  ["receipt_verify", "invalid_fields", () => [{}], /receipt: is required/],
  ["receipt_verify", "invalid_fields", () => [{ receipt: "x".repeat(4_097) }], /4097 characters long/],
];

testCalls(() => service, /^(?:name|receipt)_/, good_calls, refused_calls);

test("says how long to wait if a rate limit is reached", async () => {
  const strict = await startSource({ rate_limit: true, claims_per_hour_by_address: 1 });
  await callTool(strict.url, "name_claim", { name: "first" });
  const refused = await callTool(strict.url, "name_claim", { name: "second" });
  expect(codeOf(refused)).toBe("rate_limited");
  expect(refused.content[0]!.text).toContain("\nNext: Wait 3600 seconds, then call name_claim again.");
  await strict.stop();
});

test("returns a key that every transport accepts, and a valid receipt", async () => {
  const { structuredContent } = await tool("name_claim", { name: "Edith", receipt: true });
  const { key, receipt } = structuredContent as { key: string; receipt: string };
  const { status, body } = await get(`${url}/api/locker`, { authorization: `Bearer ${key}` });
  expect([status, body.name]).toEqual([200, "Edith"]);
  const checked = await tool("receipt_verify", { receipt });
  expect(checked.structuredContent).toMatchObject({
    verdict: "valid",
    payload: { act: "name.claim", sub: "Edith", name_claimed: true },
  });
});
