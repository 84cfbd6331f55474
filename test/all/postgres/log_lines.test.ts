/** What a node writes on standard error while its database is gone: lines of the log, and no more of them than needed. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { startForwarder } from "../../support/forwarder.ts";
import { get } from "../../support/http.ts";
import { lacks_postgres, startPostgres } from "../../support/postgres_server.ts";
import { openRoom } from "../../support/load.ts";
import { startProgram } from "../../support/service.ts";

const source = ["bun", join(import.meta.dir, "../../../src/main.ts")];

test.skipIf(lacks_postgres)(
  "a node writes only lines of its log while its database is gone, and an error only about that",
  async () => {
    const server = await startPostgres();
    const network = await startForwarder(server.url);
    const service = await startProgram(source, { database: network.url, log_format: "json" });
    await openRoom(service.url);
    await server.crash();
    while (!service.output().includes("storage.database_silent")) await Bun.sleep(10);
    // It tries to reach the database meanwhile. Bun's client would repeat LISTEN after a quarter of a second, half a second, …
    const before = network.connections();
    while (network.connections() < before + 3) await Bun.sleep(50);
    await server.start();
    while ((await get(`${service.url}/readyz`)).status !== 200) await Bun.sleep(50);
    await service.stop();
    network.stop();
    await server.stop();
    const lines = service
      .output()
      .split("\n")
      .filter((line) => line !== "");
    // The line on standard output.
    expect(lines.filter((line) => !line.startsWith('{"at":'))).toEqual([
      expect.stringContaining("serving at"),
    ]);
    const errors = lines
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => JSON.parse(line).event);
    expect([...new Set(errors)]).toEqual(["storage.database_silent"]);
  },
);
