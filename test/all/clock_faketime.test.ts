/** The compiled binary under libfaketime: its clock is set while callers hold jobs, repeat calls and wait. */

import { expect } from "bun:test";
import { fakeWall, lacksFaketime } from "../support/faketime.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, postJob, readJob } from "../support/jobs.ts";
import { claim } from "../support/names.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import { testOfSqlite } from "../support/postgres.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const offsets = ["+1d", "-1d", "+1y", "+5s"] as const;
const day_ms = 86_400_000;

testOfSqlite(
  "changes no time, ends no lease, deletes no answer and prolongs no wait when the clock is set",
  "a node corrects its clock by that of the database: test/storage/postgres/server_time.test.ts",
  async () => {
    const data_dir = newDirectory();
    const wall = fakeWall(data_dir);
    const start = () => startBinary({ data_dir }, wall.environment);
    let service = await start();
    const room = await open(service.url, "Read while the clock is set");
    const [poster, holder, next] = [
      await claim(service.url, "Poster"),
      await claim(service.url, "Holder"),
      await claim(service.url, "Next"),
    ];
    const { id } = await postJob(service.url, poster);
    const { until } = (await callJob(service.url, holder, id, "claim")).body;
    const key = { "idempotency-key": "0c5a3e52-6f0e-4a30-a5d5-8a1b64a4a2fd" };
    const openOnce = async () =>
      (await post<Opened>(`${service.url}/api/meet/rooms`, { goal: "Once", name: "Ada" }, key)).body.slug;
    const slug = await openOnce();
    let latest = "";
    /** Posts, and expects a later time than that of the post before. Returns the time. */
    const say = async () => {
      const { body } = await speak({ ...room, api: `${service.url}/api/meet/rooms/${room.slug}` }, "hello");
      const ts = String(body.ts);
      expect(ts > latest).toBe(true);
      return (latest = ts);
    };
    const isTrue = (ts: string) => Math.abs(Date.parse(ts) - Date.now()) < 60_000;

    for (const offset of offsets) {
      const spoken = (await speak(room, "to be taken away")).body;
      const wait = get<{ posts: unknown[] }>(`${room.api}?since=${String(spoken.ts)}&wait_seconds=50`);
      wall.set(offset);
      expect(isTrue(await say())).toBe(true);
      expect((await wait).body.posts).toHaveLength(1);
      // A wait continues after a change that is not relevant to it, and still ends at its requested time.
      const since = latest;
      const longer = get<{ posts: unknown[] }>(`${room.api}?since=${since}&wait_seconds=1`);
      const path = `${room.api}/posts/${String(spoken.id)}`;
      expect((await call("DELETE", path, undefined, { "x-meet-key": room.host_key })).status).toBe(200);
      expect((await longer).body.posts).toEqual([]);
      expect(service.output()).toContain('"event":"clock.held"');

      expect(await openOnce()).toBe(slug);
      expect(await readJob(service.url, id)).toMatchObject({ state: "held", until });
      expect((await callJob(service.url, next, id, "claim")).body.code).toBe("job_held");
      wall.set("+0");
      expect(isTrue(await say())).toBe(true);
    }
    expect(service.output()).toContain('"event":"clock.released"');

    // A start with an earlier clock continues from the stored time; a start with a later clock adopts it.
    await service.stop();
    wall.set("-1d");
    service = await start();
    expect(isTrue(await say())).toBe(true);
    expect(await openOnce()).toBe(slug);
    await service.stop();
    wall.set("+2d");
    service = await start();
    expect(isTrue(new Date(Date.parse(await say()) - 2 * day_ms).toISOString())).toBe(true);
    expect(await openOnce()).toBe(slug);
    const held = await readJob(service.url, id);
    expect(held.state).toBe("held");
    expect(Math.abs(Date.parse(held.until!) - Date.parse(until!) - 2 * day_ms)).toBeLessThan(10_000);
    expect((await callJob(service.url, next, id, "claim")).body.code).toBe("job_held");
    await service.stop();
    removeDirectory(data_dir);
  },
  lacksFaketime("the service under a clock that is set"),
);
