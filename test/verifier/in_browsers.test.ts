/** The checks that pages run in browsers: receipts and rounds, with each bit of them changed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { verdictOf, type Opened } from "../../src/api/receipts/attestations.ts";
import { newKey, publicJwk, signerOf } from "../../src/receipts/keys.ts";
import { receiptsWith } from "../../src/receipts/receipts.ts";
import type { Verdict } from "../../src/api/receipts/receipts.ts";
import { openJws, readKeys, type Keys } from "../../src/verifier/jws.ts";
import { checkRound } from "../../src/verifier/round.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { get, post } from "../support/http.ts";
import { issueAll } from "../support/receipts.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let keys: Keys;
beforeAll(async () => {
  service = await startSource();
  keys = await readKeys(await (await fetch(`${service.url}/.well-known/jwks.json`)).text());
});
afterAll(() => service.stop());

const inBrowser = async (receipt: string, with_keys = keys): Promise<Verdict> =>
  verdictOf((await openJws(receipt, "receipt+jwt", with_keys)) as Opened);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** `text` with one bit of each of its characters changed in turn: base64url stays base64url, hex stays hex. */
function* withOneBitChanged(text: string, digits: string): Generator<string> {
  for (let i = 0; i < text.length; i++) {
    const digit = digits.indexOf(text[i]!);
    if (digit >= 0)
      yield text.slice(0, i) + digits[digit ^ (1 << (i % Math.log2(digits.length)))]! + text.slice(i + 1);
  }
}

describe("a receipt in a browser", () => {
  const key = newKey(seededRandom(5));
  const other = newKey(seededRandom(6));
  const receipts = receiptsWith([{ ...key, created: "", retired_at: null }], () => "http://wharf.example");
  const valid = receipts.sign("receipt+jwt", { act: "meet.speak", where: "/meet/r/x#p-1", sub: "ada" });
  const keysOf = (of: typeof key) => readKeys(JSON.stringify({ keys: [publicJwk(of)] }));

  /** A JWS with this header, signed by `d`. */
  function signedBy(d: string, header: object): string {
    const signed = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${valid.split(".")[1]}`;
    return `${signed}.${signerOf(d)(signed)}`;
  }
  const header = { alg: "EdDSA", typ: "receipt+jwt", kid: key.kid };

  test("gets the same verdict as from the service, for each kind of receipt", async () => {
    for (const { receipt } of await issueAll(service.url)) {
      const verdict = await inBrowser(receipt);
      expect(verdict.verdict).toBe("valid");
      expect(verdict).toEqual((await post<Verdict>(`${service.url}/receipt/verify`, { receipt })).body);
    }
  });

  test("is not valid when any character has another bit, as for the service", async () => {
    const own = await keysOf(key);
    expect((await inBrowser(valid, own)).verdict).toBe("valid");
    for (const changed of withOneBitChanged(valid, alphabet)) {
      const { verdict } = await inBrowser(changed, own);
      expect([changed, verdict]).not.toEqual([changed, "valid"]);
      expect([changed, receipts.verify(changed).verdict]).not.toEqual([changed, "valid"]);
    }
  });

  test.each([
    ["by another key under its own id", signedBy(other.d, { ...header, kid: other.kid }), "unknown_key"],
    ["by another key under the id of the service's", signedBy(other.d, header), "invalid"],
    ["with another type", signedBy(key.d, { ...header, typ: "beacon-day+jwt" }), "invalid"],
    ["with another algorithm", signedBy(key.d, { ...header, alg: "none" }), "invalid"],
    ["with a critical header", signedBy(key.d, { ...header, crit: ["exp"] }), "invalid"],
    ["without an id of a key", signedBy(key.d, { ...header, kid: undefined }), "invalid"],
    ["with a fourth part", `${valid}.AAAA`, "invalid"],
    ["with its signature in another spelling", `${valid}==`, "invalid"],
    ["that is empty", "", "invalid"],
  ])("gets the same verdict as from the service: signed %s", async (_what, receipt, verdict) => {
    expect((await inBrowser(receipt, await keysOf(key))).verdict).toBe(verdict as Verdict["verdict"]);
    expect(receipts.verify(receipt).verdict).toBe(verdict as Verdict["verdict"]);
  });
});

describe("a round in a browser", () => {
  const query = "label=lunch&int=1..6";
  let round: BeaconRound;
  beforeAll(async () => {
    const { last_revealed } = (await get<BeaconOverview>(`${service.url}/api/beacon`)).body;
    round = (await get<BeaconRound>(`${service.url}/api/beacon/${last_revealed!.round}?${query}`)).body;
  });

  /** Whether all checks hold for the answer with these changes. */
  async function holds(change: Partial<BeaconRound> = {}, proof: Partial<BeaconRound["proof"]> = {}) {
    const answer = { ...round, ...change, proof: { ...round.proof, ...proof } } as BeaconRound;
    const { checks } = await checkRound(answer as never, keys, round.round, query);
    return checks.all.every((check) => check.holds);
  }

  test("holds as the service publishes it", async () => {
    expect(await holds()).toBe(true);
  });

  test("does not hold when any digit of seed, commit, root, path or value has another bit", async () => {
    const hex = "0123456789abcdef";
    for (const seed of withOneBitChanged(round.seed!, hex)) expect(await holds({ seed })).toBe(false);
    for (const commit of withOneBitChanged(round.commit, hex)) expect(await holds({ commit })).toBe(false);
    for (const root of withOneBitChanged(round.proof.root, hex))
      expect(await holds({}, { root })).toBe(false);
    const value = round.value!;
    for (const changed of withOneBitChanged(value.hex, hex))
      expect(await holds({ value: { ...value, hex: changed } })).toBe(false);
    for (const [i, sibling] of round.proof.path.entries()) {
      for (const changed of withOneBitChanged(sibling, hex))
        expect(await holds({}, { path: round.proof.path.with(i, changed) })).toBe(false);
    }
  });

  test("does not hold when any character of the signed statement has another bit", async () => {
    for (const statement of withOneBitChanged(round.proof.statement, alphabet)) {
      expect([statement, await holds({}, { statement })]).toEqual([statement, false]);
    }
  });

  test.each([
    ["another round", { round: 1 }, {}],
    ["another leaf", {}, { index: 0 }],
    ["another number of leaves", {}, { rounds: 1_441 }],
    ["a shorter path", {}, { path: [] }],
    ["another coin", { value: { label: "lunch", hex: "", float: 0, coin: "heads" as const } }, {}],
    ["another draw", { draw: { kind: "int" as const, from: 1, to: 6, result: 7, steps: [] } }, {}],
  ])("does not hold with %s", async (_what, change, proof) => {
    expect(await holds(change, proof)).toBe(false);
  });
});
