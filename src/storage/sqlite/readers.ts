/** The connections that read: each read has one to itself and sees one snapshot of what is durable. */

import { ServiceError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Tx } from "../port.ts";
import { Connection, storageFailure } from "./connection.ts";

export class Readers {
  readonly #file: string;
  #idle: Connection[] = [];
  #open = 0;
  #closed = false;

  constructor(file: string) {
    this.#file = file;
  }

  #take(): Connection {
    if (this.#closed) throw new ServiceError("stopping", "The service is stopping.");
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#open >= limits.read_connections_max) {
      throw new ServiceError("storage_busy", "All read connections are in use.", { retry_after_seconds: 1 });
    }
    // Pages are read, not mapped: a disk that fails under a mapped page would end the process.
    const connection = new Connection(this.#file, { readonly: true, busy_ms: 0 });
    this.#open++;
    return connection;
  }

  /** Runs `query` in a read transaction. The query awaits nothing but its handle, so it ends within this turn. */
  async read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result> {
    let connection: Connection | undefined;
    try {
      connection = this.#take();
      connection.control("BEGIN");
      return await query(connection);
    } catch (error) {
      throw storageFailure(error);
    } finally {
      if (connection) this.#giveBack(connection);
    }
  }

  /** Ends the connection's transaction. One that cannot is let go of: the next read opens another. */
  #giveBack(connection: Connection): void {
    try {
      if (connection.database.inTransaction) connection.control("COMMIT");
      if (!this.#closed) return void this.#idle.push(connection);
    } catch {
      // Closed below, with whatever it still had.
    }
    this.#open--;
    connection.close();
  }

  /** Closes the connections; those that are reading follow when they have read. Later reads are refused. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#idle) connection.close();
    this.#idle = [];
  }
}
