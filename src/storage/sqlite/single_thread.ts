/**
 * The storage in one thread: reads, writes and searches take turns on one connection, to a database in memory or to a file
 * that nobody else uses. Nothing is synced. For development: the same calls in the same order leave the same data.
 */

import { Database } from "bun:sqlite";
import { AsyncLocalStorage } from "node:async_hooks";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { service_errors } from "../../core/general_errors.ts";
import type * as port from "../../core/storage.ts";
import { exportCopy, exportStream } from "../export/stream.ts";
import { PhasedListeners } from "../listeners.ts";
import { writeBackup } from "./backup.ts";
import { Connection, storageFailure } from "./connection.ts";
import { emptyDatabase } from "./empty_database.ts" with { type: "macro" };
import { TransactionRunner } from "./group_commit.ts";
import { failureFromThread } from "./thread_failure.ts";

interface SingleThreadOptions {
  /** Where the file of the database is; only exports and backups write there if the database is in memory. */
  directory: string;
  in_memory: boolean;
  /** The database to begin with, from `image`; without rows if absent. */
  image?: Uint8Array;
  commands: port.CommandMap;
  searches: port.Searches;
  chores: readonly port.Chore[];
  clock: Clock;
}

export interface SingleThreadStorage<A extends port.CommandMap, S extends port.Searches> extends port.Storage<
  A,
  S
> {
  /** The whole database as bytes, when the calls before this one have ended. */
  image(): Promise<Uint8Array>;
  /** How many calls have begun, and how many have not ended. */
  calls(): { begun: number; open: number };
}

/** Opens the database. A file is replaced by the image. */
export function openSingleThread<A extends port.CommandMap, S extends port.Searches>(
  options: SingleThreadOptions,
): SingleThreadStorage<A, S> {
  const { commands, searches, chores, clock } = options;
  const connection = new Connection(openDatabase(options), { busy_ms: 0 });
  connection.database.run("PRAGMA synchronous = OFF");
  connection.database.run("PRAGMA journal_mode = MEMORY");
  const runner = TransactionRunner.over(connection, commands, clock);
  const listeners = new PhasedListeners();
  /** The transaction of the read that is running. */
  const reading = new AsyncLocalStorage<{ tx: port.Tx; is_open: boolean }>();
  let turn: Promise<unknown> = Promise.resolve();
  let begun = 0;
  let open = 0;
  let are_chores_due = true;
  let is_closing = false;

  /** Runs `work` after everything that began before. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    begun++;
    open++;
    const result = turn.then(work).finally(() => open--);
    turn = result.catch(() => undefined);
    return result;
  }

  function refuseClosed(): void {
    if (is_closing) throw new ServiceError(service_errors.stopping, "The service is stopping.");
  }

  /** Runs the chores until none has more to do. */
  async function runChores(): Promise<void> {
    if (!are_chores_due) return;
    are_chores_due = false;
    for (const chore of chores) while (await runner.runChore(chore));
  }

  async function write(name: string, input: unknown, call?: port.IdempotentCall): Promise<unknown> {
    // A copy, as if it went to another thread.
    const request = { name, input: JSON.parse(JSON.stringify(input)), call };
    const { replies, changed } = await runner.commit([request]);
    are_chores_due = true;
    for (const topic of changed) {
      for (const listener of listeners.in_order) void listener(topic);
    }
    const [reply] = replies;
    if (!reply!.failure) return reply;
    throw failureFromThread(reply!.failure, "A command failed unexpectedly.", { noteDamage() {} });
  }

  async function read<Result>(query: (tx: port.Tx) => Promise<Result>): Promise<Result> {
    const active = { tx: connection, is_open: true };
    try {
      connection.control("BEGIN");
      return await reading.run(active, query, connection);
    } catch (error) {
      throw storageFailure(error);
    } finally {
      active.is_open = false;
      if (connection.database.inTransaction) connection.control("COMMIT");
    }
  }

  const image = async (): Promise<Uint8Array> => connection.database.serialize();

  const backup = (file: string, backup_options?: port.BackupOptions) =>
    writeBackup(file, async (partial) => writeFileSync(partial, await inTurn(image)), backup_options);

  return {
    identity: runner.identity,
    copied_to: null,
    write: (name, input, call) => {
      refuseClosed();
      return inTurn(() => write(name, input, call)) as never;
    },
    async read(query) {
      const outer = reading.getStore();
      if (outer?.is_open) return query(outer.tx);
      refuseClosed();
      return inTurn(() => read(query));
    },
    async search(name, input) {
      refuseClosed();
      return inTurn(async () => {
        await runChores();
        return read((tx) => searches[name]!(tx, input));
      }) as never;
    },
    onChange: (phase, listener) => listeners.add(phase, listener),
    prepare() {},
    health: async () => ({ writes: { status: "ok" }, disk: { status: "ok" }, database: { status: "ok" } }),
    backup,
    async export(export_options) {
      // The stream removes the file.
      const copy = exportCopy(options.directory);
      await backup(copy);
      return exportStream(copy, export_options);
    },
    image: () => inTurn(image),
    calls: () => ({ begun, open }),
    async close() {
      is_closing = true;
      await turn;
      connection.close();
    },
  };
}

// Migrating an empty database takes 20 ms, opening the one that the build made 2 ms.
const empty = (): Uint8Array => Bun.gunzipSync(Buffer.from(emptyDatabase(), "base64"));

function openDatabase({ directory, in_memory, image = empty() }: SingleThreadOptions): Database {
  if (in_memory) return Database.deserialize(image);
  const file = join(directory, "wharf.db");
  writeFileSync(file, image, { mode: 0o600 });
  return new Database(file, { readwrite: true });
}
