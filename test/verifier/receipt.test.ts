/** The verifier of receipts: what holds, and each way in which a receipt does not. Compared with jose, and with openssl. */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { sha256Hex } from "../../src/core/secrets.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { newKey, publicJwk, publicPem, signerOf } from "../../src/receipts/keys.ts";
import { receiptsWith } from "../../src/receipts/receipts.ts";
import { readKeys } from "../../src/verifier/jws.ts";
import { verifyReceipt } from "../../src/verifier/receipt.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

const [key, retired, foreign] = [5, 6, 7].map((seed) => newKey(seededRandom(seed))) as [Key, Key, Key];
type Key = ReturnType<typeof newKey>;
const row = (of: Key, retired_at: string | null) => ({
  ...of,
  created: "2026-03-01T12:00:00.000Z",
  retired_at,
});
const at_first = receiptsWith([row(retired, null)], () => "https://wharf.example");
const receipts = receiptsWith(
  [row(key, null), row(retired, "2026-04-01T00:00:00.000Z")],
  () => "https://wharf.example",
);
const source = {
  act: "meet.speak",
  ref: "one",
  where: "/meet/r/room#p-one",
  at: "2026-03-01T12:00:00.000Z",
  name: "Zoë",
  name_claimed: true,
  text: "hello",
};
const genuine = receipts.issue(source);
const [header, payload, signature] = genuine.split(".") as [string, string, string];
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
const head = { alg: "EdDSA", typ: "receipt+jwt", kid: key.kid };

/** A JWS of anything, with a valid signature. */
function signed(of_header: object, of_payload: unknown = claims, by = key): string {
  const text = `${encoded(of_header)}.${encoded(of_payload)}`;
  return `${text}.${signerOf(by.d)(text)}`;
}

const key_set = (...keys: Key[]) => JSON.stringify({ keys: keys.map(publicJwk) });
const ours = key_set(key, retired);

/** The first check that failed; null if all hold. */
async function fault(receipt: string, keys = ours, hashes: string[] = []): Promise<string | null> {
  const { checks, claims: found } = await verifyReceipt(receipt, await readKeys(keys), hashes);
  const failed = checks.filter(({ holds }) => !holds).map(({ what }) => what);
  expect(failed.length).toBeLessThan(2);
  if (failed.length > 0 && !failed[0]!.includes("sha256")) expect(found).toBeNull();
  return failed[0] ?? null;
}

/** Whether jose accepts the signature with these keys. */
const joseAccepts = async (receipt: string, keys = ours): Promise<boolean> =>
  compactVerify(receipt, createLocalJWKSet(JSON.parse(keys) as JSONWebKeySet)).then(
    () => true,
    () => false,
  );

const is_jws = "it is a compact JWS";
const has_header = "its header is that of a receipt";
const is_known = "its key is among the keys";
const fits = "its signature fits this key";
const has_form = "its payload is that of a receipt";

describe("a genuine receipt", () => {
  test("holds with a JWK set and with PEM, as for jose", async () => {
    const { checks, claims: found } = await verifyReceipt(genuine, await readKeys(ours));
    expect(checks.map(({ what, holds }) => [what, holds])).toEqual(
      [is_jws, has_header, is_known, fits, has_form].map((what) => [what, true]),
    );
    expect(found as unknown).toEqual(claims);
    expect(await fault(genuine, publicPem(key.x))).toBeNull();
    expect(await joseAccepts(genuine)).toBe(true);
  });

  test("holds after the key was rotated, as long as the keys have the old one", async () => {
    const old = at_first.issue(source);
    expect(await fault(old)).toBeNull();
    expect(await joseAccepts(old)).toBe(true);
    expect(await fault(old, key_set(key))).toBe(is_known);
    expect(await joseAccepts(old, key_set(key))).toBe(false);
  });

  test("is compared with a text", async () => {
    expect(await fault(genuine, ours, [sha256Hex("hello")])).toBeNull();
    expect(await fault(genuine, ours, [sha256Hex("hello\n"), sha256Hex("hello")])).toBeNull();
    expect(await fault(genuine, ours, [sha256Hex("Hello")])).toBe("its sha256 is that of the text");
  });
});

/** The signature with its unused bits set: other characters, the same bytes. */
function withUnusedBits(): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet[alphabet.indexOf(signature.at(-1)!) + 1]!;
  const other = `${header}.${payload}.${signature.slice(0, -1)}${last}`;
  expect(Buffer.from(signature.slice(0, -1) + last, "base64url")).toEqual(
    Buffer.from(signature, "base64url"),
  );
  return other;
}

const unsigned = `${encoded({ ...head, alg: "none" })}.${payload}.`;
const hmac = () => {
  // The classic confusion: the public key used as the secret of an HMAC.
  const text = `${encoded({ ...head, alg: "HS256" })}.${payload}`;
  return `${text}.${new Bun.CryptoHasher("sha256", Buffer.from(key.x, "base64url")).update(text).digest("base64url")}`;
};

describe("does not hold, and neither for jose", () => {
  test.each<[string, string, string]>([
    ["a key that is not among the keys", signed({ ...head, kid: foreign.kid }, claims, foreign), is_known],
    ["the signature of another key", signed(head, claims, foreign), fits],
    ["the kid of another key", signed({ ...head, kid: retired.kid }), fits],
    ["an unknown kid", signed({ ...head, kid: "x" }), is_known],
    ["a changed payload", `${header}.${encoded({ ...claims, sub: "Eve" })}.${signature}`, fits],
    ["a changed letter of the payload", `${header}.A${payload.slice(1)}.${signature}`, fits],
    [
      "a changed letter of the signature",
      `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      fits,
    ],
    ["no signature", unsigned, is_jws],
    ["alg none with a signature", `${unsigned}${signature}`, has_header],
    ["alg HS256 with the public key as its secret", hmac(), has_header],
    ["an unused critical header", signed({ ...head, crit: ["exp"] }), has_header],
    ["a truncated signature", genuine.slice(0, -1), fits],
    ["half of it", genuine.slice(0, genuine.length / 2), is_jws],
    ["two parts", `${header}.${payload}`, is_jws],
    ["four parts", `${genuine}.${signature}`, is_jws],
    ["characters of base64", `${header}.${payload}.${signature.slice(0, -1)}+`, is_jws],
    ["an empty text", "", is_jws],
    [
      "a header that is no JSON",
      `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`,
      has_header,
    ],
  ])("%s", async (_what, receipt, failed) => {
    expect(await fault(receipt)).toBe(failed);
    expect(await joseAccepts(receipt)).toBe(false);
  });
});

describe("does not hold, although the signature is valid", () => {
  test("a second spelling of the signature, which jose accepts: padding", async () => {
    expect(await fault(`${genuine}==`)).toBe(is_jws);
  });

  test("a second spelling of the signature: unused bits that are set", async () => {
    expect(await fault(withUnusedBits())).toBe(fits);
  });

  test.each<[string, object]>([
    ["the statement of a beacon", { ...head, typ: "beacon-day+jwt" }],
    ["no type", { alg: "EdDSA", kid: key.kid }],
    ["a kid that is no text", { ...head, kid: 7 }],
  ])("%s", async (_what, of_header) => {
    expect(await fault(signed(of_header))).toBe(has_header);
  });

  test.each<[string, unknown]>([
    ["no payload of a receipt", { hello: 1 }],
    ["a time beyond all calendars", { ...claims, iat: 1e15 }],
    ["a time that is no number", { ...claims, iat: "now" }],
    ["a name that is no text", { ...claims, sub: { toString: "x" } }],
    ["a hash that is none", { ...claims, sha256: "5" }],
    ["a verified name, which no receipt has", { ...claims, name_verified: true }],
    ["no place", { ...claims, where: undefined }],
    ["a poster that is no text", { ...claims, poster: 5 }],
  ])("%s", async (_what, of_payload) => {
    expect(await fault(signed(head, of_payload))).toBe(has_form);
  });

  test("a payload that is no object", async () => {
    for (const other of [[], "text", 5, null]) expect(await fault(signed(head, other))).toBe(fits);
  });
});

test("holds with members that a later version may add", async () => {
  expect(await fault(signed(head, { ...claims, later: [1] }))).toBeNull();
});

test("has the same verdict as jose for every changed letter", async () => {
  const keys = await readKeys(ours);
  for (let at = 0; at < genuine.length - 1; at++) {
    const letter = genuine[at] === "A" ? "B" : "A";
    const changed = genuine.slice(0, at) + letter + genuine.slice(at + 1);
    const { claims: found } = await verifyReceipt(changed, keys);
    expect([at, found !== null]).toEqual([at, await joseAccepts(changed)]);
    expect([at, found]).toEqual([at, null]);
  }
});

test.skipIf(lacks("receipts that the verifier and openssl check", "openssl"))(
  "agrees with openssl about a genuine and a changed receipt",
  async () => {
    const pem = join(directory, "key.pem");
    writeFileSync(pem, publicPem(key.x));
    const opensslAccepts = (receipt: string): boolean => {
      const [signed_file, signature_file] = [join(directory, "signed"), join(directory, "signature")];
      writeFileSync(signed_file, receipt.slice(0, receipt.lastIndexOf(".")));
      writeFileSync(signature_file, Buffer.from(receipt.split(".")[2]!, "base64url"));
      const { exitCode } = Bun.spawnSync(
        [
          "openssl",
          "pkeyutl",
          "-verify",
          "-pubin",
          "-inkey",
          pem,
          "-rawin",
          "-in",
          signed_file,
          "-sigfile",
          signature_file,
        ],
        { stdout: "ignore", stderr: "ignore" },
      );
      return exitCode === 0;
    };
    const changed = `${header}.A${payload.slice(1)}.${signature}`;
    for (const [receipt, accepted] of [
      [genuine, true],
      [changed, false],
      [signed(head, claims, foreign), false],
    ] as const) {
      expect([opensslAccepts(receipt), (await fault(receipt)) === null]).toEqual([accepted, accepted]);
    }
  },
);
