/** Copies of an instance: they and the original never contradict each other's beacon. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import type { BeaconDay, BeaconOverview, BeaconRound } from "../../../src/api/beacon/beacon.ts";
import { verifyDays } from "../../../src/verifier/verify.ts";
import { readKeys } from "../../../src/verifier/jws.ts";
import type { PublicKey, Verdict } from "../../../src/api/receipts/receipts.ts";
import { FakeClock } from "../../support/clock.ts";
import { copyDirectory } from "../../support/directories.ts";
import { get, post } from "../../support/http.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";

const day_seconds = 86_400;
let folder: string;
let services: SourceService[];
beforeEach(() => {
  folder = newDirectory();
  services = [];
});
afterEach(async () => {
  for (const service of services) await service.stop();
  removeDirectory(folder);
});

let seed = 0;
async function startIn(name: string, start: string, settings = {}): Promise<SourceService> {
  const data_dir = join(folder, name);
  const clock = new FakeClock(start);
  // Each start is another boot of a machine, so that only its wall clock counts.
  seed++;
  for (let boot = 0; boot < seed; boot++) clock.reboot();
  const service = await startSource({ data_dir, ...settings }, clock, seed);
  services.push(service);
  // The first answer publishes the days that are due.
  if ((await get(`${service.url}/api/beacon`)).status >= 500) throw new Error("The beacon does not answer.");
  return service;
}

async function stop(service: SourceService): Promise<void> {
  services = services.filter((other) => other !== service);
  await service.stop();
}

const overviewOf = async ({ url }: SourceService) => (await get<BeaconOverview>(`${url}/api/beacon`)).body;
const keysOf = async ({ url }: SourceService) =>
  (await get<{ keys: PublicKey[] }>(`${url}/.well-known/jwks.json`)).body.keys;
const kidOf = (statement: string): string =>
  (JSON.parse(Buffer.from(statement.split(".")[0]!, "base64url").toString()) as { kid: string }).kid;
const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(first) + i * day_seconds * 1000).toISOString().slice(0, 10),
  );
const separations = (service: SourceService) =>
  service.output().match(/"event":"instance\.separated"/g) ?? [];

/** Collects everything that instances say of the beacon, and fails at the first contradiction. */
class Witness {
  /** Statements by day and key. */
  readonly statements = new Map<string, string>();
  readonly #commits = new Map<string, string>();

  async look(service: SourceService, days: string[]): Promise<void> {
    for (const day of days) {
      const { status, body } = await get<BeaconDay>(`${service.url}/api/beacon/days/${day}`);
      if (status !== 200) continue;
      const by = `${day} by ${kidOf(body.statement)}`;
      expect([by, this.statements.get(by) ?? body.statement]).toEqual([by, body.statement]);
      this.statements.set(by, body.statement);
      await this.#lookAtSeed(service, by, body);
    }
  }

  /** Compares a seed of the day with the commitment of every instance that signed the day with this key. */
  async #lookAtSeed(service: SourceService, by: string, day: BeaconDay): Promise<void> {
    const index = 700;
    const commit = this.#commits.get(by) ?? day.commits[index]!;
    this.#commits.set(by, commit);
    const { body } = await get<BeaconRound>(`${service.url}/api/beacon/${day.first_round + index}`);
    expect([by, body.commit]).toEqual([by, commit]);
    if (body.seed !== null) expect([by, Bun.SHA256.hash(body.seed, "hex")]).toEqual([by, commit]);
  }
}

describe("a copied directory", () => {
  test("never contradicts the original, nor a copy of the copy, in four weeks", async () => {
    const original = await startIn("original", "2026-03-01T12:00:00Z");
    const first = (await overviewOf(original)).days.first;
    await stop(original);
    copyDirectory(join(folder, "original"), join(folder, "copy"));
    const pair = [
      await startIn("original", "2026-03-05T12:00:00Z"),
      await startIn("copy", "2026-03-05T12:00:00Z"),
    ];
    const witness = new Witness();
    for (let day = 5; day < 33; day++) {
      if (day === 16) {
        // A copy of the copy, started three days later.
        const [copy] = pair.splice(1, 1);
        await stop(copy!);
        copyDirectory(join(folder, "copy"), join(folder, "second"));
        const now = new Date(pair[0]!.clock.now()).toISOString();
        pair.push(await startIn("copy", now), await startIn("second", now));
      }
      // A seed of the day before is out, and the days through next week are published.
      const days = day === 32 ? daysFrom(first, day + 9) : daysFrom(first, day + 9).slice(-10);
      for (const service of pair) await witness.look(service, days);
      for (const { clock } of pair) clock.sleep(day_seconds);
    }
    // Each of the three signed days of its own.
    const kids = new Set([...witness.statements.keys()].map((by) => by.split(" by ")[1]));
    expect(kids.size).toBe(3);
    for (const service of pair) {
      const { days } = await overviewOf(service);
      const keys = await readKeys(JSON.stringify({ keys: await keysOf(service) }));
      const read = async (path: string) => {
        const { status, body } = await get<object>(service.url + path);
        return status === 200 ? body : null;
      };
      const { checks } = await verifyDays(read, keys, days);
      expect(checks.filter(({ holds }) => !holds)).toEqual([]);
      const left = checks.filter(({ what }) => what.includes("not issued, because"));
      expect(left.length).toBe(service === pair[0] ? 0 : service === pair[1] ? 4 : left.length);
    }
  }, 240_000);

  test("leaves the days that the original may have published, says so, and goes on with the next", async () => {
    const original = await startIn("original", "2026-03-01T12:00:00Z");
    const { body: claimed } = await post<{ receipt: string }>(`${original.url}/api/name`, { name: "Grace" });
    expect((await overviewOf(original)).days.last).toBe("2026-03-09");
    await stop(original);
    copyDirectory(join(folder, "original"), join(folder, "copy"));
    const copy = await startIn("copy", "2026-03-04T12:00:00Z");
    const { days } = await overviewOf(copy);
    expect(days).toEqual({
      first: "2026-03-01",
      last: "2026-03-09",
      not_issued: [{ first: "2026-03-10", last: "2026-03-12" }],
    });
    const refused = await get(`${copy.url}/api/beacon/days/2026-03-11`);
    expect(refused).toMatchObject({
      status: 404,
      body: { code: "not_issued", detail: expect.stringContaining("2026-03-10 to 2026-03-12") },
    });
    const round = Date.parse("2026-03-11T10:00:00Z") / 60_000;
    expect(await get(`${copy.url}/api/beacon/${round}`)).toMatchObject({
      status: 404,
      body: { code: "not_issued" },
    });
    expect((await get(`${copy.url}/api/beacon/days/2026-03-13`)).body).toMatchObject({ code: "not_yet" });
    for (const page of ["/beacon", "/beacon.md"]) {
      const text = await (await fetch(copy.url + page)).text();
      expect(text).toContain("Not issued: 2026-03-10 to 2026-03-12.");
    }

    const [active, retired] = await keysOf(copy);
    expect(separations(copy)).toHaveLength(1);
    expect(copy.output()).toContain(active!.kid);
    const { body: verdict } = await post<Verdict>(`${copy.url}/receipt/verify`, { receipt: claimed.receipt });
    expect(verdict.verdict).toBe("valid");
    expect(kidOf(claimed.receipt)).toBe(retired!.kid);

    copy.clock.sleep(day_seconds);
    const { body: next } = await get<BeaconDay>(`${copy.url}/api/beacon/days/2026-03-13`);
    const { body: last } = await get<BeaconDay>(`${copy.url}/api/beacon/days/2026-03-09`);
    expect(kidOf(next.statement)).toBe(active!.kid);
    expect(kidOf(last.statement)).toBe(retired!.kid);
    expect(next.prev).toBe(Bun.SHA256.hash(last.statement, "hex"));
  });

  test("is separated once, also if it is moved and started again", async () => {
    await stop(await startIn("original", "2026-03-01T12:00:00Z"));
    copyDirectory(join(folder, "original"), join(folder, "copy"));
    const copy = await startIn("copy", "2026-03-02T12:00:00Z");
    const keys = await keysOf(copy);
    expect(keys).toHaveLength(2);
    await stop(copy);
    renameSync(join(folder, "copy"), join(folder, "moved"));
    const moved = await startIn("moved", "2026-03-03T12:00:00Z");
    expect(separations(moved)).toEqual([]);
    expect(await keysOf(moved)).toEqual(keys);
  });

  test("is the original with --moved", async () => {
    const original = await startIn("original", "2026-03-01T12:00:00Z");
    const keys = await keysOf(original);
    await stop(original);
    copyDirectory(join(folder, "original"), join(folder, "copy"));
    const moved = await startIn("copy", "2026-03-02T12:00:00Z", { moved: true });
    expect(separations(moved)).toEqual([]);
    expect(await keysOf(moved)).toEqual(keys);
    expect((await overviewOf(moved)).days).toEqual({ first: "2026-03-01", last: "2026-03-10" });
    await stop(moved);
    const again = await startIn("copy", "2026-03-03T12:00:00Z");
    expect(separations(again)).toEqual([]);
  });
});
