/** Backups of a running service: at intervals, and the lines that backups for admins have in the audit log. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asOwner, auditOf, socketOf } from "../support/admin.ts";
import { bodiesIn, integrityOf, startWithStorage } from "../support/backups.ts";
import { FakeClock } from "../support/clock.ts";
import { get } from "../support/http.ts";
import { is_on_postgres } from "../support/postgres.ts";
import { open, speak } from "../support/rooms.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  type SourceService,
  type TestSettings,
} from "../support/service.ts";

const hour = 3_600;
const mb = 1_000_000;

let service: SourceService;
let folder: string;
let data_dir: string;
beforeEach(() => {
  folder = join((data_dir = newDirectory()), "elsewhere");
});
afterEach(async () => {
  await service.stop();
  removeDirectory(data_dir);
});

const every_hour = (): TestSettings => ({
  data_dir: join(data_dir, "data"),
  backup_every_seconds: hour,
  backup_keep: 2,
  backup_dir: folder,
});

/** The times in the names of the backups in a folder, such as `20260301T120000Z`. */
const timesIn = (directory: string): string[] =>
  readdirSync(directory)
    .sort()
    .map((name) => /^wharf-[0-9a-f]{8}-(\d{8}T\d{6}Z)\.db$/.exec(name)?.[1] ?? name);

const outcomes = () => service.output().match(/"event":"backup\.(?:made|failed)"/g)?.length ?? 0;

/** Waits until so many backups were made or have failed since the start. */
async function ended(count: number): Promise<void> {
  while (outcomes() < count) await Bun.sleep(5);
  // The timer for the next one is set just after.
  await Bun.sleep(5);
}

describe("backups at intervals", () => {
  test("appear at the interval; after each success only the latest of the own ones stay", async () => {
    service = await startSource(every_hour());
    await ended(1);
    expect(timesIn(folder)).toEqual(["20260301T120000Z"]);
    const foreign = ["wharf-00000000-20200101T000000Z.db", "wharf.db", "notes.txt"];
    for (const name of foreign) writeFileSync(join(folder, name), "mine");
    const room = await open(service.url, "Backups");
    await speak(room, "between");

    service.clock.advance(hour - 1);
    await Bun.sleep(50);
    expect(outcomes()).toBe(1);
    service.clock.advance(1);
    await ended(2);
    expect(outcomes()).toBe(2);
    service.clock.advance(hour);
    await ended(3);
    const own = readdirSync(folder).filter((name) => !foreign.includes(name));
    expect(own.map((name) => name.slice(-19, -3)).sort()).toEqual(["20260301T130000Z", "20260301T140000Z"]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(foreign));
    for (const name of own) {
      expect(integrityOf(join(folder, name))).toBe("ok");
      expect(bodiesIn(join(folder, name))).toContain("between");
    }
    expect(service.output().match(/"event":"backup\.removed"/g)).toHaveLength(1);
  });

  test("continue after a restart at the time of the latest one, and half a file is removed", async () => {
    const clock = new FakeClock();
    service = await startSource(every_hour(), clock);
    await ended(1);
    await service.stop();
    // Another node may be writing a later one into the directory, if there can be others.
    const half = readdirSync(folder)[0]!.replace(
      is_on_postgres ? "0301T12" : "T12",
      is_on_postgres ? "0227T12" : "T11",
    );
    for (const suffix of [".partial", ".partial-wal"]) writeFileSync(join(folder, half + suffix), "half");
    clock.pass(hour / 2);
    service = await startSource(every_hour(), clock);
    expect(timesIn(folder)).toEqual(["20260301T120000Z"]);
    clock.advance(hour / 2 - 60);
    await Bun.sleep(50);
    expect(outcomes()).toBe(0);
    clock.advance(60);
    await ended(1);
    expect(timesIn(folder)).toEqual(["20260301T120000Z", "20260301T130000Z"]);
  });

  test("that fail are logged and remove nothing; the service runs on, and the next one succeeds", async () => {
    service = await startSource({ ...every_hour(), backup_keep: 1 });
    await ended(1);
    const room = await open(service.url, "Backups");
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, "not a directory");
    service.clock.advance(hour);
    await ended(2);
    expect(service.output()).toContain('"event":"backup.failed"');
    expect(service.output()).toContain("cannot be written");
    expect((await speak(room, "after the failure")).status).toBe(201);
    expect((await get(`${service.url}/readyz`)).status).toBe(200);
    expect(timesIn(`${folder}.away`)).toEqual(["20260301T120000Z"]);

    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    service.clock.advance(hour);
    await ended(3);
    expect(timesIn(folder)).toEqual(["20260301T140000Z"]);
    expect(bodiesIn(join(folder, readdirSync(folder)[0]!))).toContain("after the failure");
  });

  test("that fail from the start do not keep the service from starting", async () => {
    writeFileSync(folder, "not a directory");
    service = await startSource(every_hour());
    await ended(1);
    expect(service.output()).toContain("cannot be written");
    rmSync(folder);
    service.clock.advance(hour);
    await ended(2);
    expect(timesIn(folder)).toEqual(["20260301T130000Z"]);
  });

  test("go on an interval after a clock that was in the future was set right", async () => {
    service = await startSource(every_hour(), new FakeClock("2030-01-01T00:00:00.000Z"));
    await ended(1);
    service.clock.set("2026-03-01T12:00:00.000Z");
    while (!service.output().includes('"event":"clock.adopted"')) {
      service.clock.advance(60);
      await service.clock.turn();
    }
    // One look each minute: the interval begins anew at the first one after the step.
    service.clock.advance(hour + 60);
    await ended(2);
    const [made, future] = timesIn(folder);
    expect([made!.slice(0, 8), future]).toEqual(["20260301", "20300101T000000Z"]);
  });

  test("with times in the future count for nothing, and are named in the log", async () => {
    const clock = new FakeClock();
    service = await startSource(every_hour(), clock);
    await ended(1);
    const [first] = readdirSync(folder);
    const future = ["2030", "2031", "2032"].map((year) => first!.replace("-2026", `-${year}`));
    for (const name of future) writeFileSync(join(folder, name), "from a wrong clock");
    await service.stop();
    clock.pass(hour);
    service = await startSource(every_hour(), clock);
    await ended(1);
    service.clock.advance(hour);
    await ended(2);
    const counted = ["20260301T130000Z", "20260301T140000Z"];
    expect(timesIn(folder).slice(0, -3)).toEqual(counted);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(future));
    const named = service
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"backup.in_future"'));
    expect(named.length).toBeGreaterThan(0);
    expect(JSON.parse(named[0]!)).toMatchObject({
      level: "warn",
      files: future.map((name) => join(folder, name)),
    });
  });

  test("have a time: a file whose name has none is neither the latest one nor removed", async () => {
    const clock = new FakeClock();
    service = await startSource(every_hour(), clock);
    await ended(1);
    const impossible = readdirSync(folder)[0]!.replace("-20260301T", "-20269999T");
    writeFileSync(join(folder, impossible), "mine");
    await service.stop();
    clock.pass(hour);
    service = await startSource({ ...every_hour(), backup_keep: 1 }, clock);
    await ended(1);
    expect(timesIn(folder)).toEqual(["20260301T130000Z", "20269999T120000Z"]);
  });

  test("in the data directory stop at --disk-max, and go on when there is room again", async () => {
    const { backup_dir: _none, ...settings } = every_hour();
    const disk = { max_bytes: 40 * mb, min_free_bytes: 0 };
    ({ service } = await startWithStorage(settings, disk));
    await ended(1);
    const backups = join(service.directory, "backups");
    const room = await open(service.url, "Backups");
    const large = join(service.directory, "large");
    writeFileSync(large, "");
    truncateSync(large, disk.max_bytes);
    service.clock.advance(hour);
    await ended(2);
    expect(service.output()).toContain("There is no room for the backup");
    expect(timesIn(backups)).toEqual(["20260301T120000Z"]);
    expect((await get(room.api)).status).toBe(200);

    rmSync(large);
    service.clock.advance(hour);
    await ended(3);
    expect(timesIn(backups)).toEqual(["20260301T120000Z", "20260301T140000Z"]);
  });
});

test("each backup for an admin is a line of the audit log, and the backup has that line", async () => {
  service = await startSource();
  const label = "ada";
  const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
    label,
    scope: "operate",
  });
  const authorization = `Bearer ${made.body.token}`;
  const path = "/api/admin/backup";
  const answers = [
    await fetch(service.url + path, { headers: { authorization } }),
    await fetch(`http://localhost${path}`, { unix: socketOf(service) }),
  ];
  const file = join(data_dir, "backup.db");
  for (const answer of answers) await Bun.write(file, await answer.arrayBuffer());
  const lines = await auditOf(service);
  expect(lines.filter(({ action }) => action === "instance.backup")).toMatchObject([
    { actor: "owner", target: "instance" },
    { actor: "token:ada", target: "instance" },
  ]);
  expect((await get(service.url + path)).status).toBe(401);
  expect(await auditOf(service)).toEqual(lines);
  const database = new Database(file, { readonly: true });
  const stored = database
    .query("SELECT actor FROM audit WHERE action = 'instance.backup' ORDER BY seq")
    .all();
  database.close();
  expect(stored).toEqual([{ actor: "token:ada" }, { actor: "owner" }]);
});
