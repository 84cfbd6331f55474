/** `wharf beacon verify` against an honest service, and against services with each kind of false answer. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign as signWith, type KeyObject } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BeaconDay, BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { treeOf, rootOf } from "../../src/beacon/merkle.ts";
import type { Report } from "../../src/cli/commands/beacon.ts";
import { get } from "../support/http.ts";
import { binary } from "../support/binary.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";

let service: TestService;
let past: number;
let today: string;
const directory = newDirectory();
beforeAll(async () => {
  service = await startBinary();
  const { last_revealed, days } = (await get<BeaconOverview>(`${service.url}/api/beacon`)).body;
  past = last_revealed!.round;
  today = days.last;
});
afterAll(async () => {
  await service.stop();
  removeDirectory(directory);
});

async function verify(...args: string[]) {
  const child = Bun.spawn([binary(), "beacon", "verify", ...args], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, stdout, stderr };
}

async function report(url: string, ...args: string[]): Promise<Report & { exit: number }> {
  const { exit, stdout, stderr } = await verify("--json", "--url", url, ...args);
  if (stderr) throw new Error(stderr);
  return { exit, ...(JSON.parse(stdout) as Report) };
}

type Lie = (path: string, answer: never) => unknown;

/** A service between the verifier and the real one that changes some answers. */
async function lying(lie: Lie, use: (url: string) => Promise<void>): Promise<void> {
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const response = await fetch(service.url + pathname + search);
      if (!response.ok) return response;
      const changed = lie(pathname, (await response.json()) as never);
      return changed === null ? new Response(null, { status: 404 }) : Response.json(changed);
    },
  });
  try {
    await use(server.url.href);
  } finally {
    await server.stop(true);
  }
}

const wrong = (found: Report) => found.checks.filter(({ holds }) => !holds).map(({ what }) => what);
const flipped = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);

describe("the verifier of an honest service", () => {
  test.each([
    [[]],
    [["--draw", "label=lunch"]],
    [["--draw", "label=lunch&int=1..6"]],
    [["--draw", "int=-1000000..1000000"]],
    [["--draw", "pick=a,b,c,d&n=2"]],
    [["--draw", "label=%C3%BC&shuffle=a,b,c,d,e,f"]],
  ])("confirms a round with %j", async (args) => {
    const found = await report(service.url, String(past), ...args);
    expect(wrong(found)).toEqual([]);
    expect(found).toMatchObject({ exit: 0, holds: true });
    expect(found.checks.length).toBeGreaterThanOrEqual(7);
  });

  test("confirms the last round in words, and the commitment of a coming round", async () => {
    const { exit, stdout } = await verify("--url", service.url);
    expect(exit).toBe(0);
    expect(stdout).toContain("ok    the commit is the SHA-256 of the seed");
    expect(stdout).toContain("everything holds");
    const found = await report(service.url, String(past + 20));
    expect(found).toMatchObject({ exit: 0, holds: true, drawn: null });
    expect(found.checked).toContain("not out yet");
  });

  test("confirms every day with the saved key and the earlier statements", async () => {
    const key = join(directory, "key.pem");
    writeFileSync(key, await (await fetch(`${service.url}/receipt/key.pem`)).text());
    const first = await report(service.url, "--all", "--key", key);
    expect(first).toMatchObject({ exit: 0, holds: true, keys: key });
    expect(first.statements!.length).toBeGreaterThanOrEqual(9);
    const known = join(directory, "known");
    writeFileSync(known, first.statements!.join("\n"));
    expect(await report(service.url, "--all", "--known", known)).toMatchObject({ exit: 0, holds: true });
  });

  test("confirms copies without a network", async () => {
    const keep = async (path: string) => {
      const file = join(directory, "copy", `${path}.json`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await (await fetch(service.url + path)).text());
    };
    for (const path of [`/api/beacon/${past}`, "/.well-known/jwks.json"]) await keep(path);
    const copy = `file://${join(directory, "copy")}`;
    const found = await report(copy, String(past), "--draw", "label=lunch&int=1..6");
    const { draw } = (await get<BeaconRound>(`${service.url}/api/beacon/${past}?label=lunch&int=1..6`)).body;
    expect(found).toMatchObject({ exit: 0, holds: true, drawn: { result: draw!.result } });
  });
});

describe("refuses a false round", () => {
  const cases: [string, (round: BeaconRound) => object, string][] = [
    ["seed", ({ seed }) => ({ seed: flipped(seed!) }), "the commit is the SHA-256 of the seed"],
    ["commit", ({ commit }) => ({ commit: flipped(commit) }), "the proof leads from the commit to the root"],
    [
      "seed and commit together",
      () => ({ seed: "0".repeat(64), commit: Bun.SHA256.hash("0".repeat(64), "hex") }),
      "the proof leads from the commit to the root",
    ],
    [
      "a hash of the proof",
      ({ proof }) => ({ proof: { ...proof, path: proof.path.with(3, flipped(proof.path[3]!)) } }),
      "the proof leads from the commit to the root",
    ],
    [
      "a proof that is too short",
      ({ proof }) => ({ proof: { ...proof, path: proof.path.slice(1) } }),
      "the proof leads from the commit to the root",
    ],
    [
      "the place in the tree",
      ({ proof }) => ({ proof: { ...proof, index: proof.index ^ 2 } }),
      "the leaf is the round's own",
    ],
    [
      "another root, with a tree of one leaf",
      ({ commit, proof }) => {
        const root = rootOf(treeOf([Uint8Array.fromHex(commit)]));
        return { proof: { ...proof, root, path: [], rounds: 1, index: 0 } };
      },
      "the signed root is that of the proof",
    ],
    [
      "another round",
      ({ round }) => ({ round: round + 1 }),
      "the answer is about the round that was asked for",
    ],
    [
      "the value",
      ({ value }) => ({ value: { ...value, coin: "edge" } }),
      "the value follows from the seed and the label",
    ],
    ["the draw", ({ draw }) => ({ draw: { ...draw, result: 7 } }), "the draw follows from the value"],
    ["no draw at all", () => ({ draw: undefined }), "the draw follows from the value"],
    [
      "a signature",
      ({ proof }) => ({
        proof: { ...proof, statement: `${proof.statement.slice(0, -20)}AAAAAAAAAAAAAAAAAAAA` },
      }),
      "the root is signed by the key",
    ],
  ];
  test.each(cases)("%s", async (_what, change, refused) => {
    const lie = (path: string, answer: BeaconRound) =>
      path === `/api/beacon/${past}` && typeof change === "function"
        ? { ...answer, ...change(answer) }
        : answer;
    await lying(lie as Lie, async (url) => {
      const found = await report(url, String(past), "--draw", "label=x&int=1..6");
      expect(found).toMatchObject({ exit: 3, holds: false });
      expect(wrong(found)).toContain(refused);
    });
  });
});

/** Signs as the service does, with another key. */
function forged(key: KeyObject, kid: string, payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "EdDSA", typ: "beacon-day+jwt", kid })}.${part(payload)}`;
  return `${signed}.${signWith(null, Buffer.from(signed), key).toString("base64url")}`;
}

describe("the verifier of false days", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  const payloadOf = (statement: string) =>
    JSON.parse(Buffer.from(statement.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
  const kidOf = (statement: string) =>
    (JSON.parse(Buffer.from(statement.split(".")[0]!, "base64url").toString()) as { kid: string }).kid;
  const onDay = (change: (day: BeaconDay) => object): Lie =>
    ((path: string, answer: BeaconDay) =>
      path === `/api/beacon/days/${today}` ? { ...answer, ...change(answer) } : answer) as Lie;

  test("detects a changed commitment of a day", async () => {
    const lie = onDay(({ commits }) => ({ commits: commits.with(5, flipped(commits[5]!)) }));
    await lying(lie, async (url) => {
      const found = await report(url, "--all");
      expect(found.exit).toBe(3);
      expect(wrong(found)).toContain(`${today}: the root is that of its commits`);
    });
  });

  test("detects a foreign key, under its own id and under the service's", async () => {
    for (const own of [true, false]) {
      const lie = onDay(({ statement }) => ({
        statement: forged(privateKey, own ? "mine" : kidOf(statement), payloadOf(statement)),
      }));
      await lying(lie, async (url) => {
        const found = await report(url, "--all");
        expect(found.exit).toBe(3);
        expect(wrong(found)).toContain(`${today}: the root is signed by the key`);
      });
    }
  });

  /** A service that shows a key of its own and signs one day anew with it. */
  const withOwnKey = (change: (payload: Record<string, unknown>) => object): Lie =>
    ((path: string, answer: never) => {
      if (path === "/.well-known/jwks.json") {
        const { keys } = answer as { keys: object[] };
        return { keys: [...keys, { kty: "OKP", crv: "Ed25519", kid: "mine", x }] };
      }
      return onDay(({ statement }) => ({
        statement: forged(privateKey, "mine", change(payloadOf(statement))),
      }))(path, answer);
    }) as Lie;

  test("detects a round with a statement about another day, which nobody can read", async () => {
    const own = withOwnKey((payload) => payload);
    const lie = ((path: string, answer: never) => {
      if (path !== `/api/beacon/${past}`) return own(path, answer);
      const { proof } = answer as BeaconRound;
      const statement = forged(privateKey, "mine", { ...payloadOf(proof.statement), day: "1999-01-01" });
      return { ...(answer as BeaconRound), proof: { ...proof, statement } };
    }) as Lie;
    await lying(lie, async (url) => {
      const found = await report(url, String(past));
      expect(found).toMatchObject({ exit: 3, holds: false });
      expect(wrong(found)).toEqual([
        "the statement is about the day of the round",
        "there is one statement about 1999-01-01",
      ]);
    });
  });

  test("detects a round of a day that the service does not show", async () => {
    const lie = ((path: string, answer: never) =>
      path.startsWith("/api/beacon/days/") ? null : answer) as Lie;
    await lying(lie, async (url) => {
      const found = await report(url, String(past));
      expect(found.exit).toBe(3);
      expect(wrong(found)).toEqual([expect.stringMatching(/^there is one statement about \d{4}-/)]);
    });
  });

  test("detects a broken chain", async () => {
    await lying(
      withOwnKey((payload) => ({ ...payload, prev: "0".repeat(64) })),
      async (url) => {
        const found = await report(url, "--all");
        expect(found.exit).toBe(3);
        expect(wrong(found)).toEqual([`${today}: the statement follows the one before`]);
      },
    );
  });

  test("detects a statement about another day or with another root", async () => {
    for (const [change, refused] of [
      [{ day: "2020-01-01" }, "the statement is about this day"],
      [{ first_round: 0 }, "the statement is about this day"],
      [{ root: "0".repeat(64) }, "the statement signs this root"],
      [{ rounds: 2880 }, "the statement signs this root"],
    ] as const) {
      await lying(
        withOwnKey((payload) => ({ ...payload, ...change })),
        async (url) => expect(wrong(await report(url, "--all"))).toContain(`${today}: ${refused}`),
      );
    }
  });

  test("detects a second statement for a day by comparison with the saved ones", async () => {
    const { statements } = await report(service.url, "--all");
    const known = join(directory, "known");
    writeFileSync(known, statements!.join("\n"));
    await lying(
      withOwnKey((payload) => ({ ...payload, iss: "another" })),
      async (url) => {
        const found = await report(url, "--all", "--known", known);
        expect(found.exit).toBe(3);
        expect(found.checks).toContainEqual({
          what: `${today}: there is one statement`,
          holds: false,
          found: `two signed statements about ${today}: keep both, they are evidence`,
        });
      },
    );
  });

  test("detects two statements for one day, in the proof and in the day", async () => {
    const day = new Date(past * 60_000).toISOString().slice(0, 10);
    const lie = (path: string, answer: never) => {
      if (path === "/.well-known/jwks.json") return withOwnKey((payload) => payload)(path, answer);
      if (path !== `/api/beacon/${past}`) return answer;
      const { proof } = answer as BeaconRound;
      const statement = forged(privateKey, "mine", payloadOf(proof.statement));
      return { ...(answer as BeaconRound), proof: { ...proof, statement } };
    };
    await lying(lie, async (url) => {
      const found = await report(url, String(past));
      expect(found.exit).toBe(3);
      expect(wrong(found)).toEqual([`there is one statement about ${day}`]);
    });
  });
});

describe("reports in one sentence, with status 1, what it cannot check", () => {
  test.each([
    [["--url", "http://127.0.0.1:1"], "wharf: "],
    [["999999999999", "--url", "SERVICE"], "425"],
    [["1", "--url", "SERVICE"], "there is nothing at /api/beacon/1"],
    [["--url", "file:///nowhere"], "no keys at"],
    [["--url", "SERVICE", "--key", "/nowhere"], "/nowhere"],
  ])("%j", async (args, sentence) => {
    const { exit, stderr } = await verify(...args.map((arg) => arg.replace("SERVICE", service.url)));
    expect(exit).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
