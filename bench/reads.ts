/** Reads of a room with 50 posts: against the same bytes from memory, and with concurrent writes against without. */

import { compileC, compileEntry, getRequest, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { microseconds, perSecond, type Row } from "./table.ts";

const rounds = 5;
const path = "/api/meet/rooms/read";

async function startWithRooms(environment: Record<string, string> = {}): Promise<Server> {
  const server = await start(serveCommand(newDirectory()), environment);
  await openRoom(server.url, "read", 50);
  await openRoom(server.url, "written");
  return server;
}

/** Makes the bare server answer GET with the bytes and headers of the service's answer. */
export async function copyAnswer(
  service: Server,
  bare: Server,
  path: string,
  headers: Record<string, string> = { "accept-encoding": "identity" },
): Promise<void> {
  const answer = await fetch(service.url + path, { headers, decompress: false });
  const { date: _date, "content-length": _length, ...copied } = Object.fromEntries(answer.headers);
  const body = JSON.stringify({ base64: (await answer.bytes()).toBase64(), headers: copied });
  await fetch(bare.url, { method: "PUT", body });
}

/** Reads per second, 64 connections, against Bun.serve with the same bytes and headers. */
export async function benchReads(): Promise<Row[]> {
  const service = await startWithRooms();
  const bare = await start([compileEntry("bare.ts"), newDirectory()]);
  await copyAnswer(service, bare, path);
  const rate = async ({ url }: Server) =>
    (await load(url, { requests: [getRequest(url, path)], connections: 64, seconds: 2 })).per_second;
  try {
    const reads = await sideBySide(rounds, { service: () => rate(service), bare: () => rate(bare) });
    return [
      {
        what: "reads of a room with 50 posts, 64 connections",
        value: perSecond(reads.service),
        compared: `${perSecond(reads.bare)} Bun.serve with the same bytes and headers from memory`,
        ratio: reads.service / reads.bare,
        goal: { at_least: 0.5 },
      },
    ];
  } finally {
    await service.stop();
    await bare.stop();
  }
}

const reads_per_second = 1_000;
const writes_per_second = 4_000;
const warm_rounds = 3;

/** The p99 of reads of the room `read`, without or with concurrent writes to the room `written_to`. */
async function readTime({ url }: Server, written_to?: "read" | "written"): Promise<number> {
  const options = { connections: 64, seconds: 3, warm_seconds: 1 };
  const writes =
    written_to &&
    load(url, {
      ...options,
      requests: [postRequest(url, `/api/meet/rooms/${written_to}/posts`, a_post)],
      rate: writes_per_second,
    });
  const requests = [getRequest(url, `${path}?limit=50`)];
  const reads = await load(url, { ...options, requests, rate: reads_per_second });
  const written = await writes;
  if (written && written.per_second < writes_per_second * 0.95) {
    console.error(`Only ${perSecond(written.per_second)} writes were done beside the reads.`);
  }
  return reads.p99_us;
}

/** Reads with concurrent durable writes, on the real disk and with 1 ms added to every fsync. */
export async function benchReadsBesideWrites(): Promise<Row[]> {
  const shim = compileC("slow_fsync.c", "slow_fsync.so", "-shared", "-fPIC");
  const quick = await startWithRooms();
  const slow = await startWithRooms({ LD_PRELOAD: shim });
  try {
    // Warm up the JIT compiler; start.ts measures the start.
    for (const server of [quick, slow])
      for (let i = 0; i < warm_rounds; i++) await readTime(server, "written");
    const p99 = await sideBySide(rounds, {
      idle: () => readTime(quick),
      beside: () => readTime(quick, "written"),
      same: () => readTime(quick, "read"),
      slow: () => readTime(slow, "written"),
    });
    const row = (what: string, value_us: number): Row => ({
      what,
      value: microseconds(value_us),
      compared: `${microseconds(p99.idle)} without writes`,
      ratio: value_us / p99.idle,
      goal: { at_most: 3 },
    });
    return [
      row("p99 of 1,000 reads/s beside 4,000 durable posts/s", p99.beside),
      row("the same with 1 ms added to every fsync", p99.slow),
      row("p99 of 1,000 reads/s of the room that gets 4,000 durable posts/s", p99.same),
    ];
  } finally {
    await quick.stop();
    await slow.stop();
  }
}
