/** `wharf doctor` of a stopped instance: each fault is planted in a real directory, and is found with what to do. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isoTime } from "../../../src/core/clock.ts";
import { default_config, type Config } from "../../../src/core/settings.ts";
import { checkLogFile } from "../../../src/doctor/directory.ts";
import type { Finding } from "../../../src/doctor/finding.ts";
import { makeCertificate } from "../../support/certificates.ts";
import { FakeClock } from "../../support/clock.ts";
import { copyDirectory, fileHashes } from "../../support/directories.ts";
import { findings as findingsOf, of, own_user, startOwn, type Examiner } from "../../support/doctor.ts";
import { exportOf, importText } from "../../support/exports.ts";
import { placeFixture } from "../../support/fixtures.ts";
import { openRoom } from "../../support/load.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";

const root = newDirectory();
const backups = join(root, "backups");
/** Of a service whose clock stopped with it. */
let clock: FakeClock;
/** A directory that was closed. */
let sound: string;
let copies = 0;

beforeAll(async () => {
  sound = join(root, "sound");
  const service = await startSource({ data_dir: sound, backup_every_seconds: 3600, backup_dir: backups });
  ({ clock } = service);
  await openRoom(service.url);
  while (!service.output().includes('"event":"backup.made"')) await Bun.sleep(5);
  await service.stop();
});
afterAll(() => removeDirectory(root));

const findings = (directory: string, settings: Partial<Config> = {}, by: Partial<Examiner> = {}) =>
  findingsOf(directory, { backup_every_seconds: 3600, backup_dir: backups, ...settings }, { clock, ...by });

/** A copy of the sound directory, changed by `plant`. It counts as the original. */
function planted(plant: (directory: string, database: Database) => void): string {
  const directory = join(root, `planted-${++copies}`);
  copyDirectory(sound, directory);
  const database = new Database(join(directory, "wharf.db"));
  // Without a log, so that the file can be opened as one that does not change.
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  plant(directory, database);
  database.close();
  return directory;
}

test("nothing fails, and no file is changed, of a sound instance", async () => {
  const before = fileHashes(sound);
  const found = await findings(sound);
  expect(found.filter(({ status }) => status !== "ok").map(({ check }) => check)).toEqual(
    // A temporary directory may be in memory.
    found.filter(({ check, status }) => check === "file-system" && status !== "ok").map(() => "file-system"),
  );
  expect(found.map(({ check }) => check)).toEqual(expect.arrayContaining(["integrity", "keys", "clock"]));
  expect(fileHashes(sound)).toEqual(before);
});

test("the retired keys of an import without secrets are sound: they verify, and never sign", async () => {
  const from = planted(() => undefined);
  const directory = join(root, "imported");
  await importText(directory, exportOf(join(from, "wharf.db"), false));
  const service = await startSource({ data_dir: directory }, clock, 2);
  await service.stop();
  const finding = of(await findings(directory), "keys");
  expect(finding).toEqual({
    check: "keys",
    status: "ok",
    found: expect.stringContaining("1 keys are retired"),
  });
});

describe("a fault of a stopped instance", () => {
  const expectFound = async (
    directory: string,
    check: string,
    status: Finding["status"],
    remedy: RegExp,
    settings: Partial<Config> = {},
    by: Partial<Examiner> = {},
  ) => {
    const finding = of(await findings(directory, settings, by), check);
    expect(finding).toEqual({
      check,
      status,
      found: expect.any(String),
      remedy: expect.stringMatching(remedy),
    });
    return finding.found;
  };

  test("no database", async () => {
    expect(await expectFound(join(root, "none"), "data-directory", "failed", /--data-dir/)).toContain(
      "no wharf.db",
    );
  });

  test("a database that a restore, an import or a copy has not finished", async () => {
    const directory = join(root, "unfinished");
    mkdirSync(directory);
    writeFileSync(join(directory, "wharf.db.partial"), "");
    expect(await expectFound(directory, "data-directory", "failed", /./)).toContain("wharf.db.partial");
  });

  test("the database of another directory", async () => {
    const directory = planted((at) => writeFileSync(join(at, "wharf.id"), "00000001\n"));
    expect(await expectFound(directory, "data-directory", "failed", /./)).toContain("not the database");
  });

  test("not closed", async () => {
    const directory = planted((at) => writeFileSync(join(at, "wharf.running"), ""));
    await expectFound(directory, "data-directory", "warning", /Start the service/);
  });

  test("files that others may read", async () => {
    const directory = planted((at) => chmodSync(join(at, "wharf.db"), 0o644));
    expect(await expectFound(directory, "permissions", "failed", /chmod -R go= /)).toContain("wharf.db");
  });

  test("files of another user", async () => {
    const directory = planted(() => undefined);
    await expectFound(directory, "permissions", "failed", /chown/, {}, { user: own_user + 1 });
  });

  test("a disk budget that is reached, or soon will be", async () => {
    await expectFound(sound, "disk", "failed", /--disk-max/, { disk_max_bytes: 1000 });
    const { found } = of(await findings(sound), "disk");
    expect(found).toMatch(/uses \d+ (?:KB|MB)/);
    const bytes = readFileSync(join(sound, "wharf.db")).length * 1.1;
    await expectFound(sound, "disk", "warning", /--disk-max/, { disk_max_bytes: bytes });
    const freed = planted((_at, database) => {
      database.run("CREATE TABLE ballast AS SELECT zeroblob(20000000) AS bytes");
      database.run("DROP TABLE ballast");
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    });
    await expectFound(freed, "disk", "warning", /--disk-max/, { disk_max_bytes: bytes });
  });

  test.skipIf(!existsSync("/dev/shm"))("a file system in memory", async () => {
    const directory = mkdtempSync("/dev/shm/wharf-doctor-");
    try {
      copyDirectory(sound, join(directory, "data"));
      expect(await expectFound(join(directory, "data"), "file-system", "warning", /volume/)).toContain(
        "tmpfs",
      );
    } finally {
      removeDirectory(directory);
    }
  });

  test("a log that is far over its bound", () => {
    const directory = join(root, "log");
    mkdirSync(directory);
    writeFileSync(join(directory, "wharf.db-wal"), "");
    truncateSync(join(directory, "wharf.db-wal"), 1_000_000_000);
    const config = { ...default_config, data_dir: directory };
    expect(checkLogFile(config, true)).toMatchObject({
      status: "warning",
      remedy: expect.stringContaining("Another program reads"),
    });
  });

  test("a damaged page", async () => {
    const directory = planted(() => undefined);
    const file = join(directory, "wharf.db");
    const bytes = readFileSync(file);
    const page_bytes = bytes.readUInt16BE(16);
    for (let page = 2; page < bytes.length / page_bytes; page++)
      bytes.fill(0xa5, page * page_bytes, page * page_bytes + 100);
    writeFileSync(file, bytes);
    await expectFound(directory, "integrity", "failed", /wharf restore/);
  });

  test("an index that misses a row", async () => {
    let root_page = 0;
    const directory = planted((_at, database) => {
      ({ rootpage: root_page } = database
        .query("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'signing_keys'")
        .get() as { rootpage: number });
    });
    const file = join(directory, "wharf.db");
    const bytes = readFileSync(file);
    // The last bytes of a page are its first entry: the id of the key, and the number of its row.
    const last = root_page * bytes.readUInt16BE(16) - 4;
    bytes[last] = bytes[last]! ^ 1;
    writeFileSync(file, bytes);
    await expectFound(directory, "integrity", "failed", /wharf restore/);
  });

  test("a signing key that is no pair, none at all, no secret", async () => {
    const swapped = planted((_at, database) =>
      database.run("UPDATE signing_keys SET d = ?", [Buffer.alloc(32, 7).toString("base64url")]),
    );
    expect(await expectFound(swapped, "keys", "failed", /wharf restore/)).toContain("no pairs");
    const active = planted((_at, database) => database.run("UPDATE signing_keys SET d = ''"));
    expect(await expectFound(active, "keys", "failed", /wharf restore/)).toContain("no pairs");
    const retired = planted((_at, database) =>
      database.run(
        "INSERT INTO signing_keys (kid, x, d, created, retired_at) VALUES ('old', 'short', '', '', '')",
      ),
    );
    expect(await expectFound(retired, "keys", "failed", /wharf restore/)).toContain("do not verify: old.");
    const none = planted((_at, database) => database.run("DELETE FROM signing_keys"));
    expect(await expectFound(none, "keys", "failed", /wharf restore/)).toContain("0 active");
    const no_secret = planted((_at, database) => database.run("DELETE FROM server_secret"));
    expect(await expectFound(no_secret, "keys", "failed", /wharf restore/)).toContain("secret");
  });

  test("a clock that is behind", async () => {
    const later = isoTime(clock.now() + 3_600_000);
    const directory = planted((_at, database) =>
      database.run("UPDATE clock_mark SET service_time = ?", [later]),
    );
    expect(await expectFound(directory, "clock", "failed", /--trust-clock/)).toContain(later);
  });

  test("an index that is missing, and a trigger of another program", async () => {
    const directory = planted((_at, database) => {
      database.run("DROP INDEX posts_numbered");
      database.run("CREATE TRIGGER planted AFTER INSERT ON posts BEGIN DELETE FROM names; END");
    });
    const remedy = /CREATE UNIQUE INDEX posts_numbered ON posts/;
    const found = await expectFound(directory, "schema", "failed", remedy);
    expect(found).toContain("missing index posts_numbered, foreign trigger planted");
    const analyzed = planted((_at, database) => database.run("ANALYZE"));
    expect(of(await findings(analyzed), "schema").status).toBe("ok");
  });

  test("a database of an older release", async () => {
    const directory = join(root, "old");
    mkdirSync(directory, { mode: 0o700 });
    placeFixture(9, directory);
    await expectFound(directory, "schema", "warning", /copies the database/);
  });

  test("a copy", async () => {
    const directory = join(root, "copy");
    copyDirectory(sound, directory);
    await expectFound(directory, "original", "warning", /--moved/);
  });

  test("no backups, old ones, none at intervals, times in the future", async () => {
    await expectFound(sound, "backups", "failed", /backup.failed/, { backup_dir: join(root, "empty") });
    const own = readFileSync(join(sound, "wharf.id"), "latin1").trim();
    const old = join(root, "old-backups");
    mkdirSync(old);
    writeFileSync(join(old, `wharf-${own}-20200101T000000Z.db`), "");
    // Another instance may use the same directory.
    const now = isoTime(clock.now()).replace(/[-:]|\.\d+/g, "");
    writeFileSync(join(old, `wharf-0a0a0a0a-${now}.db`), "");
    expect(await expectFound(sound, "backups", "failed", /backup.failed/, { backup_dir: old })).toContain(
      "2020-01-01",
    );
    await expectFound(sound, "backups", "warning", /--backup-every/, { backup_every_seconds: 0 });
    const future = join(root, "future-backups");
    mkdirSync(future);
    for (const time of ["20300101T000000Z", "20269999T999999Z"])
      writeFileSync(join(future, `wharf-${own}-${time}.db`), "");
    expect(await expectFound(sound, "backups", "failed", /backup.failed/, { backup_dir: future })).toContain(
      "There is no backup in",
    );
    writeFileSync(join(future, `wharf-${own}-${now}.db`), "");
    const found = await expectFound(sound, "backups", "warning", /clock is wrong/, { backup_dir: future });
    expect(found).toContain(`wharf-${own}-20300101T000000Z.db`);
    expect(found).not.toContain("9999");
  });

  test("a port that another program uses", async () => {
    const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    try {
      await expectFound(sound, "port", "failed", /--port/, { port: other.port });
    } finally {
      other.stop(true);
    }
  });

  test("too few open files", async () => {
    await expectFound(sound, "open-files", "failed", /LimitNOFILE/, {}, { files_max: 32 });
    await expectFound(sound, "open-files", "warning", /LimitNOFILE/, {}, { files_max: 1024 });
  });

  test("no base URL on all addresses", () =>
    expectFound(sound, "base-url", "warning", /--base-url/, { host: "0.0.0.0" }));

  test("for webhooks without a public address, also at a loopback address", () =>
    expectFound(sound, "base-url", "warning", /unless all receivers/, { webhooks: true }));

  test.skipIf(lacks("wharf doctor of a certificate", "openssl"))(
    "a certificate of another key, one that expires soon, and an expired one",
    async () => {
      const [mine, other] = [makeCertificate(root, "mine", 90), makeCertificate(root, "other", 90)];
      const wrong = { tls_cert: mine.cert, tls_key: other.key };
      expect(await expectFound(sound, "certificate", "failed", /Correct --tls-cert/, wrong)).toContain(
        "is not the key",
      );
      const own = { tls_cert: mine.cert, tls_key: mine.key };
      const at = (days: number) => ({ clock: new FakeClock(isoTime(Date.now() + days * 86_400_000)) });
      const { status } = of(await findings(sound, own, at(1)), "certificate");
      expect(status).toBe("ok");
      await expectFound(sound, "certificate", "warning", /SIGHUP/, own, at(85));
      await expectFound(sound, "certificate", "failed", /SIGHUP/, own, at(91));
    },
  );

  test("a base URL where nothing answers, or another answers", async () => {
    const url = "http://127.0.0.1:1";
    await expectFound(sound, "reach", "failed", /firewall/, { base_url: url });
    const other = await startOwn(root);
    try {
      const found = await expectFound(sound, "reach", "failed", /Point the proxy/, { base_url: other.url });
      expect(found).toContain("another instance");
    } finally {
      await other.stop();
    }
    using page = Bun.serve({ port: 0, fetch: () => new Response("no", { status: 404 }) });
    await expectFound(sound, "reach", "failed", /pass all paths/, { base_url: page.url.origin });
  });
});
