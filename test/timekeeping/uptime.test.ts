/** The uptime of the machine if the system does not report it, and if no file can be opened any more. */

import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { BeaconOverview } from "../../src/api/beacon/beacon.ts";
import { systemClock, uptimeReader } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { systemRandom } from "../../src/core/random.ts";
import { serve } from "../../src/app/serve.ts";
import { default_config } from "../../src/core/settings.ts";
import { get } from "../support/http.ts";
import { OpenConnection } from "../support/open_connection.ts";
import { lacks } from "../support/programs.ts";
import { binary } from "../support/binary.ts";
import { newDirectory, removeDirectory, startProgram, type TestService } from "../support/service.ts";

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const overview = (url: string) => get<BeaconOverview>(`${url}/api/beacon`);
const trueRound = () => Math.floor(Date.now() / 60_000);

describe("without /proc/uptime", () => {
  test("returns the uptime of the process in whole milliseconds", () => {
    const read = uptimeReader("/nowhere/uptime");
    const first = read();
    expect(Number.isInteger(first.ms)).toBe(true);
    expect(read().ms).toBeGreaterThanOrEqual(first.ms);
    expect(read().boot).toBe(first.boot);
  });

  test("starts, and continues the beacon, also after a restart", async () => {
    const data_dir = newDirectory();
    for (const _ of ["first", "second"]) {
      const clock = { ...systemClock, uptime: uptimeReader("/nowhere/uptime") };
      const log = createLog(clock, "error", () => {});
      const config = { ...default_config, port: 0, data_dir };
      const started = await serve(config, { clock, random: systemRandom, log });
      // The time of this clock is some milliseconds behind.
      const before = Math.floor((Date.now() - 1_000) / 60_000);
      const { status, body } = await overview(started.url);
      expect([status, body.clock]).toEqual([200, "ok"]);
      expect(body.now.round).toBeWithin(before, trueRound() + 1);
      await started.stop();
    }
    removeDirectory(data_dir);
  });

  // A mount namespace in which the file is empty; a user namespace allows that without root.
  const masked = ["unshare", "-rm", "sh", "-c", 'mount --bind /dev/null /proc/uptime && exec "$0" "$@"'];
  const no_unshare = lacks("the start without /proc/uptime", "unshare", "mount");
  const may_mask = !no_unshare && Bun.spawnSync([...masked, "true"]).exitCode === 0;
  // Containers have the program but no permission to use it.
  if (!no_unshare && !may_mask) console.log("NOT POSSIBLE HERE: /proc/uptime cannot be masked by this user.");
  const testMasked = no_unshare || may_mask ? test.skipIf(no_unshare) : () => {};
  testMasked("starts the binary with the file masked", async () => {
    service = await startProgram([...masked, binary()]);
    expect((await overview(service.url)).body.clock).toBe("ok");
  });
});

/** Starts the binary with a limit of file descriptors. */
const limited = (files: number) => ["sh", "-c", `ulimit -n ${files} && exec "$0" "$@"`, binary()];
const is_linux = process.platform === "linux";

describe("with few file descriptors", () => {
  test.skipIf(!is_linux)(
    "runs with 64; when all are in use, it answers open connections, and afterwards all",
    async () => {
      const { process, ...rest } = await startProgram(limited(64));
      service = rest;
      const { url } = rest;
      const inUse = () => readdirSync(`/proc/${process.pid}/fd`).length;
      const round = trueRound();
      const room = '{"goal":"x","name":"Ada"}';
      const ask = async (connection: OpenConnection) => [
        await connection.status("GET", "/api/beacon"),
        await connection.status("GET", `/api/beacon/${round - 1}`),
        await connection.status("GET", `/api/beacon/${round + 1}`),
        await connection.status("POST", "/api/meet/rooms", room),
        await connection.status("GET", "/api/meet/rooms"),
        await connection.status("GET", "/api/jobs"),
        await connection.status("GET", "/api/meet/rooms?q=x"),
      ];
      const idle = await OpenConnection.open(url);
      expect(await idle.status("GET", "/healthz")).toBe(200);
      // The search thread starts beside the service. On a slow machine it has not opened the database yet.
      while ((await idle.status("GET", "/api/meet/rooms?q=x")) !== 200);

      const others = await Promise.all(Array.from({ length: 80 }, () => OpenConnection.open(url)));
      // The kernel passes a connection on when its first bytes arrive.
      for (const other of others) other.write("GET /healthz HTTP/1.1\r\n");
      while (inUse() < 64) await idle.status("GET", "/healthz");
      expect(await ask(idle)).toEqual([200, 200, 200, 201, 200, 200, 200]);

      for (const other of others) other.close();
      while (inUse() > 40) await idle.status("GET", "/healthz");
      const late = await OpenConnection.open(url);
      expect(await ask(late)).toEqual([200, 200, 200, 201, 200, 200, 200]);
      expect(rest.output()).not.toContain("EMFILE");
      for (const connection of [idle, late]) connection.close();
    },
    30_000,
  );

  test.skipIf(!is_linux)("starts no thread without descriptors for it, which would end the process", () => {
    const path = join(import.meta.dir, "../../src/app/open_files.ts");
    const script = `
      const { openSync } = require("node:fs");
      const { checkSpareFiles } = await import("${path}");
      checkSpareFiles();
      checkSpareFiles();
      try { for (;;) openSync("/dev/null", "r"); } catch {}
      try { checkSpareFiles(); } catch (error) { console.log(error.message); }`;
    const { stdout } = Bun.spawnSync([
      "sh",
      "-c",
      'ulimit -n 64 && exec "$0" "$@"',
      process.execPath,
      "-e",
      script,
    ]);
    expect(stdout.toString()).toBe("No file descriptors are left for another thread.\n");
  });

  test("refuses to start with fewer than 64, and says what to do", async () => {
    const failed: unknown = await startProgram(limited(32)).then(
      (started) => ((service = started), "started"),
      (error: unknown) => String(error),
    );
    expect(failed).toContain("wharf: At most 32 files may be open (ulimit -n).");
    expect(failed).toContain("Start it with at least 64");
  });
});
