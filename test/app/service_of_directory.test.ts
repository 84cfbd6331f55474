/** The service of a data directory: it is joined if it runs, and started if not, at a free port if nobody has chosen one. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { DirectoryInUse, serviceOfDirectory } from "../../src/app/service_of_directory.ts";
import { createLog } from "../../src/core/log.ts";
import { systemClock } from "../../src/core/clock.ts";
import { systemRandom } from "../../src/core/random.ts";
import { default_config } from "../../src/core/settings.ts";
import { databaseOf } from "../support/postgres.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

const data_dir = newDirectory();
let other: SourceService;
beforeAll(async () => {
  other = await startSource();
});
afterAll(async () => {
  await other.stop();
  removeDirectory(data_dir);
});

const serviceAt = (port: string, is_port_chosen: boolean, settings: object = {}) =>
  serviceOfDirectory(
    { ...default_config, ...databaseOf(data_dir), data_dir, port: Number(port), ...settings },
    is_port_chosen,
    { clock: systemClock, random: systemRandom, log: createLog(systemClock, "error", () => {}) },
  );

test("takes a free port if the usual one is taken, and is joined there", async () => {
  const { port } = new URL(other.url);
  const service = serviceAt(port, false);
  const url = await service.find();
  expect(new URL(url).port).not.toBe(port);
  expect(await serviceAt(port, false).find()).toBe(url);
  await service.stop();
});

test("takes no other port than the one that is chosen", async () => {
  const { port } = new URL(other.url);
  const failure = await serviceAt(port, true)
    .find()
    .catch((error: unknown) => error);
  expect((failure as Error).message).toStartWith(`127.0.0.1:${port} is taken.`);
});

test("says that the directory is in use if no service answers there", async () => {
  const running = serviceAt("0", true, { admin_socket: "off" });
  await running.find();
  const failure = await serviceAt("0", true)
    .find()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DirectoryInUse);
  expect((failure as Error).message).toContain("give its address with --url");
  await running.stop();
  const again = serviceAt("0", true);
  expect(await again.find()).toStartWith("http://127.0.0.1:");
  await again.stop();
});
