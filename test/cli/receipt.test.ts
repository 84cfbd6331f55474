/** `wharf receipt verify`: where it takes receipts and keys from, what it prints, its exit codes, and what it never calls. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReceiptReport } from "../../src/cli/commands/receipt.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { newKey, publicJwk } from "../../src/receipts/keys.ts";
import { receiptsWith } from "../../src/receipts/receipts.ts";
import type { Verdict } from "../../src/api/receipts/receipts.ts";
import { binary } from "../support/binary.ts";
import { post } from "../support/http.ts";
import { payloadOf } from "../support/jobs.ts";
import { issueAll, type IssuedReceipt } from "../support/receipts.ts";
import { newDirectory, removeDirectory, startSource, type TestService } from "../support/service.ts";

const program = binary();
const directory = newDirectory();
let service: TestService;
let issued: IssuedReceipt[];
beforeAll(async () => {
  service = await startSource();
  issued = await issueAll(service.url);
  await Bun.write(join(directory, "jwks.json"), await fetch(`${service.url}/.well-known/jwks.json`));
  await Bun.write(join(directory, "key.pem"), await fetch(`${service.url}/receipt/key.pem`));
});
afterAll(async () => {
  await service.stop();
  removeDirectory(directory);
});

/** Runs the command with `input` as standard input. */
async function verify(input: string, ...args: string[]) {
  const child = Bun.spawn([program, "receipt", "verify", ...args], {
    cwd: directory,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, stdout, stderr };
}

async function reportOf(input: string, ...args: string[]): Promise<ReceiptReport> {
  const { status, stdout, stderr } = await verify(input, "--json", ...args);
  const report = stderr === "" ? (JSON.parse(stdout) as ReceiptReport) : null;
  expect([stderr, status]).toEqual(["", report?.holds ? 0 : 3]);
  return report!;
}

const evil = '\u001b[2J\u001b]0;title\u0007\u009b31m\r\n\b\u202e\u2066\u200b\u{e0041}"quoted"\\';
// oxlint-disable-next-line no-control-regex -- everything that could control a terminal or hide
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]|\u{e0041}/u;

describe("a receipt of a service", () => {
  test("of each kind holds, and says the same as the service", async () => {
    const kinds = new Map(issued.map(({ receipt, says }) => [says.act, receipt]));
    expect(kinds.size).toBe(6);
    for (const receipt of kinds.values()) {
      const report = await reportOf(receipt, "--keys", "jwks.json");
      const { verdict, ...said } = (await post<Verdict>(`${service.url}/receipt/verify`, { receipt })).body;
      expect(verdict).toBe("valid");
      expect(report).toMatchObject({ ...said, holds: true, keys: "jwks.json" } as object);
    }
  });

  test("is read from a file, alone, as a JSON string or in an answer", async () => {
    const { receipt } = issued[0]!;
    const forms = [
      receipt,
      `\n  ${receipt}\r\n`,
      JSON.stringify(receipt),
      JSON.stringify({ notes: [{ receipt }], receipt }, null, 2),
    ];
    for (const form of forms) {
      writeFileSync(join(directory, "receipt"), form);
      const { status, stdout } = await verify("", "receipt", "--keys", "key.pem");
      expect([status, stdout]).toEqual([0, expect.stringContaining("the receipt holds (keys: key.pem)\n")]);
    }
    expect((await verify(receipt, "-", "--keys", "jwks.json")).status).toBe(0);
  });

  test("is checked with keys from an address that the caller names", async () => {
    const { receipt } = issued[0]!;
    const keys = `${service.url}/.well-known/jwks.json`;
    for (const args of [
      ["--keys", keys],
      ["--url", service.url],
      ["--url", `${service.url}/`],
      ["--fetch-keys"],
    ]) {
      expect(await reportOf(receipt, ...args)).toMatchObject({ holds: true, keys });
    }
  });

  test("is compared with a text, with or without the line feed that editors add", async () => {
    const { receipt, says } = issued.find(({ says: { act } }) => act === "job.post")!;
    const keys = ["--keys", "jwks.json"];
    for (const [text, holds] of [
      [says.text, true],
      [`${says.text}\n`, true],
      [`${says.text}\n\n`, false],
      ["", false],
    ] as const) {
      writeFileSync(join(directory, "text"), text);
      expect([text, (await reportOf(receipt, ...keys, "--text", "text")).holds]).toEqual([text, holds]);
    }
    const sha256 = payloadOf(receipt).sha256 as string;
    expect((await reportOf(receipt, ...keys, "--sha256", sha256.toUpperCase())).holds).toBe(true);
    expect((await reportOf(receipt, ...keys, "--sha256", "0".repeat(64))).holds).toBe(false);
  });
});

const key = newKey(seededRandom(9));
const other = newKey(seededRandom(10));
/** A receipt of a service at `iss` with these members, and a file with its key. */
function strangers(iss: string, members: Record<string, unknown> = {}): string {
  writeFileSync(join(directory, "strange.json"), JSON.stringify({ keys: [publicJwk(key)] }));
  const claims = {
    ...payloadOf(issued[0]!.receipt),
    iss,
    ...members,
  };
  return receiptsWith([{ ...key, created: "", retired_at: null }], () => iss).sign("receipt+jwt", claims);
}

describe("a receipt that does not hold", () => {
  test("ends with status 3 and names the check", async () => {
    const forged = strangers(service.url);
    const { status, stdout } = await verify(forged, "--url", service.url);
    expect(status).toBe(3);
    expect(stdout).toContain("WRONG its key is among the keys: none of them has its kid\n");
    expect(stdout).toContain("the receipt does NOT hold");
    expect(stdout).not.toContain("At this time");
    expect(await reportOf("nothing", "--keys", "jwks.json")).toMatchObject({ holds: false, payload: null });
  });
});

describe("the address in a receipt", () => {
  let calls = 0;
  let answer: () => Response = () => Response.json({ keys: [publicJwk(key)] });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      calls++;
      return answer();
    },
  });
  const iss = `http://127.0.0.1:${server.port}`;
  afterAll(() => server.stop(true));

  test("is not called without --fetch-keys, whatever else is given", async () => {
    const receipt = strangers(iss);
    const without = await verify(receipt);
    expect([without.status, without.stdout]).toEqual([2, ""]);
    expect(without.stderr).toContain("give --keys or --url");
    expect(without.stderr).toContain(`"${iss}"`);
    expect((await verify(receipt, "--keys", "jwks.json")).status).toBe(3);
    expect((await verify(receipt, "--url", service.url)).status).toBe(3);
    expect((await verify(receipt, "--keys", "strange.json")).status).toBe(0);
    expect(calls).toBe(0);
    expect((await verify(receipt, "--fetch-keys")).status).toBe(0);
    expect(calls).toBe(1);
  });

  test("redirects nowhere", async () => {
    let called = false;
    const inner = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch() {
        called = true;
        return Response.json({ keys: [publicJwk(key)] });
      },
    });
    answer = () => Response.redirect(inner.url.href, 302);
    const { status, stderr } = await verify(strangers(iss), "--fetch-keys");
    await inner.stop(true);
    expect([status, called]).toEqual([1, false]);
    expect(stderr).toContain(`a redirect to ${inner.url.href} was not followed`);
  });

  test.each<[string, () => Response]>([
    ["no keys", () => new Response("<html>")],
    ["another form", () => Response.json([])],
    ["nothing", () => new Response(null, { status: 404 })],
    ["a problem that would control the terminal", () => Response.json({ detail: evil }, { status: 500 })],
  ])("that answers with %s is an error, in one line", async (_what, respond) => {
    answer = respond;
    const { status, stdout, stderr } = await verify(strangers(iss), "--fetch-keys");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^wharf: .+\n$/);
    // oxlint-disable-next-line no-control-regex -- what controls a terminal
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test.each([["file:///etc/passwd"], ["unix:/run/x.sock"], ["ftp://x"], ["x"], [""]])(
    "is not called if it is %j",
    async (address) => {
      const { status, stderr } = await verify(strangers(address), "--fetch-keys");
      expect([status, stderr]).toEqual([1, expect.stringContaining("names no http or https address")]);
    },
  );
});

describe("texts of strangers", () => {
  test.each(["meet.open", "meet.speak", "name.claim", "job.post", "job.deliver", "job.accept", evil])(
    "print nothing that controls a terminal in a receipt of %j",
    async (act) => {
      const members = { act, sub: evil, ref: evil, where: evil, jti: evil, poster: evil, [evil]: evil };
      const receipt = strangers(`http://${evil}`, members);
      for (const args of [
        ["--keys", "strange.json"],
        ["--keys", "strange.json", "--json"],
        ["--fetch-keys"],
        [],
      ]) {
        const { status, stdout, stderr } = await verify(receipt, ...args);
        expect([args, status]).toEqual([args, args.includes("--keys") ? 0 : args.length === 1 ? 1 : 2]);
        expect(stdout + stderr).not.toMatch(controls);
      }
      const { payload } = await reportOf(receipt, "--keys", "strange.json");
      expect(payload).toMatchObject({ sub: evil, ref: evil });
    },
  );
});

test("the order of keys does not matter, and further keys do no harm", async () => {
  const receipt = strangers("https://wharf.example");
  writeFileSync(join(directory, "many.json"), JSON.stringify({ keys: [publicJwk(other), publicJwk(key)] }));
  expect((await reportOf(receipt, "--keys", "many.json")).holds).toBe(true);
});

test.each([
  [["--keys", "jwks.json", "--fetch-keys"], 2, "give one of --keys, --url and --fetch-keys"],
  [["--url", "x"], 2, "--url must be an http or https address"],
  [["--keys", "jwks.json", "--sha256", "5"], 2, "--sha256 must be 64 hex characters"],
  [["--keys", "jwks.json", "--sha256", "5", "--text", "jwks.json"], 2, "give one of --text and --sha256"],
  [["none", "--keys", "jwks.json"], 1, "none"],
  [["--keys", "none"], 1, "none"],
  [["--keys", "receipt"], 1, "receipt is no JWK set"],
  [["--url", "http://127.0.0.1:1"], 1, "http://127.0.0.1:1/.well-known/jwks.json cannot be reached"],
])("%j ends with status %d", async (args, status, sentence) => {
  const failed = await verify(issued[0]!.receipt, ...args);
  expect(failed).toEqual({ status, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(failed.stderr).toMatch(/^wharf: .+\n$/);
});

test("a receipt is found in a line of its own, also of JSON", async () => {
  const [one, two] = issued.map(({ receipt }) => receipt);
  for (const text of [
    `The job is delivered. Its receipt:\n${one}\n`,
    `The job is delivered. Its receipt:\r\n${one}\r\nThat is all.`,
    `result:\n    ${two}\naccepted:\n    Fine.\nthe receipt of the review:\n${one}\n`,
    `{"kind": "begin"}\n{"kind": "receipt", "receipt": "${one}"}\n{"kind": "end"}\n`,
  ]) {
    const { holds, payload } = await reportOf(text, "--keys", "jwks.json");
    expect([text, holds, payload!.jti]).toEqual([text, true, payloadOf(one!).jti as string]);
  }
});

test("a text or JSON with no receipt, or with several, is a usage error", async () => {
  const [one, two] = issued.map(({ receipt }) => receipt);
  for (const [text, sentence] of [
    ["{}", "there is no receipt in it: give one"],
    ["5", "no receipt"],
    ["", "no receipt"],
    ["Nothing here.\nwww.wharf.example\n", "no receipt"],
    [`see ${one}`, "no receipt"],
    [`result:\n    ${one}`, "no receipt"],
    [JSON.stringify([{ receipt: one }, { receipt: two }]), "there are 2 receipts in it: give one"],
    [`${one}\n${two}\n`, "2 receipts"],
    [`{"receipt": "${one}"}\n{"receipt": "${two}"}\n`, "2 receipts"],
  ] as const) {
    const { status, stdout, stderr } = await verify(text, "--keys", "jwks.json");
    expect([text, status, stdout, stderr]).toEqual([text, 2, "", expect.stringContaining(sentence)]);
  }
});
