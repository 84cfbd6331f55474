/** The loop of the search thread: runs one search after another, each on one snapshot, on a connection that only reads. */

import type { Searches } from "../../core/storage.ts";
import { Connection } from "./connection.ts";
import { plainFailure, type PlainFailure } from "./thread_failure.ts";

/** What the main thread sends. The file is opened with the first search if not before. */
export type ToSearches = { open: string } | { file: string; name: string; input: unknown } | { close: true };

/** What the search thread answers: `ready` when it has started, then one message for each but `open`. */
export type FromSearches =
  { ready: true } | { result: unknown } | { failure: PlainFailure } | { closed: true };

/** Serves searches on `port` until it is told to close. */
export function serveSearches(
  port: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown): void },
  searches: Searches,
): void {
  const answer = (message: FromSearches) => port.postMessage(JSON.stringify(message));
  let connection: Connection | undefined;

  /** Opens the database and its log. What fails here is tried again with the first search. */
  function open(file: string): void {
    try {
      connection ??= new Connection(file, { readonly: true, busy_ms: 0 });
      connection.control("PRAGMA user_version");
    } catch {
      connection?.close();
      connection = undefined;
    }
  }

  async function run(file: string, name: string, input: unknown): Promise<void> {
    try {
      connection ??= new Connection(file, { readonly: true, busy_ms: 0 });
      connection.control("BEGIN");
      answer({ result: await searches[name]!(connection, input) });
    } catch (error) {
      answer({ failure: plainFailure(error) });
    } finally {
      end();
    }
  }

  /** Ends the transaction. A connection that cannot end it is closed: the next search opens another. */
  function end(): void {
    try {
      if (connection?.database.inTransaction) connection.control("COMMIT");
    } catch {
      connection?.close();
      connection = undefined;
    }
  }

  port.onmessage = (event) => {
    const message = JSON.parse(event.data as string) as ToSearches;
    if ("close" in message) {
      connection?.close();
      connection = undefined;
      answer({ closed: true });
    } else if ("open" in message) open(message.open);
    else void run(message.file, message.name, message.input);
  };
  answer({ ready: true });
}
