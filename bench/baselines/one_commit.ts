/** Baseline: the service with a storage that runs each write on the main thread in a transaction of its own. */

import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { commands, type AppCommands } from "../../src/app/commands.ts";
import { searches } from "../../src/app/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import { default_config } from "../../src/core/settings.ts";
import { PhasedListeners } from "../../src/storage/listeners.ts";
import { storage_limits } from "../../src/storage/limits.ts";
import { createLog } from "../../src/core/log.ts";
import { systemRandom } from "../../src/core/random.ts";
import { serve } from "../../src/app/serve.ts";
import { runIdempotent } from "../../src/storage/idempotency.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import type { Command, IdempotentCall, Search, Storage } from "../../src/core/storage.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { Readers } from "../../src/storage/sqlite/readers.ts";

function openInPlace(directory: string): AppStorage {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "wharf.db");
  const connection = new Connection(file, { busy_ms: 0 });
  connection.database.run("PRAGMA journal_mode = WAL");
  connection.database.run("PRAGMA synchronous = FULL");
  connection.database.run("PRAGMA foreign_keys = ON");
  connection.database.run(`PRAGMA wal_autocheckpoint = ${storage_limits.checkpoint_pages}`);
  connection.database.run("PRAGMA cache_size = -65536");
  migrate(connection.database);
  const readers = new Readers(file);
  const listeners = new PhasedListeners();
  let last: Promise<unknown> = Promise.resolve();

  async function commit(name: keyof AppCommands, input: unknown, call?: IdempotentCall) {
    const command = commands[name] as Command<unknown, unknown>;
    try {
      connection.control("BEGIN IMMEDIATE");
      const written = call
        ? await runIdempotent(connection, call, () => command(connection, input))
        : { result: await command(connection, input), repeated: false };
      connection.control("COMMIT");
      for (const subject of connection.takeAnnounced()) {
        for (const listener of listeners.in_order) void listener(subject);
      }
      return written;
    } catch (error) {
      connection.takeAnnounced();
      if (connection.database.inTransaction) connection.control("ROLLBACK");
      throw error;
    }
  }

  return {
    write(name, input, call) {
      // A command awaits its statements, so the next one must wait for the commit.
      const written = last.then(() => commit(name, input, call));
      last = written.catch(() => {});
      return written as ReturnType<Storage<AppCommands>["write"]> as never;
    },
    read: (query) => readers.read(query),
    search: (name, input) => readers.read((tx) => (searches[name] as Search<unknown, never>)(tx, input)),
    onChange: (phase, listener) => listeners.add(phase, listener),
    prepare() {},
    identity: "00000000",
    copied_to: null,
    backup: () => Promise.reject(new Error("This storage makes no backups.")),
    export: () => Promise.reject(new Error("This storage makes no exports.")),
    health: async () => ({}),
    async close() {
      await last;
      connection.close();
      readers.close();
    },
  };
}

const data_dir = process.argv[2]!;
const config = { ...default_config, port: 0, data_dir, rate_limit: false };
const log = createLog(systemClock, "info", (line) => void process.stderr.write(line));
const storage = openInPlace(data_dir);
const service = await serve(config, { clock: systemClock, random: systemRandom, log, storage });
console.log(`serving at ${service.url}`);
