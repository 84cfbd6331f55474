/** Connections to Postgres, by Bun's client. */

import type { ReservedSQL, SQL } from "bun";
import { shownDatabase } from "../../core/database_settings.ts";
import { messageOf } from "../../core/log.ts";
import { postgres_limits } from "./limits.ts";

export interface PostgresPlace {
  /** `postgres://user@host/database`. */
  url: string;
  /** Where to LISTEN: the same database, without a pooler in between. Null: nowhere. */
  listen_url: string | null;
  /** Most connections for reads and writes. */
  connections_max: number;
  /** Whether statements are prepared by name. PgBouncer before 1.21 cannot do that in transaction mode. */
  prepares: boolean;
}

/** Postgres does not know the parameter. */
function withoutSchema(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.delete("schema");
  return parsed.href;
}

export class Pool {
  readonly url: string;
  /** The schema of the tables; that of the user if the URL names none. */
  readonly schema: string | null;
  readonly #open: () => SQL;
  readonly #openListener: () => SQL | null;
  #sql: SQL;
  /** Null: no hints. */
  #listener: SQL | null;
  #hints: { channel: string; hear: () => void } | undefined;

  constructor({ url, listen_url, connections_max, prepares }: PostgresPlace, name: string) {
    this.schema = new URL(url).searchParams.get("schema");
    this.url = withoutSchema(url);
    const options = {
      max: connections_max,
      prepare: prepares,
      bigint: true,
      connectionTimeout: 10,
      // Before a network in between forgets them.
      idleTimeout: postgres_limits.idle_seconds_max,
      connection: { application_name: name, ...(this.schema !== null && { search_path: this.schema }) },
    } as Bun.SQL.PostgresOrMySQLOptions;
    this.#open = () => new Bun.SQL(this.url, options);
    this.#openListener = () =>
      listen_url === null ? null : new Bun.SQL(withoutSchema(listen_url), { max: 1 });
    this.#sql = this.#open();
    this.#listener = this.#openListener();
  }

  /**
   * Gives up all connections, because the network has lost them without a sign, and opens others when they are needed. What
   * waits for an answer fails: nobody knows what became of it.
   */
  reset(): void {
    const lost = [this.#sql, this.#listener];
    this.#sql = this.#open();
    this.#listener = this.#openListener();
    for (const sql of lost) void sql?.close({ timeout: 0 });
    if (this.#hints) {
      const { channel, hear } = this.#hints;
      void this.#listener?.listen(channel, hear).catch(() => undefined);
    }
  }

  /** A connection of one's own, until its `release`. */
  reserve(): Promise<ReservedSQL> {
    return this.#sql.reserve();
  }

  /** Runs `use` with a connection. */
  async with<Result>(use: (handle: ReservedSQL) => Promise<Result>): Promise<Result> {
    const handle = await this.reserve();
    try {
      return await use(handle);
    } finally {
      void handle.release();
    }
  }

  /** Hears hints on `channel`, if there is an address for it. */
  async listen(channel: string, hear: () => void): Promise<void> {
    this.#hints = { channel, hear };
    await this.#listener?.listen(channel, hear);
  }

  notify(channel: string, payload: string): Promise<void> {
    return this.#sql.notify(channel, payload);
  }

  /** Throws a user-facing error if the database does not answer. */
  async check(): Promise<void> {
    try {
      await this.with((handle) => handle`SELECT 1`);
    } catch (error) {
      await this.close();
      throw new Error(
        `The database ${shownDatabase(this.url)} cannot be reached: ${messageOf(error)}. Check the address, the user and the password.`,
        { cause: error },
      );
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sql.close(), this.#listener?.close()]);
  }
}
