/** The loop of the search thread: runs searches one after another on a read-only connection, each on one snapshot. */

import type { Searches } from "../../core/storage.ts";
import { Connection } from "./connection.ts";
import { plainFailure, type PlainFailure } from "./thread_failure.ts";

/** Messages to the search thread. */
export type ToSearchThread = { file: string; name: string; input: unknown } | { close: true };

/** Messages from the search thread: `ready` at its start, then one for each message. */
export type FromSearchThread =
  { ready: true } | { result: unknown } | { failure: PlainFailure } | { closed: true };

/** Serves searches on `port` until the `close` message. The first search loads them. */
export function serveSearches(
  port: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown): void },
  load: () => Promise<Searches>,
): void {
  const answer = (message: FromSearchThread) => port.postMessage(JSON.stringify(message));
  let connection: Connection | undefined;
  let is_loading = false;
  /** Whether to close after the search that waits for its code. */
  let closes_later = false;

  async function run(file: string, name: string, input: unknown): Promise<void> {
    try {
      is_loading = true;
      const searches = await load();
      is_loading = false;
      connection ??= new Connection(file, { readonly: true, busy_ms: 0 });
      connection.control("BEGIN");
      answer({ result: await searches[name]!(connection, input) });
    } catch (error) {
      answer({ failure: plainFailure(error) });
    } finally {
      end();
      if (closes_later) close();
    }
  }

  /** Ends the transaction. If that fails, closes the connection; the next search opens another. */
  function end(): void {
    try {
      if (connection?.database.inTransaction) connection.control("COMMIT");
    } catch {
      connection?.close();
      connection = undefined;
    }
  }

  function close(): void {
    connection?.close();
    connection = undefined;
    answer({ closed: true });
  }

  port.onmessage = (event) => {
    const message = JSON.parse(event.data as string) as ToSearchThread;
    if ("close" in message) {
      if (is_loading) closes_later = true;
      else close();
    } else void run(message.file, message.name, message.input);
  };
  answer({ ready: true });
}
