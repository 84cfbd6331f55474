/** Every example in every document works: extracted from the text and run unchanged. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BeaconRound } from "../../src/api/beacon/beacon.ts";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { error_catalog, type ErrorCode } from "../../src/app/error_catalog.ts";
import { statusOf } from "../../src/web/problems.ts";
import { binary } from "../support/binary.ts";
import { blocksOf, cannot_run, runBlocks, type Call, type CodeBlock } from "../support/examples.ts";
import { get, post } from "../support/http.ts";
import { oldClient, oldClientOver } from "../support/mcp_clients.ts";
import { databaseOf } from "../support/postgres.ts";
import { startBinary, type TestService } from "../support/service.ts";

/** The beginnings of blocks that are not run, and why. */
const left_out: [beginning: string, why: string][] = [
  ["npx -y bun@1.4.5 run build", "installs packages; what it builds is what all these tests run"],
  ["claude mcp add", "needs that client; its address is connected to below"],
  ["code --add-mcp", "needs that editor; its entry is connected to below"],
];
const isLeftOut = ({ text }: CodeBlock) => left_out.some(([beginning]) => text.startsWith(beginning));
const isRefused = ({ status }: Call) => status < 200 || status > 299;
/** Run by others: recipes of proxies by test/all/proxies.test.ts, files of Prometheus by test/all/metrics.test.ts. */
const run_elsewhere = ["json", "nginx", "caddyfile", "yaml"];
const isShell = ({ language }: CodeBlock) => language === "sh" || language === "bash";

/**
 * Lines that read a block of TOML: settings of the service, or of the guard of leases. Both refuse keys that they do not know. The guard
 * calls no service for which no key is saved, and says so.
 */
const readerOf = (toml: string): string =>
  /^room = /m.test(toml)
    ? `cd "$(mktemp -d)"\ncat > .wharf-leases.toml <<'END'\n${toml}END\nwharf lease guard app/new.ts 2> >(grep -v 'no key is saved' >&2)`
    : `wharf config --config <(cat <<'END'\n${toml}END\n)`;

const root = join(import.meta.dir, "../..");
/** The documents of the repository that have blocks in a language, such as sh. test/client runs TypeScript. */
const written = ["*.md", "docs/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  // test/dev/document.test.ts runs the blocks for `wharf dev`, test/all/readme.test.ts those of the README, on a bare machine, and
  // test/all/lease_fight.test.ts the recipes for hooks; test/release/listing.test.ts reads the lines for an AGENTS.md.
  .filter((path) => !["docs/dev.md", "README.md", "docs/leases.md", "docs/plugins.md"].includes(path))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
  .filter(({ text }) => /^```(?!ts$)\w/m.test(text));
/** The length of the beacon's rounds for the toss of SKILL.md. */
const round_seconds = 3;
const written_base = "http://127.0.0.1:4273";
const written_directory = "./wharf-data";

/** A document and how to read it from a service. */
const documents: [string, (service: TestService) => Promise<string>][] = [
  ...written.map(({ path, text }): [string, (service: TestService) => Promise<string>] => [
    path,
    async ({ url, directory }) => {
      const { database } = databaseOf(directory);
      const doctor = database ? `WHARF_DATABASE='${database}' wharf doctor` : "wharf doctor";
      return text
        .replaceAll(written_base, url)
        .replaceAll(written_directory, directory)
        .replaceAll("wharf doctor", doctor);
    },
  ]),
  ...[
    "/llms.txt",
    "/SKILL.md",
    "/api/docs/beacon-check.md",
    "/api/docs/mcp.md",
    "/api/docs/receipts.md",
    "/mcp.md",
    "/mcp/meet.md",
    "/mcp/meet/a-room.md",
  ].map((path): [string, (service: TestService) => Promise<string>] => [
    path,
    async ({ url }) => {
      if (path.includes("a-room")) await post(`${url}/api/meet/rooms`, { goal: "A room", name: "Ada" });
      return (await fetch(url + path)).text();
    },
  ]),
];

const text_of_documents: string[] = [];

describe.skipIf(cannot_run).each(documents)("%s", (name, read) => {
  let service: TestService;
  let blocks: CodeBlock[];
  let text: string;
  beforeAll(async () => {
    // With the default limits: a reader who follows a document stays within them.
    // Its toss waits for a round to begin and to end, which takes at least two minutes with rounds of the default length.
    const rounds = name === "/SKILL.md" ? { round_seconds } : {};
    service = await startBinary({ rate_limit: true, ...rounds });
    text = await read(service);
    blocks = blocksOf(text);
    text_of_documents.push(text);
  });
  afterAll(() => service.stop());

  test("all its shell lines run, and every call in them succeeds", async () => {
    const scripts = blocks.filter((block) => isShell(block) && !isLeftOut(block)).map(({ text }) => text);
    expect(scripts.length).toBeGreaterThan(0);
    const ran = await runBlocks(scripts);
    expect(ran.calls.filter(isRefused)).toEqual([]);
    expect(ran.faults).toBe("");
    expect([ran.exit_code, ran.outputs.length]).toEqual([0, scripts.length]);
    expect(ran.outputs.join("")).not.toContain('"isError":true');
    if (name === "/api/docs/beacon-check.md")
      checkBeacon(ran.outputs[scripts.findIndex((block) => block.includes("# The round:"))]!);
  });

  test("all its configurations lead a client to the tools that it names", async () => {
    const is_of_mcp = name.startsWith("/mcp");
    const entries = blocks
      .filter(({ language }) => language === "json" && !name.startsWith("/api/docs/"))
      .map(({ text }) => entryIn(text));
    const commands = Array.from(
      text.matchAll(/^claude mcp add --transport http wharf (\S+)$/gm),
      ([, url]) => url!,
    );
    const added = Array.from(text.matchAll(/^code --add-mcp '(.+)'$/gm), ([, entry]) => entryIn(entry!));
    for (const entry of new Set([...entries, ...commands, ...added])) {
      const client = await (typeof entry === "string" ? oldClient(entry) : oldClientOver(programOf(entry)));
      const tools = await client.tools();
      expect(tools.length).toBeGreaterThan(0);
      if (is_of_mcp) expect(tools.filter((tool) => !text.includes(`\`${tool}\`: `))).toEqual([]);
      await client.close();
    }
    if (is_of_mcp) expect(entries.length + commands.length + added.length).toBe(6);
  });

  test("has no block of another kind but settings files, which can be read", async () => {
    const others = blocks.filter((block) => !isShell(block) && !run_elsewhere.includes(block.language));
    expect(others.filter(({ language }) => language !== "toml")).toEqual([]);
    for (const { text } of others) {
      const ran = await runBlocks([readerOf(text)]);
      expect([ran.faults, ran.exit_code]).toEqual(["", 0]);
    }
  });
});

test.skipIf(cannot_run)(
  "SKILL.md tosses with a round whose commit is read before it begins, and takes no other seed",
  async () => {
    const service = await startBinary({ round_seconds });
    const skill = await (await fetch(`${service.url}/SKILL.md`)).text();
    const [toss, ...more] = blocksOf(skill)
      .map(({ text }) => text)
      .filter((text) => text.includes("/api/beacon"));
    expect(more).toEqual([]);
    const cheated = toss!.replace(/^done$/m, "done\nseed=${seed//[0-9]/a}");
    expect(cheated).not.toBe(toss);
    const began_ms = Date.now();
    const [ran, refused] = await Promise.all([runBlocks([toss!]), runBlocks([cheated])]);
    expect([ran.exit_code, ran.faults, ran.calls.filter(isRefused)]).toEqual([0, "", []]);
    const [chosen, ...read] = ran.calls.map(({ what }) => what);
    expect(chosen).toStartWith(`GET ${service.url}/api/beacon/toss?fields=lean&label=Who+begins`);
    const [line, ...others] = new Set(read.map((what) => new URL(what.slice(4)).searchParams.get("toss")!));
    expect(others).toEqual([]);
    expect(line).toEndWith(": Who begins?; heads: Ada; tails: Bob");
    const { body } = await get<BeaconRound>(
      `${service.url}/api/beacon/toss?${new URLSearchParams({ toss: line! })}`,
    );
    expect(Date.parse(body.starts)).toBeGreaterThan(began_ms);
    const { coin } = body.value!;
    expect(ran.outputs).toEqual([`${coin}\n${coin}\n${coin === "heads" ? "Ada" : "Bob"}\n`]);
    expect([refused.exit_code, refused.outputs]).toEqual([1, [""]]);
    await service.stop();
  },
);

interface Program {
  command: string;
  args: string[];
}

/** The binary with the arguments of a configuration, as a server over standard input and output. */
function programOf({ command, args }: Program): StdioClientTransport {
  expect(command).toBe("wharf");
  return new StdioClientTransport({ command: binary(), args });
}

/** The address or the program in a client's configuration, for any names of its members. */
function entryIn(text: string): string | Program {
  const config = JSON.parse(text) as Record<string, unknown>;
  const { wharf = config } = (config.mcpServers ?? config.servers ?? {}) as { wharf?: object };
  return (wharf as { url?: string }).url ?? (wharf as Program);
}

/** The lines that check the beacon print the reproduced value beside that of the service. */
function checkBeacon(output: string): void {
  const lines = output.trim().split("\n");
  const [commit, said_commit, hex, said_hex, number, said_number, root, said_root, signed_root, signature] =
    lines;
  expect(commit!.slice(0, 64)).toBe(said_commit!);
  expect(hex).toBe(said_hex!);
  expect(Number(number)).toBeWithin(1, 7);
  expect(number).toBe(said_number!);
  expect(root).toMatch(/^[0-9a-f]{64}$/);
  expect([said_root, signed_root]).toEqual([root, root]);
  expect(signature).toBe("Signature Verified Successfully");
}

test.skipIf(cannot_run)("fails on a refused call, a failing line and a missing variable", async () => {
  const service = await startBinary();
  const refused = await runBlocks(["true", `curl -s ${service.url}/nowhere | cat`]);
  expect(refused.calls).toEqual([{ block: 1, status: 404, what: `GET ${service.url}/nowhere` }]);
  await service.stop();
  expect((await runBlocks(["true", "false | true", "true"])).exit_code).toBe(1);
  const missing = await runBlocks(['echo "$nothing"', "true"]);
  expect([missing.exit_code, missing.outputs.length]).toEqual([1, 1]);
  expect(missing.faults).toContain("nothing: unbound variable");
});

test.skipIf(cannot_run)("leaves out only examples that are in a document", () => {
  for (const [beginning] of left_out) {
    const found = text_of_documents.flatMap(blocksOf).some(({ text }) => text.startsWith(beginning));
    expect([beginning, found]).toEqual([beginning, true]);
  }
});

/** The codes that a few lines cannot cause, and why. */
const without_example: Partial<Record<ErrorCode, string>> = {
  lease_spent: "takes 24 hours",
  too_many_leases: "takes hundreds of leases",
  too_many_members: "takes hundreds of members",
  beacon_held: "takes clocks that disagree",
  idempotency_in_progress: "takes a race",
  rate_limited: "would hand out lines that use up somebody's limits",
  too_many_open: "would hand out lines that keep somebody's places",
  internal: "takes a fault of the service",
  webhook_not_found: "takes --webhooks",
  webhook_refused: "takes --webhooks, and a receiver that does not answer",
  webhooks_busy: "takes twenty receivers that do not answer",
  search_busy: "takes more searches than the limit by address allows",
  search_timeout: "takes a large index",
  answers_busy: "takes hundreds of readers at once",
  storage_busy: "takes a fault of the host",
  storage_corrupt: "takes a fault of the host",
  storage_failed: "takes a fault of the host",
  disk_budget: "takes a limit of the host that is reached",
  storage_full: "takes a fault of the host",
  stopping: "takes a service that is being stopped",
  backup_running: "takes an admin",
  scope_missing: "takes an admin",
  token_not_found: "takes an admin",
  tokens_full: "takes an admin",
  post_not_hidden: "takes an admin",
  invite_not_found: "takes an admin",
  client_not_found: "takes an admin",
  report_not_found: "takes an admin",
  cannot_ban: "takes an admin",
  too_many_bans: "takes an admin",
  reports_full: "takes thousands of reports",
  room_deleted: "takes an action of an admin",
  post_removed: "takes a rule of the operator, and time",
  name_suspended: "takes an action of an admin",
  address_banned: "takes an action of an admin",
  claims_closed: "takes an instance with another policy",
  invite_required: "takes an instance with another policy",
  invite_refused: "takes an instance with another policy",
  not_issued: "takes a restored instance",
};

describe.skipIf(cannot_run)("the problem pages", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBinary();
  });
  afterAll(() => service.stop());

  test.each(Object.keys(error_catalog) as ErrorCode[])("%s", async (code) => {
    const twin = await (await fetch(`${service.url}/problems/${code}.md`)).text();
    const [seen, instead, ...more] = blocksOf(twin).map(({ text }) => text);
    expect(more).toEqual([]);
    expect([code, seen === undefined]).toEqual([code, code in without_example]);
    if (seen === undefined) return;
    const ran = await runBlocks(instead === undefined ? [seen] : [seen, instead]);
    expect([ran.faults, ran.exit_code]).toEqual(["", 0]);
    const refused = ran.calls.filter(isRefused);
    expect(refused.map(({ status }) => status)).toEqual([statusOf(error_catalog[code])]);
    expect(ran.outputs[0]).toContain(`"code":"${code}"`);
    expect(ran.calls.filter(({ block }) => block === 0).at(-1)).toBe(refused[0]!);
  });
});
