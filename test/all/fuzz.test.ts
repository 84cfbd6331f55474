/** Random calls over HTTP and MCP, as bytes, against the binary: no fault of the service, and memory and descriptors stay flat. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { mcp_limits } from "../../src/mcp/limits.ts";
import { documentedCall, sentForm } from "../support/fuzz/http_calls.ts";
import { newFixtures, readDocuments, type Documents, type Fixtures } from "../support/fuzz/fixtures.ts";
import { faultIn, faultInCall, faultInMessage, kindOf } from "../support/fuzz/judge.ts";
import { mcpCall } from "../support/fuzz/mcp_calls.ts";
import { randomOf, type Random } from "../support/fuzz/random.ts";
import { rawRequest } from "../support/fuzz/raw_requests.ts";
import { bytesOf, exchange, type Heard, type Sent } from "../support/fuzz/request.ts";
import { get, keepNoConnections } from "../support/http.ts";
import { beginSession, message } from "../support/mcp_messages.ts";
import { memoryOf } from "../support/process_memory.ts";
import { testRandom } from "../support/seed.ts";
import { startBinary } from "../support/service.ts";

/** How long calls are made. */
const seconds = Number(process.env.WHARF_TEST_SECONDS ?? 20);
/** `lane:n` makes the attempts of one lane up to the nth again, from the one at which its rooms and names were made. */
const again = process.env.WHARF_TEST_ATTEMPT?.split(":");
/** How many attempts of a lane are about the same rooms and names. */
const attempts_with_fixtures = 500;

let service: Awaited<ReturnType<typeof startBinary>>;
let documents: Documents;
beforeAll(async () => {
  service = await startBinary({ webhooks: true, log_level: "error", rate_limit: false });
  // The service closes a connection that nobody uses for 10 seconds, and that may be while a call is sent on it.
  keepNoConnections(Number(new URL(service.url).port));
  documents = await readDocuments(service);
});
afterAll(() => service.stop());

/** An attempt: its bytes, and what is wrong with an answer to it. */
interface Attempt {
  bytes: Buffer;
  fault(heard: Heard): string | null;
}

const ofCall = (sent: Sent): Attempt => ({
  bytes: bytesOf(sent),
  fault: (heard) => faultInCall(sent, heard),
});

const kinds: Record<string, (fixtures: Fixtures, random: Random) => Attempt> = {
  http: (fixtures, random) => ofCall(documentedCall(documents, fixtures, random)),
  forms: (fixtures, random) => ({ bytes: bytesOf(sentForm(fixtures, random)), fault: () => null }),
  mcp: (fixtures, random) => ({
    bytes: bytesOf(mcpCall(documents, fixtures, random)),
    fault: (heard) => faultInMessage(heard, documents.codes),
  }),
  raw(fixtures, random) {
    const call = random.once(3) ? mcpCall : documentedCall;
    return { bytes: rawRequest(call(documents, fixtures, random), random), fault: () => null };
  },
};
/** Lanes run side by side. Broken requests are many, because the service waits for the rest of most of them. */
const lanes = [
  "http-1",
  "http-2",
  "forms-1",
  "mcp-1",
  "mcp-2",
  ...Array.from({ length: 10 }, (_, i) => `raw-${i + 1}`),
];

interface Counted {
  attempts: number;
  /** How many answers there were of each kind. */
  answers: Record<string, number>;
  faults: string[];
}

const add = (counts: Record<string, number>, name: string, count: number) =>
  void (counts[name] = (counts[name] ?? 0) + count);

/** Makes the attempts of a lane while `continues` says so. */
async function run(
  lane: string,
  seed: number,
  continues: (n: number) => boolean,
  from = 0,
): Promise<Counted> {
  const counted: Counted = { attempts: 0, answers: {}, faults: [] };
  const kind = kinds[lane.split("-")[0]!]!;
  let fixtures: Fixtures | undefined;
  for (let n = from; continues(n) && counted.faults.length < 20; n++) {
    if (!fixtures || n % attempts_with_fixtures === 0) fixtures = await newFixtures(service.url);
    const { bytes, fault } = kind(fixtures, randomOf(seed, lane, n));
    const heard = await exchange(service.url, bytes);
    counted.attempts++;
    add(counted.answers, kindOf(heard), 1);
    const found = faultIn(heard, documents.codes) ?? fault(heard);
    if (found === null) continue;
    const sent = bytes.toString("latin1").slice(0, 700);
    counted.faults.push(
      `WHARF_TEST_SEED=${seed} WHARF_TEST_ATTEMPT=${lane}:${n} ${found}\n${sent}\n→ ${heard.headers.slice(0, 300)}\n${heard.body.slice(0, 300)}`,
    );
  }
  return counted;
}

const descriptors = (): number => readdirSync(`/proc/${service.process.pid}/fd`).length;

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** The number of descriptors when nobody calls and it changes no more: what callers left is closed by and by. */
async function descriptorsAtRest(): Promise<number> {
  let unchanged = 0;
  let last = descriptors();
  for (let looks = 0; unchanged < 10 && looks < 300; looks++) {
    await Bun.sleep(200);
    const now = descriptors();
    unchanged = now === last ? unchanged + 1 : 0;
    last = now;
  }
  return last;
}

/** Runs all lanes for some seconds. `watch` is called with the share of the time that has passed. */
async function runAll(seed: number, for_seconds: number, watch: (share: number) => void): Promise<Counted[]> {
  const begun_ms = performance.now();
  const share = () => (performance.now() - begun_ms) / 1000 / for_seconds;
  const timer = setInterval(() => watch(share()), Math.min(5_000, for_seconds * 20));
  try {
    return await Promise.all(lanes.map((lane) => run(lane, seed, () => share() < 1)));
  } finally {
    // A look at a service that has ended would fail the tests after this one.
    clearInterval(timer);
  }
}

const sum = (all: Record<string, number>[]): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) add(total, name, count);
  return total;
};
const listed = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Begins as many sessions as have a server at a time, and makes one for each: a call that is not ordinary needs it. */
async function fillSessions(): Promise<void> {
  const url = `${service.url}/mcp`;
  for (let i = 0; i < mcp_limits.mcp_sessions_live_max; i++) {
    const session = await beginSession(url);
    const headers = {
      ...session,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify(message("logging/setLevel", { level: "info" }));
    await (await fetch(url, { method: "POST", headers, body })).text();
  }
}

async function callsLeaveNothing(): Promise<void> {
  const { seed } = testRandom("fuzz");
  // Memory is compared when what has a limit is full: the calls take half an hour to begin so many sessions.
  if (seconds >= 600) await fillSessions();
  // What is loaded and opened at the first use stays.
  const warm = await runAll(seed + 1, Math.min(seconds / 4, 10), () => {});
  const open_before = await descriptorsAtRest();
  const measured: { share: number; bytes: number }[] = [];
  const counted = await runAll(seed, seconds, (share) =>
    measured.push({ share, bytes: memoryOf(service.process, "Pss_Anon") }),
  );
  const open_after = await descriptorsAtRest();
  const within = (from: number, to: number) =>
    median(measured.filter(({ share }) => share >= from && share < to).map(({ bytes }) => bytes));
  const quarters = [0, 0.25, 0.5, 0.75].map((from) => within(from, from + 0.25));
  const by_kind = sum(counted.map(({ attempts }, i) => ({ [lanes[i]!.split("-")[0]!]: attempts })));
  console.log(
    `MEASURED: ${listed(by_kind)}; answers: ${listed(sum(counted.map(({ answers }) => answers)))}; memory in ` +
      `each quarter ${quarters.map(mb).join(", ")}; descriptors ${open_before} before, ${open_after} after`,
  );
  const logged = service.output().trim().split("\n").slice(1);
  expectNone([...[...warm, ...counted].flatMap(({ faults }) => faults), ...logged]);
  expect((await get(`${service.url}/readyz`)).status).toBe(200);
  // A few are files that a thread opens when it is first needed. A leak would be one of many thousand calls.
  expect(open_after).toBeLessThanOrEqual(open_before + 16);
  // The second quarter ends when every session in use has been called. Later differences are load: what is under way, and caches.
  if (seconds < 600) return;
  expect(quarters[3]).toBeLessThan(quarters[1]! * 1.1);
  expect(quarters[3]).toBeLessThan(quarters[2]! * 1.1);
}

/** Throws an error whose first line is the first fault: a summary of many tests shows no more. */
function expectNone(faults: string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n\n"));
}

async function sameAttempts(lane: string, n: number): Promise<void> {
  const { seed } = testRandom("fuzz");
  const { faults } = await run(lane, seed, (i) => i <= n, n - (n % attempts_with_fixtures));
  expectNone(faults);
}

const limit_ms = (seconds * 2 + 180) * 1000;
const [lane, number] = again ?? [];
if (lane !== undefined) test(`${lane}:${number} again`, () => sameAttempts(lane, Number(number)), limit_ms);
else test("no call is a fault of the service, and none leaves anything behind", callsLeaveNothing, limit_ms);
