/** SIGTERM under load: running calls are answered, waits and streams end, and no data is lost. */

import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { serve } from "../../src/app/serve.ts";
import { default_config } from "../../src/core/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { get } from "../support/http.ts";
import { openRoom } from "../support/load.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { openConnection, postLines } from "../support/raw.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { stopUnderLoad } from "../support/stops.ts";

test("loses no acknowledged post on SIGTERM under load, 5 times", async () => {
  await stopUnderLoad(5);
}, 600_000);

test("closes connections with half-sent requests when it stops", async () => {
  const service = await startBinary();
  const silent = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(service.url).port),
    socket: { data() {} },
  });
  silent.write("POST /api/meet/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
  await get(`${service.url}/healthz`);
  await service.stop();
  expect(service.process.exitCode).toBe(0);
  silent.end();
}, 120_000);

test("answers requests on open connections while it stops, and says that it closes them", async () => {
  const data_dir = newDirectory();
  const closing = Promise.withResolvers<void>();
  const service = await serve(
    { ...default_config, port: 0, data_dir },
    {
      clock: new FakeClock(),
      random: seededRandom(1),
      log: createLog(systemClock, "error", (line) => void process.stderr.write(line)),
      linger: () => closing.promise,
    },
  );
  const room = await openRoom(service.url);
  const reader = await openConnection(service.url);
  const writer = await openConnection(service.url);
  const stopped = service.stop();
  reader.write(["GET /healthz HTTP/1.1", "Host: localhost", "", ""]);
  writer.write(postLines(room, "just before the end"));
  const answers = [await reader.answer, await writer.answer];
  expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  for (const { headers } of answers) expect(headers).toMatch(/^connection: close$/im);
  closing.resolve();
  await stopped;
  removeDirectory(data_dir);
});
