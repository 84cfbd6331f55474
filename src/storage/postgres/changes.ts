/**
 * Changes by other nodes: each transaction records its topics, and every node reads the records of the others. Caches
 * are valid, and waits are complete, as of the last reading.
 *
 * Transactions end in another order than they begin, so a reading keeps its snapshot. The next one reads the records of the
 * transactions that were running then, and of those that began later: an index has both, so the cost of a reading does not depend
 * on transactions that stay open.
 */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { errorText, type Log } from "../../core/log.ts";
import { postgres_limits } from "./limits.ts";
import { hintOf, isLost } from "./connection.ts";
import type { ServerTime } from "./server_time.ts";
import type { Pool } from "./pool.ts";
import { Snapshot } from "./snapshot.ts";

const hint =
  "Calls are refused until the database answers again. Look at the server, its log, and the network in between.";

/** No transaction has this id, nor a later one. */
const xid_max = "18446744073709551615";
const nothing_to_read: Pick<Snapshot, "end" | "running"> = { end: xid_max, running: [] };

interface ChangeRow {
  xid: string | null;
  topic: string | null;
  snapshot: string;
  /** When the server started: with a crash, records may be lost. */
  started: string;
  /** Its time, in unix milliseconds. */
  now_ms: number;
}

export class Changes {
  #handle: ReservedSQL | undefined;
  /** The snapshot of the last reading; null if earlier changes are unknown. */
  #seen: Snapshot | null = null;
  #started = "";
  #read_ms = 0;
  /** Transactions of this process that no reading has seen: their topics have been published. */
  readonly #own = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #cancelPoll = () => {};
  #is_closed = false;
  /** Why the last reading failed. */
  #failure = "";

  constructor(
    private readonly pool: Pool,
    private readonly time: ServerTime,
    private readonly publish: (topic: string | null) => void,
    private readonly log: Log,
  ) {}

  /** Begins to read at intervals, in case a hint is lost, and until the database answers again. */
  start(): void {
    this.#cancelPoll = systemClock.after(postgres_limits.poll_ms, () => {
      const reading = this.pool.is_down ? (this.#running = this.#read()) : this.catchUp();
      void reading.finally(() => this.#is_closed || this.start());
    });
  }

  /** Notes that this process has published the topics of a transaction itself. */
  noteOwn(xid: string): void {
    if (!this.#seen?.sees(xid)) this.#own.add(xid);
  }

  /**
   * Resolves when the topics of every transaction have been published that was committed before the call, or when the database is
   * down. Never rejects.
   */
  catchUp(): Promise<void> {
    // A reading that has begun may have missed it: callers that come meanwhile share the next one.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      // The poll finds out when it answers again. Callers must not wait for that, one silence after the other.
      return this.pool.is_down ? undefined : (this.#running = this.#read());
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    if (this.#is_closed) return;
    const begun_ms = systemClock.monotonic();
    try {
      const rows = await this.#readOnce().catch((error: unknown) => {
        // A connection that was lost while it was not used says nothing about the database.
        const was_quick = systemClock.monotonic() - begun_ms < postgres_limits.silence_ms_max;
        if (this.pool.is_down || !was_quick || !isLost(error)) throw error;
        return this.#readOnce();
      });
      if (this.pool.is_down) this.log.info("storage.database_answers");
      // First: listeners read again what they do not know.
      this.pool.is_down = false;
      this.#failure = "";
      this.#take(rows);
    } catch (error) {
      if (!this.#is_closed) this.#lose(error);
    }
  }

  /** Anything may change until the database answers again. */
  #lose(error: unknown): void {
    this.#seen = null;
    const text = errorText(error);
    if (text !== this.#failure)
      this.log.error("storage.database_silent", { error: text, hint: hintOf(error) ?? hint });
    this.#failure = text;
    if (this.pool.is_down) return;
    this.pool.is_down = true;
    // Waits and streams end: nobody knows what they miss.
    this.publish(null);
  }

  async #readOnce(): Promise<ChangeRow[]> {
    // A network that drops packets gives no sign, and Bun's client has no time limit.
    const cancel = systemClock.after(postgres_limits.silence_ms_max, () => this.pool.reset());
    try {
      const handle = (this.#handle ??= await this.pool.connect(postgres_limits.connect_seconds_max));
      const { end, running } = this.#seen ?? nothing_to_read;
      const sent_ms = systemClock.monotonic();
      // Each part is found by the index also without statistics: for a range with two ends Postgres expects few rows, and OFFSET
      // keeps it from a join by a hash of all rows.
      const rows = (await handle`
        SELECT new.xid::text AS xid, new.topic AS topic,
          pg_current_snapshot()::text AS snapshot, pg_postmaster_start_time()::text AS started,
          (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
        FROM (SELECT 1) AS one LEFT JOIN (
          SELECT xid, topic FROM changed_topics WHERE xid >= ${end}::xid8 AND xid < ${xid_max}::xid8
          UNION ALL
          SELECT ended.xid, ended.topic FROM unnest(${handle.array([...running], "TEXT")}::text[]::xid8[]) AS ran (xid)
            CROSS JOIN LATERAL (SELECT xid, topic FROM changed_topics WHERE changed_topics.xid = ran.xid OFFSET 0) AS ended
        ) AS new ON true LIMIT ${postgres_limits.changes_rows_max + 1}::int`) as ChangeRow[];
      const received_ms = systemClock.monotonic();
      const wall_ms = systemClock.now();
      this.#noteTime(wall_ms - (received_ms - sent_ms), wall_ms, rows[0]!.now_ms);
      return rows;
    } catch (error) {
      void this.#handle?.release();
      this.#handle = undefined;
      throw error;
    } finally {
      cancel();
    }
  }

  #noteTime(...reading: Parameters<ServerTime["note"]>): void {
    const was_known = this.time.is_known;
    this.time.note(...reading);
    if (this.time.is_known === was_known) return;
    if (this.time.is_known) return this.log.info("storage.time_known");
    const hint =
      "The database answers too slowly to know its time within half a second: this node refuses writes. Look at the network and its load.";
    this.log.warn("storage.time_unknown", { hint });
  }

  #take(rows: ChangeRow[]): void {
    const { snapshot, started } = rows[0]!;
    const now_ms = systemClock.monotonic();
    const is_known =
      this.#seen !== null &&
      started === this.#started &&
      rows.length <= postgres_limits.changes_rows_max &&
      now_ms - this.#read_ms < postgres_limits.changes_seconds_min * 1000;
    this.#seen = new Snapshot(snapshot);
    this.#started = started;
    this.#read_ms = now_ms;
    const foreign = rows.filter(({ xid }) => xid !== null && !this.#own.has(xid));
    for (const xid of this.#own) if (this.#seen.sees(xid)) this.#own.delete(xid);
    if (!is_known) return this.publish(null);
    // Messages of a node are in the order of its transactions.
    foreign.sort((a, b) => Number(BigInt(a.xid!) - BigInt(b.xid!)));
    for (const topic of new Set(foreign.map(({ topic }) => topic))) this.publish(topic);
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    this.#cancelPoll();
    await this.#running;
    void this.#handle?.release();
  }
}
