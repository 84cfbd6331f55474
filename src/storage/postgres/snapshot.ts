/** Which transactions a statement has seen (`pg_snapshot`, section 9.27.8 of the manual of Postgres 15). */

export class Snapshot {
  /** The first transaction that had not begun. */
  readonly end: string;
  /** The earlier ones that had not ended, of all databases of the server: no more than it has connections and prepared transactions. */
  readonly running: readonly string[];

  /** `text`: a `pg_snapshot`, such as `10:20:10,14,15`. */
  constructor(text: string) {
    const [, end = "", running = ""] = text.split(":");
    this.end = end;
    this.running = running === "" ? [] : running.split(",");
  }

  /** Whether the transaction had ended. */
  sees(xid: string): boolean {
    return BigInt(xid) < BigInt(this.end) && !this.running.includes(xid);
  }
}
