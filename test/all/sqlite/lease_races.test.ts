/** Racers for leases at a service that is killed between: no two hold conflicting paths at the same time. */

import { expect, test } from "bun:test";
import { lacks_binary } from "../../support/binary.ts";
import { freePort } from "../../support/free_port.ts";
import { expectOneHolder } from "../../support/lease_races.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 5);
const grants = Number(process.env["WHARF_TEST_GRANTS"] ?? 300);

test.skipIf(lacks_binary)(
  `gives conflicting paths to one of 64 racers at a time, though it is killed ${kills} times`,
  async () => {
    const data_dir = newDirectory();
    const port = await freePort();
    let service = await startBinary({ data_dir, port });
    const kill = async () => {
      service.process.kill("SIGKILL");
      await service.process.exited;
      service = await startBinary({ data_dir, port });
    };
    const seen = await expectOneHolder({ urlOf: () => service.url, kill }, { kills, grants });
    console.log(`MEASURED: SQLite: ${seen}`);
    expect(await service.stop()).toBeUndefined();
    removeDirectory(data_dir);
  },
  3_600_000,
);
