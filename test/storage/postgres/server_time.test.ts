/** The time of the database: how it is measured, and that all nodes have it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { serve } from "../../../src/app/serve.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { systemRandom } from "../../../src/core/random.ts";
import { default_config } from "../../../src/core/settings.ts";
import { ServerTime } from "../../../src/storage/postgres/server_time.ts";
import { post } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

describe("the difference of the clocks", () => {
  test("is that of the quickest reading, and noise does not move it", () => {
    const time = new ServerTime();
    expect(time.is_known).toBe(false);
    time.note(1_000, 1_400, 4_350);
    expect([time.is_known, time.offset_ms]).toEqual([true, 3_150]);
    time.note(2_000, 2_010, 5_005);
    expect(time.offset_ms).toBe(3_000);
    for (let i = 0; i < 10; i++) time.note(3_000, 3_008, 6_004 + i);
    expect(time.offset_ms).toBe(3_000);
  });

  test("is not known while every reading takes too long, and forgets old readings", () => {
    const time = new ServerTime();
    time.note(0, 10, 5);
    expect(time.is_known).toBe(true);
    for (let i = 0; i < 16; i++) time.note(0, 1_002, 501);
    expect(time.is_known).toBe(false);
  });
});

describe.skipIf(lacks_postgres)("a node whose clock is wrong", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test.each([-5_000, 5_000])("takes the time of the database (%p ms)", async (wrong_ms) => {
    const data_dir = newDirectory();
    const database = `${server.url}?schema=time${wrong_ms < 0 ? "behind" : "ahead"}`;
    const now = systemClock.now;
    // The clock of this machine, as the whole process reads it.
    systemClock.now = () => now() + wrong_ms;
    try {
      const log = createLog(systemClock, "warn", () => undefined);
      const node = await serve(
        { ...default_config, port: 0, data_dir, database, admin_socket: "off" },
        { clock: systemClock, follows_database: true, random: systemRandom, log },
      );
      const before_ms = Date.now();
      const { body } = await post<{ created: string }>(`${node.url}/api/meet/rooms`, {
        goal: "When?",
        name: "x",
      });
      expect(Date.parse(body.created)).toBeWithin(before_ms - 1_000, Date.now() + 1_000);
      await node.stop();
    } finally {
      systemClock.now = now;
      removeDirectory(data_dir);
    }
  });
});
