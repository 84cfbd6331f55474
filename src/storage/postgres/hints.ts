/**
 * Hints of other nodes that something has changed, by LISTEN. Bun's client would repeat a lost LISTEN by itself, and write about that
 * on standard error, where only lines of the log belong: so a lost connection is closed at once, and another is opened here.
 */

import type { SQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { errorText, type Log } from "../../core/log.ts";
import { postgres_limits } from "./limits.ts";

export interface HintOptions {
  /** Opens a client for one connection. `onclose` is called when it is lost. */
  open(onclose: () => void): SQL;
  channel: string;
  hear(payload: string): void;
  /** Whether the database answers, as far as is known; while it does not, nothing is tried. */
  canListen(): boolean;
  log: Pick<Log, "warn">;
}

export class Hints {
  #sql: SQL | undefined;
  #is_failing = false;
  #is_closed = false;
  #cancel = () => {};

  /** Begins to listen. Without hints everything works, only later: a failure is logged once, and repeated until it succeeds. */
  constructor(private readonly options: HintOptions) {
    this.#listen();
  }

  #listen(): void {
    const { open, channel, hear, canListen, log } = this.options;
    if (!canListen()) return this.#listenLater();
    const sql = open(() => this.#drop(sql));
    this.#sql = sql;
    sql.listen(channel, hear).then(
      () => (this.#is_failing = false),
      (error: unknown) => {
        if (this.#sql === sql && !this.#is_failing) log.warn("storage.no_hints", { error: errorText(error) });
        this.#is_failing = true;
        this.#drop(sql);
      },
    );
  }

  #listenLater(): void {
    this.#cancel();
    if (!this.#is_closed) this.#cancel = systemClock.after(postgres_limits.poll_ms, () => this.#listen());
  }

  #drop(sql: SQL): void {
    if (this.#sql !== sql) return;
    this.#sql = undefined;
    void sql.close({ timeout: 0 }).catch(() => undefined);
    this.#listenLater();
  }

  /** Gives up the connection, which the network may have lost without a sign, and opens another. */
  reset(): void {
    if (this.#sql) this.#drop(this.#sql);
  }

  close(): void {
    this.#is_closed = true;
    this.#cancel();
    this.reset();
  }
}
