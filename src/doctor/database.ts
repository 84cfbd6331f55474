/** Checks of the contents of a database. They write nothing. */

import { constants, Database } from "bun:sqlite";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { behindSqlite, remedyOf } from "../core/failures.ts";
import { isoTime, type Clock } from "../core/clock.ts";
import { signerOf, verifierOf } from "../receipts/keys.ts";
import { activeKey, allKeys, type KeyRow } from "../receipts/store.ts";
import { Connection } from "../storage/sqlite/connection.ts";
import { checkDirectory } from "../storage/sqlite/directory_check.ts";
import { damageIn } from "../storage/sqlite/integrity_worker.ts";
import { isCopy } from "../storage/sqlite/copies.ts";
import { migrations } from "../storage/migrations.ts";
import { schemaVersion } from "../storage/sqlite/migrate.ts";
import { schemaDifference } from "../storage/sqlite/schema.ts";
import { databaseSize } from "../storage/sqlite/space.ts";
import { readServerSecret } from "../storage/server_secret.ts";
import { findMark } from "../timekeeping/store.ts";
import { messageOf } from "../core/log.ts";
import { findingsOf, type Finding } from "./finding.ts";
import { differingSchema } from "./schema.ts";

/** A clock that differs by less is right enough. */
const clock_seconds_max = 5;

/**
 * Opens the database without writing a byte: a database without a log is opened as one that cannot change, because SQLite
 * would create a log for it otherwise.
 */
function openToRead(directory: string, is_running: boolean, clock: Clock): Connection {
  const file = join(directory, "wharf.db");
  if (is_running || checkDirectory(directory, { clock }).has_log)
    return new Connection(file, { readonly: true, busy_ms: 0 });
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Connection(new Database(`${pathToFileURL(file).href}?immutable=1`, flags), { busy_ms: 0 });
}

/** What was found in a database. */
export interface Examined {
  findings: Finding[];
  /** The id of the key that signs; null if it cannot be read. */
  kid: string | null;
}

/** What was found in a database file. */
interface ExaminedFile extends Examined {
  /** Bytes in free pages; 0 if they cannot be read. */
  reusable_bytes: number;
}

/** The checks of the database in `directory`, one after the other. */
export async function checkDatabase(
  directory: string,
  is_running: boolean,
  clock: Clock,
): Promise<ExaminedFile> {
  let connection: Connection;
  try {
    connection = openToRead(directory, is_running, clock);
  } catch (thrown) {
    const error = behindSqlite(thrown, join(directory, "wharf.db"));
    const remedy = remedyOf(error) ?? restore;
    const finding = findingsOf("integrity").failed(
      `The database cannot be opened: ${messageOf(error)}.`,
      remedy,
    );
    return { findings: [finding], kid: null, reusable_bytes: 0 };
  }
  try {
    const { database } = connection;
    const findings = [
      await guarded("integrity", () => checkIntegrity(database, is_running)),
      await guarded("keys", () => checkKeys(connection)),
      await guarded("clock", () => checkClock(connection, clock)),
      await guarded("schema", () => checkSchema(database)),
      await guarded("original", () => checkPlace(database, join(directory, "wharf.db"))),
    ];
    return { findings, kid: await activeKeyOf(connection), reusable_bytes: reusableBytes(connection) };
  } finally {
    connection.database.close();
  }
}

async function activeKeyOf(connection: Connection): Promise<string | null> {
  try {
    return (await activeKey(connection))?.kid ?? null;
  } catch {
    return null;
  }
}

function reusableBytes(connection: Connection): number {
  try {
    return databaseSize(connection).free_bytes;
  } catch {
    return 0;
  }
}

const restore =
  "Restore the latest backup into a new directory (wharf restore), and keep this one to look at.";

/** The finding of `check`; a failed one if the database cannot be read. */
async function guarded(name: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return findingsOf(name).failed(`The database cannot be read: ${messageOf(error)}.`, restore);
  }
}

/** Beside a running service without a look at the indexes: that would hold its log for longer. */
function checkIntegrity(database: Database, is_running: boolean): Finding {
  const { ok, failed } = findingsOf("integrity");
  const damage = damageIn(database, is_running ? "quick_check" : "integrity_check");
  if (damage.length === 0) return ok("The database is sound.");
  return failed(`The database is damaged: ${damage.slice(0, 3).join("; ")}.`, restore);
}

/** Whether the service can sign, and whether its keys are pairs. */
async function checkKeys(connection: Connection): Promise<Finding> {
  const { ok, failed } = findingsOf("keys");
  const keys = await allKeys(connection);
  const active = keys.filter(({ retired_at }) => retired_at === null);
  const broken = keys.filter((key) => !isSound(key)).map(({ kid }) => kid);
  const secret = await readServerSecret(connection);
  if (broken.length > 0) {
    const found = `These signing keys are no pairs, so receipts signed with them do not verify: ${broken.join(", ")}.`;
    return failed(found, restore);
  }
  if (active.length !== 1)
    return failed(`There are ${active.length} active signing keys, where one belongs.`, restore);
  if (secret === undefined || !/^[0-9a-f]{64}$/.test(secret))
    return failed("The secret of the service is missing or damaged.", restore);
  return ok(`Receipts are signed with ${active[0]!.kid}; ${keys.length - 1} keys are retired.`);
}

/** Whether a key is a pair. In an instance that was imported without secrets, retired keys have no private part. */
function isSound({ x, d, retired_at }: KeyRow): boolean {
  try {
    const verify = verifierOf(x);
    if (d === "" && retired_at !== null) return true;
    return verify("wharf", Buffer.from(signerOf(d)("wharf"), "base64url"));
  } catch {
    return false;
  }
}

/** Whether the clock of the machine is behind the last time that the service has stored. */
async function checkClock(connection: Connection, clock: Clock): Promise<Finding> {
  const { ok, failed } = findingsOf("clock");
  const mark = await findMark(connection);
  const now_ms = clock.now();
  const behind_seconds = mark ? (Date.parse(mark.service_time) - now_ms) / 1000 : 0;
  if (behind_seconds <= clock_seconds_max) return ok(`It is ${isoTime(now_ms)}.`);
  return failed(
    `The clock says ${isoTime(now_ms)}, and the service has already stored ${mark!.service_time}.`,
    "Set the clock (chrony or systemd-timesyncd). If it is right, and was wrong before, start once with --trust-clock.",
  );
}

function checkSchema(database: Database): Finding {
  const { ok, warning } = findingsOf("schema");
  const version = schemaVersion(database);
  const differing = differingSchema(version, schemaDifference(database));
  if (differing) return differing;
  if (version === migrations.length) return ok(`The database has schema version ${version}.`);
  return warning(
    `The database has schema version ${version}; this program writes version ${migrations.length}.`,
    "The next start of this program copies the database, and upgrades it.",
  );
}

/** Whether the directory is a copy of another. */
function checkPlace(database: Database, file: string): Finding {
  const { ok, warning } = findingsOf("original");
  if (!isCopy(database, file)) return ok("The directory is where it was last used.");
  return warning(
    "The directory is a copy, or was moved: at the next start it gets an identity and keys of its own.",
    "If it is the original and the other one is gone, start once with --moved.",
  );
}
