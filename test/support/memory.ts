/** The service's storage in memory, without threads and without a disk: for simulations of a million steps. */

import { commands } from "../../src/app/commands.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import { searches } from "../../src/app/commands.ts";
import { runIdempotent } from "../../src/storage/idempotency.ts";
import type { Command, Search } from "../../src/core/storage.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";

/** Runs each command in place, as soon as it is called. */
export function memoryStorage(): AppStorage {
  const connection = new Connection(":memory:", { busy_ms: 0 });
  migrate(connection.database);
  return {
    async write(name, input, call) {
      const run = async () =>
        (await (commands[name] as Command<unknown, unknown>)(connection, input)) as never;
      return call ? runIdempotent(connection, call, run) : { result: await run(), repeated: false };
    },
    read: (query) => query(connection),
    search: (name, input) => (searches[name] as Search<unknown, never>)(connection, input),
    onChange() {},
    prepare() {},
    identity: "00000000",
    copied_to: null,
    backup: () => Promise.reject(new Error("There is no file.")),
    export: () => Promise.reject(new Error("There is no file.")),
    health: async () => ({}),
    async close() {
      connection.close();
    },
  };
}
