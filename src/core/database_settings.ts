/** Settings: a database in Postgres, in place of the file in the data directory. */

import { setting, switchedOff } from "./setting.ts";
import { wholeNumber } from "./setting_values.ts";

/** Whether a text is the URL of a database in Postgres, and not a path. */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text);

/** How a connection may be protected, weakest first (libpq, sslmode). */
const tls_modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** The URL of a database in Postgres. */
function postgresUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !isPostgresUrl(text) || url.hostname === "" || url.pathname.length <= 1)
    throw new Error("must be the URL of a database in Postgres, such as postgres://wharf@db.example/wharf");
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !tls_modes.includes(mode))
    throw new Error(`must have one of these as sslmode: ${tls_modes.join(", ")}`);
  return text;
}

/** How a connection to the database at `url` is protected: whether it is encrypted for sure, and whether the server is checked. */
export function protectionOf(url: string): { is_local: boolean; is_encrypted: boolean; is_checked: boolean } {
  const { hostname, searchParams } = new URL(url);
  const mode = tls_modes.indexOf(searchParams.get("sslmode") ?? "prefer");
  // With the certificate of an authority, every mode checks.
  const has_root = searchParams.has("sslrootcert");
  return {
    is_local: hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127."),
    is_encrypted: mode >= tls_modes.indexOf("require") || has_root,
    is_checked:
      mode === tls_modes.indexOf("verify-full") || (has_root && mode !== tls_modes.indexOf("verify-ca")),
  };
}

/** The part of the URL of a database that may be shown: without the password and the parameters. */
export function shownDatabase(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username}${username && "@"}${host}${pathname}`;
}

export const database_settings = {
  /** Null: SQLite in the data directory. */
  database: setting<string | null>({
    flag: "database",
    value_name: "url",
    description:
      "a database in Postgres 15 or later, in place of the file in the data directory; several nodes may use it",
    default: null,
    has_file: true,
    parse: postgresUrl,
  }),
  /** Null: the URL of `database`. */
  database_listen: setting<string | null>({
    flag: "database-listen",
    value_name: "url",
    description: "the same database without PgBouncer in between, for hints of other nodes",
    default: null,
    default_shown: "that of --database",
    has_file: true,
    parse: postgresUrl,
  }),
  database_connections: setting<number>({
    flag: "database-connections",
    value_name: "count",
    description: "most connections to Postgres",
    default: 10,
    parse: wholeNumber(4, 1_000, "must be a whole number from 4 to 1000"),
  }),
  database_prepares: switchedOff(
    "database-no-prepare",
    "prepare no statements by name, for PgBouncer before 1.21 in transaction mode",
  ),
  database_hints: switchedOff(
    "no-listen",
    "take no hints of other nodes (LISTEN), but ask the database twice a second",
  ),
};
