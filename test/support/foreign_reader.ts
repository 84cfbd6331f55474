/** Another process that reads the database, as a shell or a backup does: it holds snapshots that the service cannot end. */

import { Database } from "bun:sqlite";

const [, , directory, mode] = process.argv;

function connect(): Database {
  const database = new Database(`${directory}/wharf.db`, { readonly: true });
  database.run("PRAGMA busy_timeout = 10000");
  return database;
}

const begin = (database: Database) => {
  database.run("BEGIN");
  database.query("SELECT COUNT(*) FROM sqlite_schema").get();
};

/** Holds one snapshot until a line on standard input. */
async function hold(): Promise<void> {
  const database = connect();
  begin(database);
  console.log("reading");
  for await (const _ of console) break;
  database.run("COMMIT");
  database.close();
  console.log("released");
}

/** Takes a new snapshot before it ends the one before, so that there is always one. */
async function overlap(): Promise<void> {
  let [one, other] = [connect(), connect()];
  begin(one);
  console.log("reading");
  for (;;) {
    await Bun.sleep(20);
    begin(other);
    one.run("COMMIT");
    [one, other] = [other, one];
  }
}

if (import.meta.main) await (mode === "hold" ? hold() : overlap());

export interface ForeignReader {
  /** Ends the snapshot that `hold` holds. */
  release(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a reader on the database in `directory`; resolves when it reads. */
export async function foreignReader(directory: string, mode: "hold" | "overlap"): Promise<ForeignReader> {
  const child = Bun.spawn([process.execPath, import.meta.path, directory, mode], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const output = child.stdout.getReader();
  const says = async () => new TextDecoder().decode((await output.read()).value).trim();
  if ((await says()) !== "reading") throw new Error("The reader did not begin.");
  return {
    async release() {
      await child.stdin.write("\n");
      await child.stdin.end();
      await child.exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
