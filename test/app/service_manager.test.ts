/** What systemd passes and is notified of: the real systemd-socket-activate, and a real datagram socket. */

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createServiceManager, passedSocket } from "../../src/app/service_manager.ts";
import { systemClock } from "../../src/core/clock.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { FakeClock } from "../support/clock.ts";
import { freePort } from "../support/free_port.ts";
import { receiveDatagrams, type Datagrams } from "../support/datagrams.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startBinary, startProgram } from "../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

describe.skipIf(lacks_binary || lacks("socket activation", "systemd-socket-activate"))(
  "socket activation",
  () => {
    /** Starts the binary under systemd-socket-activate at `address` with the first call, which `connect` makes. */
    async function activated(address: string, connect: () => Promise<Response>) {
      const starting = startProgram(["systemd-socket-activate", "-l", address, binary()]);
      for (;;) {
        try {
          const first = await connect();
          return { service: await starting, first };
        } catch {
          // The activator does not listen yet.
          await Bun.sleep(10);
        }
      }
    }

    test("serves at the address that was passed, also the call that started it", async () => {
      for (const host of ["127.0.0.1", "[::1]"]) {
        const url = `http://${host}:${await freePort()}`;
        const { service, first } = await activated(url.slice("http://".length), () =>
          fetch(`${url}/healthz`),
        );
        expect(first.status).toBe(200);
        expect(service.url).toBe(url);
        expect(await (await fetch(`${url}/llms.txt`)).text()).toContain(`${url}/api`);
        service.process.kill("SIGHUP");
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        await service.stop();
        expect(service.process.exitCode).toBe(0);
      }
    });

    test("serves at a unix socket that was passed, and leaves its file", async () => {
      const unix = join(directory, "passed");
      const read = () => fetch("http://localhost/healthz", { unix });
      const { service, first } = await activated(unix, read);
      expect(first.status).toBe(200);
      expect(service.url).toBe(`unix:${unix}`);
      expect((await read()).status).toBe(200);
      await service.stop();
      expect(
        await Bun.file(unix)
          .stat()
          .then((found) => found.isSocket()),
      ).toBe(true);
    });
  },
);

test("takes one socket, if it was passed to this process", () => {
  const LISTEN_PID = String(process.pid);
  expect(passedSocket({})).toBe(null);
  expect(passedSocket({ LISTEN_FDS: "1", LISTEN_PID: "1" })).toBe(null);
  expect(passedSocket({ LISTEN_FDS: "1", LISTEN_PID })).toBe(3);
  expect(() => passedSocket({ LISTEN_FDS: "2", LISTEN_PID })).toThrow("systemd passed 2 sockets");
});

describe.skipIf(lacks("sd_notify", "python3"))("notifications", () => {
  let datagrams: Datagrams;
  afterEach(() => datagrams.stop());

  test.skipIf(lacks_binary)("are sent when the service is ready, reads again, works and stops", async () => {
    for (const path of [join(directory, "notify"), `@wharf-test-${process.pid}`]) {
      datagrams = await receiveDatagrams(path);
      const service = await startBinary({}, { NOTIFY_SOCKET: path, WATCHDOG_USEC: "200000" });
      expect(await datagrams.next()).toBe(`READY=1\nSTATUS=serving at ${service.url}`);
      expect(await datagrams.next()).toBe("WATCHDOG=1");
      expect(await datagrams.next()).toBe("WATCHDOG=1");
      const { uptimeMicroseconds: before } = datagrams;
      service.process.kill("SIGHUP");
      const after: string[] = [];
      while (after.length < 2) {
        const text = await datagrams.next();
        if (text !== "WATCHDOG=1") after.push(text);
      }
      const at = Number(/^RELOADING=1\nMONOTONIC_USEC=(\d+)$/.exec(after[0]!)?.[1]);
      expect(before() - at).toBeLessThan(60_000_000);
      expect(at).toBeLessThanOrEqual(before());
      expect(after[1]).toStartWith("READY=1\n");
      await service.stop();
      let last = "";
      while (last !== "STOPPING=1") last = await datagrams.next();
      datagrams.stop();
    }
  });

  test("of the watchdog end while a write hangs", async () => {
    const path = join(directory, "hangs");
    datagrams = await receiveDatagrams(path);
    const clock = new FakeClock();
    let hang: (() => void) | null = null;
    const isWorking = () =>
      hang === null ? Promise.resolve() : new Promise<void>((resolve) => void (hang = resolve));
    const manager = createServiceManager(
      { NOTIFY_SOCKET: path, WATCHDOG_USEC: "10000000" },
      clock,
      isWorking,
    );
    manager.ready("here");
    expect(await datagrams.next()).toStartWith("READY=1");
    expect(await datagrams.next()).toBe("WATCHDOG=1");
    await clock.timerAt(5);
    hang = () => {};
    clock.advance(5);
    clock.advance(60);
    manager.stopping();
    expect(await datagrams.next()).toBe("STOPPING=1");
    hang();
    expect(await datagrams.next()).toBe("WATCHDOG=1");
  });

  test("are for the process that systemd watches, and for nobody without a socket", async () => {
    datagrams = await receiveDatagrams(join(directory, "others"));
    const environment = { NOTIFY_SOCKET: join(directory, "others"), WATCHDOG_USEC: "1", WATCHDOG_PID: "1" };
    createServiceManager({}, systemClock, () => Promise.reject(new Error("unused"))).ready("here");
    const manager = createServiceManager(environment, systemClock, () => Promise.reject(new Error("unused")));
    manager.ready("here");
    manager.stopping();
    expect([await datagrams.next(), await datagrams.next()]).toEqual(["READY=1\nSTATUS=here", "STOPPING=1"]);
  });
});
