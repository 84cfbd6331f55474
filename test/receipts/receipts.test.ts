/** Receipts: from every command, verified by openssl and by a library that others wrote, and invalid when changed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compactVerify, createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet } from "jose";
import type { PublicKey, Verdict } from "../../src/api/receipts/receipts.ts";
import { newKey, signerOf } from "../../src/receipts/keys.ts";
import { receiptsWith } from "../../src/receipts/receipts.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { issueAll, type IssuedReceipt } from "../support/receipts.ts";
import { get, post } from "../support/http.ts";
import { payloadOf } from "../support/jobs.ts";
import { lacks } from "../support/programs.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { testRandom } from "../support/seed.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  startSource,
  ways,
  type TestService,
} from "../support/service.ts";
import { databaseOf, is_on_postgres, testOfSqlite } from "../support/postgres.ts";

interface Key {
  key: PublicKey;
  pem: string;
  all_keys: string;
  how: string[];
}
const readKey = async (url: string): Promise<Key> => (await get<Key>(`${url}/receipt/key`)).body;
const readKeySet = async (url: string): Promise<JSONWebKeySet> =>
  (await get<JSONWebKeySet>(`${url}/.well-known/jwks.json`)).body;
const verify = async (url: string, receipt: string): Promise<Verdict> =>
  (await post<Verdict>(`${url}/receipt/verify`, { receipt })).body;

/** Runs shell lines in a directory of their own. Returns their output; throws if one fails. */
async function shell(lines: string, variables: Record<string, string>): Promise<string> {
  const cwd = newDirectory();
  const env = { PATH: process.env.PATH!, ...variables };
  const child = Bun.spawn(["sh", "-ec", lines], { cwd, env, stdout: "pipe", stderr: "pipe" });
  const { stdout, stderr } = child;
  const [out, failure] = await Promise.all([
    Bun.readableStreamToText(stdout),
    Bun.readableStreamToText(stderr),
  ]);
  await child.exited;
  removeDirectory(cwd);
  if (child.exitCode !== 0) throw new Error(out + failure);
  return out;
}
const verified = "Signature Verified Successfully\n";
const no_openssl = lacks("receipts checked by openssl", "openssl");

const document = readFileSync(join(import.meta.dir, "../../docs/receipts.md"), "utf8");
/** The two blocks of docs/receipts.md: with the key that signs now, and with one that was retired. */
const blocks = Array.from(document.matchAll(/```sh\n(.*?)```/gs), ([, lines]) => lines!);
const at = (url: string, lines: string) => lines.replaceAll("http://127.0.0.1:4273", url);

describe.each(ways)("receipts (%s)", (_way, start) => {
  let service: TestService;
  let url: string;
  let issued: IssuedReceipt[];
  beforeAll(async () => {
    service = await start();
    url = service.url;
    issued = await issueAll(url);
  });
  afterAll(() => service.stop());

  test("returns a receipt for every call that issues one, with what was done", () => {
    expect([...new Set(issued.map(({ says }) => says.act))].toSorted()).toEqual([
      "job.accept",
      "job.deliver",
      "job.post",
      "meet.open",
      "meet.speak",
      "name.claim",
    ]);
    for (const { receipt, says } of issued) {
      const { act, sub, name_claimed, text } = says;
      const payload = payloadOf(receipt);
      const hash = sha256Hex(text);
      expect(payload).toMatchObject({ iss: url, act, sub, name_claimed, name_verified: false, sha256: hash });
      expect(payload.jti).toBe(`${act}:${payload.ref as string}`);
      expect(payload.iat).toBeNumber();
    }
    expect(new Set(issued.map(({ receipt }) => payloadOf(receipt).jti)).size).toBe(issued.length);
  });

  test("names the address that the service listens at, whatever Host the caller sent", async () => {
    const { port } = new URL(url);
    for (const { receipt, by } of await issueAll(`http://localhost:${port}`)) {
      const { iss, act } = payloadOf(receipt);
      expect([by, act, iss]).toEqual([by, act, url]);
    }
    for (const host of ["8.8.8.8:99", "wharf.localhost", `localhost:${port}`]) {
      const headers = { host, "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };
      const room = { goal: "Which host?", name: "x" };
      const { body } = await post<{ url: string; receipt: string }>(`${url}/api/meet/rooms`, room, headers);
      expect(payloadOf(body.receipt).iss).toBe(url);
      // Links have the host of the caller's request.
      expect(body.url).toStartWith(`https://${host}/`);
    }
  });

  test("links to what the receipt is about", async () => {
    for (const { receipt } of issued) {
      const { status } = await fetch(url + (payloadOf(receipt).where as string));
      expect(status).toBe(200);
    }
  });

  test("uses the JWS header that most libraries accept as it is", async () => {
    const { key } = await readKey(url);
    for (const { receipt } of issued) {
      const header = Buffer.from(receipt.split(".")[0]!, "base64url").toString();
      expect(header).toBe(`{"alg":"EdDSA","typ":"receipt+jwt","kid":"${key.kid}"}`);
    }
    expect(key).toEqual({ kty: "OKP", crv: "Ed25519", kid: key.kid, use: "sig", x: key.x });
    const thumbprint = sha256Hex(`{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`);
    expect(Buffer.from(key.kid, "base64url").toString("hex")).toBe(thumbprint);
  });

  test.skipIf(no_openssl)(
    "is verified by openssl with the commands of /receipt/key and of docs/receipts.md",
    async () => {
      const { how, key } = await readKey(url);
      const lines = how.slice(0, 4);
      expect(lines.join("\n")).toBe(at(url, blocks[0]!).trim());
      expect(how[5]).toBe(blocks[1]!.split("\n")[0]!);
      for (const { receipt } of issued) {
        expect(await shell(lines.join("\n"), { receipt })).toBe(verified);
        expect(await shell(blocks[1]!, { receipt, x: key.x })).toBe(verified);
        const changed = receipt.replace(".", ".A");
        const failure = await shell(lines.join("\n"), { receipt: changed }).catch(String);
        expect(failure).toContain("Verification Failure");
      }
    },
  );

  test("serves the PEM form of the key", async () => {
    const { pem, key } = await readKey(url);
    const response = await fetch(`${url}/receipt/key.pem`);
    expect(response.headers.get("content-type")).toBe("application/x-pem-file");
    expect(await response.text()).toBe(pem);
    const retired = at(url, blocks[1]!.split("\n")[0]!);
    expect(await shell(`${retired}\ncat key.pem`, { x: key.x })).toBe(pem);
  });

  test("is verified by jose against the key set", async () => {
    const local = createLocalJWKSet(await readKeySet(url));
    const remote = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    for (const { receipt } of issued) {
      const { payload, protectedHeader } = await compactVerify(receipt, local);
      expect(protectedHeader.typ).toBe("receipt+jwt");
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual(payloadOf(receipt));
      await compactVerify(receipt, remote);
    }
  });

  test("is verified by the service at both addresses and on the page", async () => {
    for (const { receipt } of issued) {
      const expected = { verdict: "valid", payload: payloadOf(receipt) };
      const posted = await post<Verdict>(`${url}/receipt/verify`, { receipt });
      expect(posted.status).toBe(200);
      expect(posted.body).toMatchObject(expected);
      expect(posted.body.attests).toStartWith("At this time ");
      expect(posted.body.does_not_attest).toContain("money");
      expect((await get<Verdict>(`${url}/receipt/verify?r=${receipt}`)).body).toEqual(posted.body);
      const page = await (await fetch(`${url}/receipt?r=${receipt}`)).text();
      expect(page).toContain("The receipt is valid");
      expect(page).toContain(payloadOf(receipt).sha256 as string);
    }
    const plain = await fetch(`${url}/receipt`);
    expect(plain.headers.get("content-type")).toStartWith("text/html");
    expect(await plain.text()).toContain("openssl pkeyutl -verify");
  });

  test("says of each act what it attests, and which text its sha256 is of", async () => {
    const said = new Map<unknown, Verdict>();
    for (const { receipt } of issued) said.set(payloadOf(receipt).act, await verify(url, receipt));
    expect(said.get("job.accept")!.attests).toMatch(/^At this time the poster.*accepted.*delivered.*before/);
    expect(said.get("job.deliver")!.attests).toMatch(/delivered.*showed the key/);
    expect(said.get("name.claim")!.attests).not.toMatch(/showed/);
    const of = (act: string) => said.get(act)!.sha256_of;
    expect(
      ["meet.open", "meet.speak", "name.claim", "job.post", "job.deliver", "job.accept"].map(of),
    ).toEqual([
      "the goal",
      "the text of the post",
      "the name as it was claimed",
      "the title, an empty line (two line feeds) and the detail",
      "the result",
      "the result",
    ]);
    expect(await verify(url, "a.b.c")).toMatchObject({ verdict: "invalid", attests: "Nothing." });
  });

  test("warns that a receipt of an unlisted room shows its address, and of no other room", async () => {
    const rooms = `${url}/api/meet/rooms`;
    for (const [visibility, warning] of [
      ["unlisted", expect.stringContaining("address of a room")],
      ["public", undefined],
    ]) {
      const { body } = await post<{ api: string; receipt: string }>(rooms, {
        goal: "Why?",
        name: "x",
        visibility,
      });
      const spoken = await post<{ receipt: string }>(`${body.api}/posts?receipt=1`, {
        name: "x",
        body: "So.",
      });
      for (const { receipt } of [body, spoken.body])
        expect([visibility, (await verify(url, receipt)).warning]).toEqual([visibility, warning]);
    }
  });

  test("returns a receipt for a post only if it is requested", async () => {
    const room = (await post<{ api: string }>(`${url}/api/meet/rooms`, { goal: "Silent", name: "x" })).body;
    for (const query of ["", "?receipt=0", "?receipt="]) {
      const { body } = await post(`${room.api}/posts${query}`, { name: "x", body: "hello" });
      expect(body).not.toHaveProperty("receipt");
    }
  });

  test("returns the same receipt for a repeated call", async () => {
    const headers = { "idempotency-key": "one-room" };
    const open = () =>
      post<{ receipt: string }>(`${url}/api/meet/rooms`, { goal: "Again", name: "x" }, headers);
    expect((await open()).body.receipt).toBe((await open()).body.receipt);
  });

  test.each([
    ["nothing", {}, 422],
    ["no text", { receipt: 7 }, 422],
    ["white space", { receipt: " " }, 422],
    ["too much", { receipt: "a".repeat(4_097) }, 422],
    ["something else", { receipt: "a.b" }, 200],
  ])("answers a request about %s", async (_what, body, status) => {
    const answer = await post<Verdict>(`${url}/receipt/verify`, body);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toMatchObject({ verdict: "invalid", reason: expect.any(String) });
  });

  test("refuses a receipt that another service signed", async () => {
    const other = await startSource({}, undefined, 77);
    const [foreign] = await issueAll(other.url);
    await other.stop();
    expect(await verify(url, foreign!.receipt)).toMatchObject({ verdict: "unknown_key" });
    const page = await (await fetch(`${url}/receipt?r=${foreign!.receipt}`)).text();
    expect(page).toContain("a key that is not ours");
  });
});

describe("refused receipts", () => {
  const key = newKey(seededRandom(5));
  const retired = newKey(seededRandom(6));
  const rows = [
    { ...key, created: "2026-03-01T12:00:00.000Z", retired_at: null },
    { ...retired, created: "2026-02-01T12:00:00.000Z", retired_at: "2026-03-01T12:00:00.000Z" },
  ];
  const receipts = receiptsWith(rows, () => "https://wharf.example");
  const genuine = receipts.issue({
    act: "meet.speak",
    ref: "one",
    where: "/meet/r/room#p-one",
    at: "2026-03-01T12:00:00.000Z",
    name: "Zoë",
    name_claimed: true,
    text: "hello",
  });
  const [header, payload, signature] = genuine.split(".") as [string, string, string];
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  /** A receipt with any header, signed by the right key. */
  const signed = (head: object) => {
    const text = `${encoded(head)}.${payload}`;
    return `${text}.${signerOf(key.d)(text)}`;
  };

  test("refuses another algorithm, type or key and a critical header, even if the signature matches", () => {
    const head = { alg: "EdDSA", typ: "receipt+jwt", kid: key.kid };
    expect(receipts.verify(signed(head)).verdict).toBe("valid");
    for (const wrong of [
      { ...head, alg: "none" },
      { ...head, alg: "HS256" },
      { ...head, typ: "beacon-day+jwt" },
      { ...head, typ: undefined },
      { ...head, crit: ["exp"] },
      { ...head, kid: 7 },
      [head],
    ]) {
      expect(receipts.verify(signed(wrong)).verdict).toBe("invalid");
    }
    expect(receipts.verify(signed({ ...head, kid: "x" })).verdict).toBe("unknown_key");
    expect(receipts.verify(signed({ ...head, kid: retired.kid })).verdict).toBe("invalid");
    expect(receipts.verify(receipts.sign("beacon-day+jwt", { day: 1 })).verdict).toBe("invalid");
  });

  test("accepts a receipt that names an earlier address of the service", () => {
    const moved = receiptsWith(rows, () => "https://moved.example");
    const verdict = moved.verify(genuine);
    expect(verdict).toMatchObject({ verdict: "valid", payload: { iss: "https://wharf.example" } });
  });

  test("refuses 10,000 mutations of every part, by the service and by jose", async () => {
    const { below, oneOf } = testRandom("mutations");
    const keys = createLocalJWKSet(receipts.keySet() as unknown as JSONWebKeySet);
    const parts = [header, payload, signature];
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    const mutations: [string, (part: string, at: number) => string][] = [
      ["a letter changed", (part, at) => part.slice(0, at) + oneOf(letters) + part.slice(at + 1)],
      ["a letter put in", (part, at) => part.slice(0, at) + oneOf(letters) + part.slice(at)],
      ["a letter left out", (part, at) => part.slice(0, at) + part.slice(at + 1)],
      ["cut short", (part, at) => part.slice(0, at)],
      [
        "two letters exchanged",
        (part, at) => part.slice(0, at) + (part[at + 1] ?? "") + part[at]! + part.slice(at + 2),
      ],
      [
        "something foreign",
        (part, at) => part.slice(0, at) + oneOf(["=", "+", "/", "%", "\0", "é", "."]) + part.slice(at),
      ],
      [
        "a bit changed",
        (part, at) => {
          const bytes = Buffer.from(part, "base64url");
          bytes[at % bytes.length]! ^= 1 << below(8);
          return bytes.toString("base64url");
        },
      ],
      ["a part twice", (part) => part + part],
      ["another part's text", () => oneOf(parts)],
    ];
    const seen = new Map<string, number>();
    for (let done = 0; done < 10_000;) {
      const which = below(3);
      const [name, mutate] = oneOf(mutations);
      const part = mutate(parts[which]!, below(parts[which]!.length));
      if (part === parts[which]) continue;
      const mutated = parts.map((given, i) => (i === which ? part : given)).join(".");
      const { verdict } = receipts.verify(mutated);
      if (verdict === "valid") throw new Error(`${name} in part ${which} passed: ${mutated}`);
      // A library may read a second spelling of the same bytes; the service does not.
      const same_bytes = Buffer.from(part, "base64url").equals(Buffer.from(parts[which]!, "base64url"));
      if (which < 2 || !same_bytes)
        expect(await compactVerify(mutated, keys).catch(() => "refused")).toBe("refused");
      const kind = `${["header", "payload", "signature"][which]}: ${name}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      done++;
    }
    expect(seen.size).toBe(3 * mutations.length);
    expect(receipts.verify(genuine).verdict).toBe("valid");
  });
});

describe.skipIf(lacks_binary)("wharf keys rotate", () => {
  const data_dir = newDirectory();
  /** Receipts of the key that was replaced, and its public part. */
  let retired = { receipts: [] as string[], x: "" };
  afterAll(() => removeDirectory(data_dir));
  const rotate = (directory: string) => {
    const { database } = databaseOf(directory);
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      [binary(), "keys", "rotate", "--data-dir", directory],
      {
        env: { ...process.env, ...(database && { WHARF_DATABASE: database }) },
      },
    );
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  };

  test("keeps earlier receipts valid and lists both keys", async () => {
    const before = await startBinary({ data_dir });
    const old_receipts = await issueAll(before.url);
    const old_key = (await readKey(before.url)).key;
    // With Postgres the nodes that run follow.
    if (!is_on_postgres) {
      const busy = rotate(data_dir);
      expect(busy).toMatchObject({ exitCode: 1, stdout: "" });
      expect(busy.stderr).toContain(`Another wharf is using ${data_dir}.`);
      expect(busy.stderr.trim().split("\n")).toHaveLength(1);
    }
    await before.stop();

    const { exitCode, stdout } = rotate(data_dir);
    expect(exitCode).toBe(0);
    const after = await startBinary({ data_dir });
    const { url } = after;
    const new_key = (await readKey(url)).key;
    expect(stdout).toBe(`Receipts are signed with ${new_key.kid} from now on. ${old_key.kid} is retired.\n`);
    const set = await readKeySet(url);
    expect(set.keys.map(({ kid }) => kid)).toEqual([new_key.kid, old_key.kid]);
    expect(JSON.stringify(set)).not.toMatch(/"d"|"alg"/);
    const keys = createLocalJWKSet(set);
    for (const { receipt } of old_receipts) {
      expect(await verify(url, receipt)).toMatchObject({ verdict: "valid" });
      await compactVerify(receipt, keys);
    }
    for (const { receipt } of await issueAll(url)) {
      const { protectedHeader } = await compactVerify(receipt, keys);
      expect(protectedHeader.kid).toBe(new_key.kid);
      expect(await verify(url, receipt)).toMatchObject({ verdict: "valid" });
    }
    await after.stop();
    retired = { receipts: old_receipts.map(({ receipt }) => receipt), x: old_key.x };
  });

  test.skipIf(no_openssl)(
    "keeps earlier receipts verifiable by the openssl commands of docs/receipts.md for a retired key",
    async () => {
      expect(retired.receipts.length).toBeGreaterThan(0);
      for (const receipt of retired.receipts) {
        expect(await shell(blocks[1]!, { receipt, x: retired.x })).toBe(verified);
      }
    },
  );

  testOfSqlite(
    "reports in one sentence that there is no key to rotate",
    "a start makes the tables",
    async () => {
      const { exitCode, stderr } = rotate(join(data_dir, "nothing here"));
      expect(exitCode).toBe(1);
      expect(stderr).toStartWith(`wharf: There is no wharf.db in ${join(data_dir, "nothing here")}. `);
    },
  );
});
