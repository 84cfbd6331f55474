/** TLS to the database, by the parameters of libpq in its URL, with real certificates. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { database_settings, protectionOf } from "../../../src/core/database_settings.ts";
import { Pool } from "../../../src/storage/postgres/pool.ts";
import { makeCertificate, type TestCertificate } from "../../support/certificates.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

describe.skipIf(lacks_postgres || lacks("TLS to Postgres", "openssl"))("TLS to the database", () => {
  const directory = newDirectory();
  let right: TestCertificate;
  let other: TestCertificate;
  let server: PostgresServer;
  let nodes = 0;
  /** The server by a name that its certificate does not have. */
  let misnamed: string;
  beforeAll(async () => {
    right = makeCertificate(directory, "right", 90, "DNS:localhost");
    other = makeCertificate(directory, "other");
    server = await startPostgres(right);
    misnamed = server.url.replace("localhost", "127.0.0.1");
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(directory);
  });

  /** Connects as a node does. Returns whether the connection is encrypted. Throws a user-facing error. */
  async function connect(to: string, parameters: string): Promise<boolean> {
    const url = `${to}?${parameters}`;
    const node = `node-${++nodes}`;
    const place = { url, listen_url: url, connections_max: 4, prepares: true, node };
    const pool = new Pool(place, "wharf");
    await pool.check();
    try {
      // Hints need a connection of their own.
      const heard: string[] = [];
      pool.listen({ channel: "wharf_tls", hear: (payload) => heard.push(payload), log: { warn() {} } });
      while (heard.length === 0) await pool.notify("wharf_tls", "hint");
      const rows = await pool.with(
        (handle) => handle`
          SELECT ssl, application_name AS name FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE application_name LIKE ${`wharf%${node}`}`,
      );
      const names = new Set(rows.map(({ name }: { name: string }) => name));
      expect(names).toEqual(new Set([`wharf hints ${node}`, `wharf ${node}`]));
      const [is_encrypted, ...others] = new Set<boolean>(rows.map(({ ssl }: { ssl: boolean }) => ssl));
      expect(others).toEqual([]);
      return is_encrypted!;
    } finally {
      await pool.close();
    }
  }

  /** Why the operator cannot connect. */
  const refusal = (to: string, parameters: string): Promise<string> =>
    connect(to, parameters).then(
      () => "connected",
      (error: unknown) => String(error),
    );

  test.each([
    ["disable", false],
    ["prefer", true],
    ["require", true],
  ])("is used as sslmode=%s says, without a check", async (mode, is_encrypted) => {
    expect(await connect(server.url, `sslmode=${mode}`)).toBe(is_encrypted);
  });

  test("checks the authority and the host name with sslmode=verify-full", async () => {
    const full = "sslmode=verify-full&sslrootcert=";
    expect(await connect(server.url, full + right.cert)).toBe(true);
    expect(await refusal(server.url, full + other.cert)).toContain("sslrootcert=/path/root.pem");
    expect(await refusal(server.url, "sslmode=verify-full")).toContain("self signed certificate");
    expect(await refusal(misnamed, full + right.cert)).toContain("Name the server as its certificate does");
    expect(await refusal(server.url, `${full}/nowhere.pem`)).toContain("Check the file");
    // A server without TLS answers the request for it with N.
    const without = Bun.listen({
      hostname: "localhost",
      port: 0,
      socket: { data: (socket) => void socket.write("N") },
    });
    expect(await refusal(`postgres://wharf@localhost:${without.port}/wharf`, full + right.cert)).toContain(
      "offers no TLS",
    );
    without.stop(true);
  });

  test("checks only the authority with sslmode=verify-ca", async () => {
    const ca = "sslmode=verify-ca&sslrootcert=";
    expect(await connect(misnamed, ca + right.cert)).toBe(true);
    expect(await refusal(misnamed, ca + other.cert)).toContain("sslrootcert=/path/root.pem");
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
