/** Waiting in line for paths: whose turn it is, how long a place lasts, and who is woken when it ends. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { LeaseList, TakenLease } from "../../src/api/leases.ts";
import { lease_limits } from "../../src/api/limits.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let room: Opened;
let ada: Holder;
let bob: Holder;
let cleo: Holder;
beforeEach(async () => {
  service = await startSource();
  room = await open(service.url, "To be edited");
  ada = await claim(service.url, "ada");
  bob = await claim(service.url, "bob");
  cleo = await claim(service.url, "cleo");
});
afterEach(() => service.stop());

const take = ({ pair }: Holder, paths: string[], more: object = {}) =>
  post<TakenLease & { code?: string }>(`${room.api}/leases`, { paths, ttl_seconds: 3_600, ...more }, pair);
const release = ({ pair }: Holder, fence: number) => post(`${room.api}/leases/release`, { fence }, pair);
const inLine = async () => (await get<LeaseList>(`${room.api}/leases`)).body.in_line.map(({ name }) => name);

/** Resolves when these names are in line, the first one first. */
async function untilInLine(...names: string[]): Promise<void> {
  while (!Bun.deepEquals(await inLine(), names)) await service.clock.turn();
}

/** Takes paths with a wait, as a client that can leave. Resolves when it is in line; `leave` resolves when the service knows. */
async function waitAndLeave({ pair }: Holder, paths: string[], line: string[]) {
  const left = new AbortController();
  const waiting = fetch(`${room.api}/leases`, {
    method: "POST",
    body: JSON.stringify({ paths, ttl_seconds: 3_600, wait_seconds: 280 }),
    headers: { "content-type": "application/json", ...pair },
    signal: left.signal,
  }).catch(() => "left");
  await untilInLine(...line);
  return async () => {
    const waits = service.clock.timers;
    left.abort();
    await waiting;
    while (service.clock.timers >= waits) await service.clock.turn();
  };
}

/** Lets time pass, a second at a time. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    service.clock.advance(1);
    await inLine();
  }
}

const place_ends_seconds = lease_limits.place_seconds + 1;

test("gives paths to the next in line a minute after the first has left, though no lease has changed", async () => {
  await take(ada, ["held"]);
  const leave = await waitAndLeave(bob, ["held", "free"], ["bob"]);
  const waiting = take(cleo, ["free"], { wait_seconds: 280 });
  await untilInLine("bob", "cleo");
  await leave();
  // Over Postgres the place may still be being shortened when time begins to pass.
  await pass(2 * place_ends_seconds);
  expect((await waiting).status).toBe(201);
});

test("keeps the place of a call when another call of the same name for the same paths has left it", async () => {
  const { body } = await take(ada, ["held"]);
  const first = take(bob, ["held"], { wait_seconds: 280 });
  await untilInLine("bob");
  const timers = service.clock.timers;
  const second = take(bob, ["held"], { wait_seconds: 2 });
  while (service.clock.timers <= timers) await service.clock.turn();
  await pass(3);
  expect((await second).status).toBe(409);
  const later = take(cleo, ["held"], { wait_seconds: 270 });
  await untilInLine("bob", "cleo");
  await pass(100);
  await release(ada, body.fence);
  expect((await Promise.race([first, later])).body.paths).toEqual(["held"]);
  expect(await inLine()).toEqual(["cleo"]);
  await pass(280);
  expect((await later).status).toBe(409);
});

test("keeps the place of a call that waits for longer than the one of the same name before it", async () => {
  const { body } = await take(ada, ["held"]);
  const leave = await waitAndLeave(bob, ["held"], ["bob"]);
  await leave();
  const again = take(bob, ["held"], { wait_seconds: 280 });
  const later = take(cleo, ["held"], { wait_seconds: 270 });
  await untilInLine("bob", "cleo");
  await pass(200);
  await release(ada, body.fence);
  expect((await again).status).toBe(201);
  expect(await inLine()).toEqual(["cleo"]);
  await pass(280);
  expect((await later).status).toBe(409);
});

test("lets a place end soon if its call was refused for another reason", async () => {
  const { body } = await take(ada, ["held"]);
  for (let n = 0; n < lease_limits.leases_per_name_and_room; n++) await take(bob, [`of-bob/${n}`]);
  const refused = take(bob, ["held"], { wait_seconds: 280 });
  await untilInLine("bob");
  const waiting = take(cleo, ["held"], { wait_seconds: 280 });
  await untilInLine("bob", "cleo");
  await release(ada, body.fence);
  expect((await refused).body.code).toBe("too_many_leases");
  await pass(place_ends_seconds);
  expect((await waiting).status).toBe(201);
});
