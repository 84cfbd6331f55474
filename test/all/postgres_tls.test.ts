/** TLS to the database, by the parameters of libpq in its URL, with real certificates. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { database_settings, protectionOf } from "../../src/core/database_settings.ts";
import { Pool } from "../../src/storage/postgres/pool.ts";
import { makeCertificate, type TestCertificate } from "../support/certificates.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

describe.skipIf(lacks_postgres || lacks("TLS to Postgres", "openssl"))("TLS to the database", () => {
  const directory = newDirectory();
  let right: TestCertificate;
  let other: TestCertificate;
  let elsewhere: TestCertificate;
  let servers: Record<"with" | "without" | "misnamed", PostgresServer>;
  beforeAll(async () => {
    right = makeCertificate(directory, "right");
    other = makeCertificate(directory, "other");
    elsewhere = makeCertificate(directory, "elsewhere", 90, "DNS:db.example");
    servers = {
      with: await startPostgres(right),
      without: await startPostgres(),
      misnamed: await startPostgres(elsewhere),
    };
  });
  afterAll(async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    removeDirectory(directory);
  });

  /** Connects as a node does. Returns whether the connection is encrypted. Throws a user-facing error. */
  async function connect(server: keyof typeof servers, parameters: string): Promise<boolean> {
    const url = `${servers[server].url}?${parameters}`;
    const place = { url, listen_url: url, connections_max: 4, prepares: true, node: "node-1" };
    const pool = new Pool(place, "wharf");
    await pool.check();
    try {
      // Hints need a connection of their own.
      await pool.listen("wharf_tls", () => undefined);
      const rows = await pool.with(
        (handle) => handle`
          SELECT ssl, application_name AS name FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE application_name LIKE 'wharf%'`,
      );
      const names = new Set(rows.map(({ name }: { name: string }) => name));
      expect(names).toEqual(new Set(["wharf hints node-1", "wharf node-1"]));
      const [is_encrypted, ...others] = new Set<boolean>(rows.map(({ ssl }: { ssl: boolean }) => ssl));
      expect(others).toEqual([]);
      return is_encrypted!;
    } finally {
      await pool.close();
    }
  }

  test.each([
    ["disable", false],
    ["prefer", true],
    ["require", true],
  ])("is used as sslmode=%s says, without a check", async (mode, is_encrypted) => {
    expect(await connect("with", `sslmode=${mode}`)).toBe(is_encrypted);
  });

  test("checks the authority and the host name with sslmode=verify-full", async () => {
    const full = "sslmode=verify-full&sslrootcert=";
    expect(await connect("with", full + right.cert)).toBe(true);
    expect(connect("with", full + other.cert)).rejects.toThrow("sslrootcert=/path/root.pem");
    expect(connect("with", "sslmode=verify-full")).rejects.toThrow("self signed certificate");
    expect(connect("misnamed", full + elsewhere.cert)).rejects.toThrow(
      "Name the server as its certificate does",
    );
    expect(connect("with", `${full}/nowhere.pem`)).rejects.toThrow("Check the file");
    expect(connect("without", full + right.cert)).rejects.toThrow("offers no TLS");
  });

  test("checks only the authority with sslmode=verify-ca", async () => {
    const ca = "sslmode=verify-ca&sslrootcert=";
    expect(await connect("misnamed", ca + elsewhere.cert)).toBe(true);
    expect(connect("misnamed", ca + right.cert)).rejects.toThrow("sslrootcert=/path/root.pem");
  });
});

test("an sslmode that does not exist is refused with those that do", () => {
  const url = "postgres://wharf@db.example/wharf?sslmode=";
  expect(() => database_settings.database.parse(`${url}verify`)).toThrow("verify-full");
  expect(database_settings.database.parse(`${url}verify-full`)).toBe(`${url}verify-full`);
});

test.each([
  ["postgres://wharf@127.0.0.1/wharf", [true, false, false]],
  ["postgres://wharf@db.example/wharf", [false, false, false]],
  ["postgres://wharf@db.example/wharf?sslmode=require", [false, true, false]],
  ["postgres://wharf@db.example/wharf?sslmode=require&sslrootcert=/root.pem", [false, true, true]],
  ["postgres://wharf@db.example/wharf?sslmode=verify-ca&sslrootcert=/root.pem", [false, true, false]],
  ["postgres://wharf@db.example/wharf?sslmode=verify-full", [false, true, true]],
])("the doctor knows how %s is protected", (url, expected) => {
  const { is_local, is_encrypted, is_checked } = protectionOf(url);
  expect([is_local, is_encrypted, is_checked]).toEqual(expected);
});
