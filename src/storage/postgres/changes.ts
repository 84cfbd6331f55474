/**
 * What other nodes have changed: each transaction records its topics, and every node reads the records of the others. Caches
 * are valid, and waits are complete, as of the last reading.
 *
 * Transactions end in another order than they begin, so a reader remembers the oldest transaction that was running
 * (`pg_snapshot_xmin`) and reads from there again; what it has seen it skips.
 */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { errorText, type Log } from "../../core/log.ts";
import { postgres_limits } from "./limits.ts";
import { hintOf, isLost } from "./connection.ts";
import type { ServerTime } from "./server_time.ts";
import type { Pool } from "./pool.ts";

const hint =
  "Calls are refused until the database answers again. Look at the server, its log, and the network in between.";

interface ChangeRow {
  xid: string | null;
  topic: string | null;
  /** The oldest transaction that is still running. */
  oldest: string;
  /** When the server started: with a crash, records may be lost. */
  started: string;
  /** Its time, in unix milliseconds. */
  now_ms: number;
}

export class Changes {
  readonly #pool: Pool;
  readonly #publish: (topic: string | null) => void;
  readonly #log: Log;
  readonly #time: ServerTime;
  #handle: ReservedSQL | undefined;
  /** The transaction from which to read; null: what happened before is unknown. */
  #from: string | null = null;
  #started = "";
  #read_ms = 0;
  /** The transactions from `#from` on whose topics have been published. */
  #seen = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #cancelPoll = () => {};
  #is_closed = false;
  /** Why the last reading failed. */
  #failure = "";

  constructor(pool: Pool, time: ServerTime, publish: (topic: string | null) => void, log: Log) {
    this.#pool = pool;
    this.#time = time;
    this.#publish = publish;
    this.#log = log;
  }

  /** Begins to read at intervals, in case a hint is lost. */
  start(): void {
    this.#cancelPoll = systemClock.after(postgres_limits.poll_ms, () => {
      void this.catchUp().finally(() => this.#is_closed || this.start());
    });
  }

  /** Notes that this process has published the topics of a transaction itself. */
  noteOwn(xid: string): void {
    this.#seen.add(xid);
  }

  /** Resolves when the topics of every transaction have been published that was committed before the call. Never rejects. */
  catchUp(): Promise<void> {
    // A reading that has begun may have missed it: callers that come meanwhile share the next one.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#read();
      return this.#running;
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    if (this.#is_closed) return;
    const begun_ms = systemClock.monotonic();
    try {
      await this.#readOnce().catch((error: unknown) => {
        // A connection that was lost while it was not used says nothing about the database.
        const was_quick = systemClock.monotonic() - begun_ms < postgres_limits.silence_ms_max;
        if (this.#pool.is_down || !was_quick || !isLost(error)) throw error;
        return this.#readOnce();
      });
      if (this.#pool.is_down) this.#log.info("storage.database_answers");
      this.#pool.is_down = false;
      this.#failure = "";
    } catch (error) {
      if (this.#is_closed) return;
      this.#lose();
      const text = errorText(error);
      if (text !== this.#failure)
        this.#log.error("storage.database_silent", { error: text, hint: hintOf(error) ?? hint });
      this.#failure = text;
      this.#pool.is_down = true;
    }
  }

  async #readOnce(): Promise<void> {
    // A network that drops packets gives no sign, and Bun's client has no time limit.
    const cancel = systemClock.after(postgres_limits.silence_ms_max, () => this.#pool.reset());
    try {
      this.#handle ??= await this.#pool.connect();
      const sent_ms = systemClock.monotonic();
      const rows = (await this.#handle`
        SELECT changes.xid::text AS xid, changes.topic AS topic,
          pg_snapshot_xmin(pg_current_snapshot())::text AS oldest, pg_postmaster_start_time()::text AS started,
          (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
        FROM (SELECT 1) AS one LEFT JOIN changes ON changes.xid >= ${this.#from ?? "0"}::xid8
          AND ${this.#from !== null} AND changes.xid <> ALL (${this.#handle.array([...this.#seen], "TEXT")}::text[]::xid8[])
        ORDER BY changes.xid`) as ChangeRow[];
      const received_ms = systemClock.monotonic();
      const wall_ms = systemClock.now();
      this.#noteTime(wall_ms - (received_ms - sent_ms), wall_ms, rows[0]!.now_ms);
      this.#take(rows);
    } catch (error) {
      void this.#handle?.release();
      this.#handle = undefined;
      throw error;
    } finally {
      cancel();
    }
  }

  #noteTime(...reading: Parameters<ServerTime["note"]>): void {
    const was_known = this.#time.is_known;
    this.#time.note(...reading);
    if (this.#time.is_known === was_known) return;
    if (this.#time.is_known) return this.#log.info("storage.time_known");
    const hint =
      "The database answers too slowly to know its time within half a second: this node refuses writes. Look at the network and its load.";
    this.#log.warn("storage.time_unknown", { hint });
  }

  #take(rows: ChangeRow[]): void {
    const { oldest, started } = rows[0]!;
    const now_ms = systemClock.monotonic();
    const is_known =
      this.#from !== null &&
      started === this.#started &&
      now_ms - this.#read_ms < postgres_limits.changes_seconds_min * 1000;
    if (!is_known) this.#lose();
    const topics = new Set<string>();
    const seen = new Set<string>();
    for (const { xid, topic } of rows) {
      if (xid === null || topic === null) continue;
      if (BigInt(xid) >= BigInt(oldest)) seen.add(xid);
      if (is_known && !this.#seen.has(xid)) topics.add(topic);
    }
    // Own transactions that end later are read then.
    for (const xid of this.#seen) if (BigInt(xid) >= BigInt(oldest)) seen.add(xid);
    this.#seen = seen;
    this.#from = oldest;
    this.#started = started;
    this.#read_ms = now_ms;
    for (const topic of topics) this.#publish(topic);
  }

  /** Anything may have changed. */
  #lose(): void {
    this.#from = null;
    this.#publish(null);
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    this.#cancelPoll();
    await this.#running;
    void this.#handle?.release();
  }
}
