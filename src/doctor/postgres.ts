/** Checks of a database in Postgres: whether it can be used, and whether its clock agrees with this machine's. They write nothing. */

import { isoTime, type Clock } from "../core/clock.ts";
import { protectionOf, shownDatabase } from "../core/database_settings.ts";
import { messageOf } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import { migrations } from "../storage/migrations.ts";
import { activeKey } from "../receipts/store.ts";
import { inspect, type ServerFacts } from "../storage/postgres/inspect.ts";
import { checkBackups } from "./backups.ts";
import type { Examined } from "./database.ts";
import { findingsOf, type Finding } from "./finding.ts";
import { differingSchema } from "./schema.ts";

/** The oldest release that is supported: 15. */
const version_min = 150_000;
/** A clock that differs by less is right enough. */
const clock_seconds_max = 0.5;

/** The checks of the database of `config`. */
export async function checkPostgres(config: Config, clock: Clock): Promise<Examined> {
  const { database, database_connections, database_prepares } = config;
  const place = { url: database!, listen_url: null, connections_max: 1, prepares: database_prepares };
  try {
    const server = await inspect(place, activeKey, clock);
    const findings = [
      checkServer(server, place.url),
      checkProtection(place.url),
      checkConnections(server, database_connections),
      checkTime(server),
      checkSchema(server),
      // Those of the tools of Postgres are not known here.
      ...(config.backup_every_seconds > 0 ? [checkBackups(config, server.identity, clock)] : []),
    ];
    return { findings, kid: server.found?.kid ?? null };
  } catch (error) {
    const remedy = "Look at --database, at the server and its log, and at the network in between.";
    return { findings: [findingsOf("database").failed(messageOf(error), remedy)], kid: null };
  }
}

function checkServer({ version, version_number, is_standby }: ServerFacts, url: string): Finding {
  const { ok, failed } = findingsOf("database");
  const found = `${shownDatabase(url)} is Postgres ${version}`;
  if (version_number < version_min)
    return failed(`${found}.`, "Use Postgres 15 or later: older releases are not tested.");
  if (is_standby)
    return failed(`${found}, a standby: it takes no writes.`, "Name the primary with --database.");
  return ok(`${found}.`);
}

/** Whether others in the network can read the connection to the database at `url`, or answer in its place. */
export function checkProtection(url: string): Finding {
  const { ok, warning } = findingsOf("encryption");
  const { is_local, is_encrypted, is_checked } = protectionOf(url);
  const remedy =
    "Add sslmode=verify-full to the URL, and sslrootcert=/path/root.pem if its authority is your own.";
  if (is_local) return ok("The database is on this machine.");
  if (!is_encrypted) return warning("The connection may not be encrypted.", remedy);
  if (!is_checked)
    return warning("The connection is encrypted, but may be to another server than meant.", remedy);
  return ok("The connection is encrypted, and the server is checked.");
}

function checkConnections({ connections_max }: ServerFacts, wanted: number): Finding {
  const { ok, warning } = findingsOf("connections");
  const found = `The server takes ${connections_max} connections; a node uses up to ${wanted + 1}.`;
  if (wanted + 1 <= connections_max / 2) return ok(found);
  return warning(found, "Lower --database-connections, or raise max_connections of the server.");
}

function checkTime({ before_ms, now_ms: there_ms, after_ms }: ServerFacts): Finding {
  // A server that answers late on a busy machine has read its clock in between.
  const { ok, failed } = findingsOf("clock");
  const off_seconds = Math.max(before_ms - there_ms, there_ms - after_ms, 0) / 1000;
  const found = `It is ${isoTime(after_ms)}, and ${isoTime(there_ms)} at the database.`;
  if (off_seconds <= clock_seconds_max) return ok(found);
  return failed(found, "Set both clocks (chrony or systemd-timesyncd).");
}

function checkSchema({ schema_version: version, schema_difference: difference }: ServerFacts): Finding {
  const { ok, warning, failed } = findingsOf("schema");
  const found = `The database has schema version ${version}`;
  if (version > migrations.length)
    return failed(
      `${found}; this program knows versions up to ${migrations.length}.`,
      "Run the newer program that wrote it.",
    );
  if (typeof difference !== "string") {
    const differing = differingSchema(version, difference);
    if (differing) return differing;
  } else if (version > 0)
    return warning(
      `${found}, which cannot be compared with that of this program: ${difference}.`,
      "Name the primary, and a user who may create a schema in the database (GRANT CREATE ON DATABASE).",
    );
  if (version === migrations.length) return ok(`${found}.`);
  return warning(
    `${found}; this program writes version ${migrations.length}.`,
    "The next start of this program brings it up to date. Make a backup first: wharf backup.",
  );
}
