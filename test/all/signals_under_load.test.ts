/**
 * SIGTERM and SIGHUP under load. SIGTERM: everything that is stored was answered, and the process ends within 10 seconds. SIGHUP: no
 * connection is cut, with and without TLS, also when the servers with the earlier certificates have stopped.
 */

import { describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { web_limits } from "../../src/web/limits.ts";
import { makeCertificate, presentedName } from "../support/certificates.ts";
import { receiveDatagrams } from "../support/datagrams.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { eventsOf } from "../support/sse.ts";
import { stopUnderLoad } from "../support/stops.ts";

const stops = Number(process.env.WHARF_TEST_KILLS ?? 5);
const reloads = 6;

test(`answers all that it stored, on ${stops} stops`, async () => {
  await stopUnderLoad(stops);
}, 900_000);

test.skipIf(lacks("stops as Type=notify", "python3"))(
  `notifies the service manager of each start and stop under load, on ${stops} stops`,
  async () => {
    const directory = newDirectory();
    const datagrams = await receiveDatagrams(join(directory, "notify"));
    const environment = { NOTIFY_SOCKET: join(directory, "notify"), WATCHDOG_USEC: "2000000" };
    await stopUnderLoad(stops, environment);
    const states: string[] = [];
    // The last service is stopped, too.
    while (states.length < 2 * (stops + 1)) {
      const [state] = (await datagrams.next()).split("\n");
      if (state !== "WATCHDOG=1") states.push(state!);
    }
    expect(states).toEqual(Array.from({ length: stops + 1 }, () => ["READY=1", "STOPPING=1"]).flat());
    datagrams.stop();
    removeDirectory(directory);
  },
  900_000,
);

const lacks_openssl = lacks("SIGHUP with TLS", "openssl");

describe.each([
  ["with TLS", true],
  ["without TLS", false],
])("SIGHUP under load %s", (_title, is_tls) => {
  test.skipIf(is_tls && lacks_openssl)(
    `cuts no connection, ${reloads} times`,
    async () => {
      const directory = newDirectory();
      const names = ["even", "odd"];
      const made = is_tls ? names.map((name) => makeCertificate(directory, name)) : [];
      const present = { tls_cert: join(directory, "present.crt"), tls_key: join(directory, "present.key") };
      const use = (n: number) => {
        if (!is_tls) return;
        copyFileSync(made[n % 2]!.cert, present.tls_cert);
        copyFileSync(made[n % 2]!.key, present.tls_key);
      };
      use(0);
      const service = await startBinary(is_tls ? present : {});
      const tls = { rejectUnauthorized: false };
      const load = { answered: 0, is_over: false };
      const call = async (path: string, body?: object, keepalive = true): Promise<unknown> => {
        const sent = body && {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        };
        const answer = await fetch(service.url + path, { ...sent, keepalive, tls });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
        load.answered++;
        return JSON.parse(text);
      };
      const { slug } = (await call("/api/meet/rooms", { goal: "Reloads", name: "host" })) as { slug: string };
      const room = `/api/meet/rooms/${slug}`;
      const farewell = "The end.";
      const stream = () => fetch(`${service.url}${room}/stream`, { tls });
      const follow = async (opened: Response | Promise<Response>): Promise<string[]> => {
        const seen: string[] = [];
        for await (const { data } of eventsOf(await opened)) {
          seen.push((JSON.parse(data) as Post).body!);
          if (seen.at(-1) === farewell) break;
        }
        return seen;
      };
      // One before each reload and one at the end: each server has streams.
      // The first ones are open before the first post.
      const streams = [follow(await stream()), follow(await stream())];
      const faults: string[] = [];
      const posted: string[] = [];
      const worker = async (work: (n: number) => Promise<unknown>) => {
        for (let n = 0; !load.is_over; n++)
          await work(n).catch((error: unknown) => faults.push(String(error)));
      };
      const workers = Array.from({ length: 6 }, (_, i) =>
        worker(async (n) => {
          const body = `${i}.${n}`;
          await call(`${room}/posts`, { name: `writer-${i}`, body }, i % 2 === 0);
          posted.push(body);
        }),
      ).concat(
        Array.from({ length: 4 }, (_, i) => worker(() => call(`${room}?limit=5`, undefined, i % 2 === 0))),
      );

      for (let n = 1; n <= reloads; n++) {
        use(n);
        const before = service.output().split("service.reloaded").length;
        service.process.kill("SIGHUP");
        while (service.output().split("service.reloaded").length === before) await Bun.sleep(5);
        if (is_tls) expect(await presentedName(service.url)).toBe(names[n % 2]!);
        streams.push(follow(stream()));
        const reached = load.answered + 300;
        while (load.answered < reached) await Bun.sleep(5);
      }
      // Until the servers with the earlier certificates have stopped, in real time, because the binary has no other.
      if (is_tls) await Bun.sleep((web_limits.idle_seconds_max + 3) * 1_000);
      load.is_over = true;
      await Promise.all(workers);
      await call(`${room}/posts`, { name: "host", body: farewell });
      const read = await Promise.all(streams);
      expect(faults).toEqual([]);
      // A stream of an early reader has every post.
      for (const seen of read.slice(0, 2)) expect(seen.toSorted()).toEqual([...posted, farewell].toSorted());
      console.log(`${load.answered} answers, ${posted.length} posts, ${reloads} reloads, nothing cut`);
      await service.stop();
      expect(service.process.exitCode).toBe(0);
      removeDirectory(directory);
    },
    300_000,
  );
});
