/** Connections to Postgres, by Bun's client. Every use of a connection ends in a bounded time, also if the server or the network does not answer. */

import type { ReservedSQL, SQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { shownDatabase } from "../../core/database_settings.ts";
import { ServiceError } from "../../core/errors.ts";
import { messageOf } from "../../core/log.ts";
import { service_errors } from "../../core/general_errors.ts";
import { Hints, type HintOptions } from "./hints.ts";
import { postgres_limits } from "./limits.ts";

export interface PostgresPlace {
  /** `postgres://user@host/database`. */
  url: string;
  /** Where to LISTEN: the same database, without a pooler in between. Null: nowhere. */
  listen_url: string | null;
  /** Most connections for reads and writes. */
  connections_max: number;
  /** What distinguishes this node from others in pg_stat_activity. */
  node?: string;
  /** Whether statements are prepared by name. PgBouncer before 1.21 cannot do that in transaction mode. */
  prepares: boolean;
}

/** Postgres does not know the parameter. */
function withoutSchema(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.delete("schema");
  return parsed.href;
}

const busy = (detail: string): ServiceError =>
  new ServiceError(service_errors.storage_busy, detail, { retry_after_seconds: 1 });

/** What an operator can do about a connection that cannot be opened. */
function adviceFor(error: unknown): string {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "Name the server as its certificate does, or check only who issued it (sslmode=verify-ca).";
  if (code === "ERR_POSTGRES_TLS_NOT_AVAILABLE")
    return "The server offers no TLS: set it up there (ssl = on), or use sslmode=disable in a network that is safe.";
  if (/CERT|SIGNATURE/.test(code))
    return "Name the file with the certificate of its authority: sslrootcert=/path/root.pem in the URL.";
  if (code === "ERR_INVALID_ARG_TYPE") return "Check the file that sslrootcert names.";
  if (message.includes("startup parameter: search_path"))
    return "PgBouncer takes no ?schema=. Leave it out: Postgres uses the schema that has the name of the user, if there is one.";
  if (message.includes("no encryption")) return "The server wants TLS: add sslmode=verify-full to the URL.";
  return "Check the address, the user and the password.";
}

export class Pool {
  readonly url: string;
  /** The schema of the tables; default: the schema of the user. */
  readonly schema: string | null;
  readonly #open: () => SQL;
  /** Null: no hints. */
  readonly #openListener: HintOptions["open"] | null;
  #sql: SQL;
  #hints: Hints | undefined;
  /** The database did not answer at the last attempt: uses are refused at once. Who tries again changes it. */
  is_down = false;
  /** Cancel the time limits of uses. */
  readonly #limits = new WeakMap<ReservedSQL, () => void>();

  constructor(place: PostgresPlace, use: string) {
    const { url, listen_url, connections_max, prepares, node = "" } = place;
    // Postgres stores 63 bytes of it.
    const nameOf = (part: string) => `${part} ${node}`.trim().slice(0, 63);
    this.schema = new URL(url).searchParams.get("schema");
    this.url = withoutSchema(url);
    const options = {
      max: connections_max,
      prepare: prepares,
      bigint: true,
      connectionTimeout: postgres_limits.connect_seconds_max,
      // Before a network in between forgets them.
      idleTimeout: postgres_limits.idle_seconds_max,
      connection: {
        application_name: nameOf(use),
        ...(this.schema !== null && { search_path: this.schema }),
      },
    } as Bun.SQL.PostgresOrMySQLOptions;
    this.#open = () => new Bun.SQL(this.url, options);
    this.#openListener =
      listen_url === null
        ? null
        : (onclose) =>
            new Bun.SQL(withoutSchema(listen_url), {
              max: 1,
              connection: { application_name: nameOf(`${use} hints`) },
              onclose,
            } as Bun.SQL.PostgresOrMySQLOptions);
    this.#sql = this.#open();
  }

  /**
   * Gives up all connections, because the network has lost them without a sign, and opens others when they are needed. What
   * waits for an answer fails: nobody knows what became of it.
   */
  reset(): void {
    const lost = this.#sql;
    this.#sql = this.#open();
    void lost.close({ timeout: 0 });
    this.#hints?.reset();
  }

  /** A connection without limits, also while the database is down. `seconds_max`: how long to wait for it. */
  connect(seconds_max: number = postgres_limits.reserve_seconds_max): Promise<ReservedSQL> {
    const { promise, resolve, reject } = Promise.withResolvers<ReservedSQL>();
    const reserved = this.#sql.reserve();
    const cancel = systemClock.after(seconds_max * 1000, () => {
      reject(busy("All connections to the database are in use."));
      reserved.then(
        (handle) => void handle.release(),
        () => undefined,
      );
    });
    reserved.then(resolve, reject).finally(cancel);
    return promise;
  }

  /** Rejects with `storage_busy` while the database does not answer. */
  async refuseIfDown(): Promise<void> {
    if (!this.is_down) return;
    // A caller that tries again at once must not hold up the attempts to reach the database.
    await systemClock.turn();
    throw busy("The database does not answer.");
  }

  /**
   * A connection for a use that may take `seconds_max`; then it is closed, and what waits for an answer fails. Null: without limit.
   * Give it back by `release`. Rejects with `storage_busy` if none is free in time, and at once if the database does not answer.
   */
  async reserve(seconds_max: number | null = postgres_limits.use_seconds_max): Promise<ReservedSQL> {
    await this.refuseIfDown();
    const handle = await this.connect();
    if (seconds_max === null) return handle;
    const close = () => void handle.close({ timeout: 0 }).catch(() => undefined);
    this.#limits.set(handle, systemClock.after(seconds_max * 1000, close));
    return handle;
  }

  release(handle: ReservedSQL): void {
    this.#limits.get(handle)?.();
    void handle.release();
  }

  /** Runs `use` with a connection, as `reserve` gives one. */
  async with<Result>(
    use: (handle: ReservedSQL) => Promise<Result>,
    seconds_max?: number | null,
  ): Promise<Result> {
    const handle = await this.reserve(seconds_max);
    try {
      return await use(handle);
    } finally {
      this.release(handle);
    }
  }

  /** Begins to hear hints, if there is an address for it. */
  listen(options: Pick<HintOptions, "channel" | "hear" | "log">): void {
    const open = this.#openListener;
    if (open) this.#hints = new Hints({ ...options, open, canListen: () => !this.is_down });
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
      const found = `The database ${shownDatabase(this.url)} cannot be reached: ${messageOf(error)}.`;
      throw new Error(`${found} ${adviceFor(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#hints?.close();
    await this.#sql.close();
  }
}
