/** Facts about a server and its database, read before it is used. Changes nothing. */

import type { Clock } from "../../core/clock.ts";
import type { Tx } from "../../core/storage.ts";
import { messageOf } from "../../core/log.ts";
import type { SchemaDifference } from "../schema_difference.ts";
import { PostgresTx } from "./connection.ts";
import { Pool, type PostgresPlace } from "./pool.ts";
import { schemaDifference } from "./schema.ts";

export interface ServerFacts {
  /** As text, and as a number: 150018 for 15.18. */
  version: string;
  version_number: number;
  /** Whether it follows another server, and takes no writes. */
  is_standby: boolean;
  connections_max: number;
  /** The time of the server, and the time of this machine before and after the query. */
  now_ms: number;
  before_ms: number;
  after_ms: number;
  /** The version of the schema; 0 if there is none. */
  schema_version: number;
  /** The identity of the database; null if it has no schema. */
  identity: string | null;
  /** How the schema differs from that version; a text if that cannot be found out, with the reason. */
  schema_difference: SchemaDifference | string;
}

/**
 * Asks the server at `place`, and runs `query` if it has the tables; its result is `found`. Throws a user-facing error if the
 * server does not answer.
 */
export async function inspect<Found>(
  place: PostgresPlace,
  query: (tx: Tx) => Promise<Found>,
  clock: Pick<Clock, "now">,
): Promise<ServerFacts & { found: Found | undefined }> {
  const pool = new Pool(place, "wharf doctor");
  try {
    await pool.check();
    return await pool.with(async (handle) => {
      const before_ms = clock.now();
      const [server] = await handle`
        SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_number,
          pg_is_in_recovery() AS is_standby, current_setting('max_connections')::int AS connections_max,
          clock_timestamp() AS now, to_regclass('schema_version') IS NOT NULL AS has_schema`;
      const after_ms = clock.now();
      const { now, has_schema, ...facts } = server;
      const [schema] = has_schema ? await handle`SELECT version, identity FROM schema_version` : [];
      const schema_version: number = schema?.version ?? 0;
      const tx = new PostgresTx(handle);
      return {
        ...facts,
        before_ms,
        now_ms: (now as Date).getTime(),
        after_ms,
        schema_version,
        identity: schema?.identity ?? null,
        schema_difference: await schemaDifference(handle, schema_version).catch(messageOf),
        found: has_schema ? await query(tx) : undefined,
      };
    });
  } finally {
    await pool.close();
  }
}
