/** Starts beside another service: on its directory, at its port, and after it was killed. */

import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { refusal } from "../support/directories.ts";
import { freePort } from "../support/free_port.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
let made = 0;
const place = (): string => join(root, `place-${++made}`);

test("refuses a second process on the same directory", async () => {
  const data_dir = place();
  const first = await startBinary({ data_dir });
  expect(await refusal({ data_dir })).toEqual({
    status: 1,
    says: `wharf: Another wharf is using ${data_dir}. Stop it, or start this one with another --data-dir.`,
  });
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  await first.stop();
  await (await startBinary({ data_dir })).stop();
});

test("refuses a port that is in use", async () => {
  const first = await startBinary({ data_dir: place() });
  const port = Number(new URL(first.url).port);
  const data_dir = place();
  const { status, says } = await refusal({ data_dir, port });
  expect(status).toBe(1);
  expect(says).toBe(
    `wharf: 127.0.0.1:${port} is taken. Start with another --port (0 lets the system choose) or --host.`,
  );
  await (await startBinary({ data_dir })).stop();
  await first.stop();
});

test("restarts after kill -9 on the same directory and port", async () => {
  const settings = { data_dir: place(), port: await freePort() };
  const first = await startBinary(settings);
  first.process.kill("SIGKILL");
  await first.process.exited;
  const second = await startBinary(settings);
  expect(second.url).toBe(first.url);
  await second.stop();
});
