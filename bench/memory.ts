/** Resident memory over many mixed requests: posts, reads, pages, waits and MCP calls in many rooms under many names. */

import { getRequest, load, postRequest } from "./load.ts";
import { toolRequest } from "./rpc.ts";
import { a_post, newDirectory, openRoom, residentKib, serveCommand, start, type Server } from "./servers.ts";
import type { Row } from "./table.ts";

export interface Sample {
  requests: number;
  seconds: number;
  resident_mb: number;
}

const rooms = 1_000;
const names = 500;
const kinds = 20;
/** Requests that are sent in turn. More rooms than kinds divide it, so that every room gets every kind. */
const mixed = kinds * rooms;
const slice_seconds = 2;
const short_requests = 200_000;

const slug = (i: number): string => `memory-${i % rooms}`;
/** Rooms that do not grow, for pages: the load generator takes no answers in pieces. */
const quiet_rooms = 20;
const quietSlug = (i: number): string => `quiet-${Math.floor(i / kinds) % quiet_rooms}`;

/** One of the mixed requests: of 20 there are 5 posts, 9 reads, 2 pages, 2 calls of a tool that posts and 2 of one that reads. */
function request(url: string, i: number): string {
  const room = slug(Math.floor(i / kinds) * 7 + i);
  const post = { ...a_post, name: `Bench ${(i * 31) % names}` };
  const api = `/api/meet/rooms/${room}`;
  const kind = i % kinds;
  if (kind < 5) return postRequest(url, `${api}/posts`, post);
  if (kind < 12) return getRequest(url, `${api}?limit=50`);
  if (kind === 12) return getRequest(url, `${api}.md?limit=20`);
  if (kind === 13) return getRequest(url, "/api/meet/rooms?limit=20");
  if (kind < 16) return getRequest(url, `/meet/r/${quietSlug(i)}`);
  // It answers with no posts of others, which have come before.
  const said = { ...post, room, since: "2099-01-01T00:00:00.000Z" };
  if (kind < 18) return toolRequest(`${url}/mcp`, { tool: "meet_speak", args: said });
  return toolRequest(`${url}/mcp`, { tool: "meet_read", args: { room } });
}

/** The requests of callers that wait for news for a second. */
const waits = (url: string): string[] =>
  Array.from({ length: rooms }, (_, i) =>
    getRequest(url, `/api/meet/rooms/${slug(i)}?limit=50&wait_seconds=1&since=2099-01-01T00:00:00.000Z`),
  );

/** How long the service rests at the end. */
const rest_seconds = 12;
/** Few calls, or they would be work. */
const probe_ms = 40;

/** Memory after a rest, and the longest time that a call took meanwhile, beside the collection of garbage. */
interface Rest {
  resident_mb: number;
  longest_ms: number;
}

async function rest({ url, pid }: Server): Promise<Rest> {
  const ends = performance.now() + rest_seconds * 1000;
  let longest_ms = 0;
  while (performance.now() < ends) {
    const begun = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    longest_ms = Math.max(longest_ms, performance.now() - begun);
    await Bun.sleep(probe_ms);
  }
  return { resident_mb: residentKib(pid) / 1024, longest_ms };
}

/**
 * Sends `requests` mixed requests, then rests. Calls `sampled` at the start and after each slice. `program`: the service, by default the
 * executable.
 */
export async function measureMemory(
  requests: number,
  sampled: (sample: Sample) => void,
  program?: string[],
): Promise<Rest> {
  const server = await start(serveCommand(newDirectory(), program));
  try {
    const { url } = server;
    await Bun.sleep(800);
    const begun = performance.now();
    let sent = 0;
    const sample = () =>
      sampled({
        requests: sent,
        seconds: (performance.now() - begun) / 1000,
        resident_mb: residentKib(server.pid) / 1024,
      });
    sample();
    for (let i = 0; i < rooms; i++) await openRoom(url, slug(i));
    for (let i = 0; i < quiet_rooms; i++) await openRoom(url, `quiet-${i}`, 20);
    const all = Array.from({ length: mixed }, (_, i) => request(url, i));
    while (sent < requests) {
      const [busy, waiting] = await Promise.all([
        load(url, { requests: all, connections: 64, seconds: slice_seconds, warm_seconds: 0 }),
        load(url, { requests: waits(url), connections: 64, seconds: slice_seconds, warm_seconds: 0 }),
      ]);
      sent += busy.answers + waiting.answers;
      sample();
    }
    return await rest(server);
  } finally {
    await server.stop();
  }
}

export async function benchMemory(): Promise<Row[]> {
  let last: Sample | undefined;
  const rested = await measureMemory(short_requests, (sample) => (last = sample));
  return [
    {
      what: `memory (RSS) after ${short_requests.toLocaleString("en")} mixed requests`,
      value: `${last!.resident_mb.toFixed(0)} MiB`,
      bound: { text: "≤ 110 MiB", is_met: last!.resident_mb <= 110 },
    },
    {
      what: `the same after ${rest_seconds} s of rest; the longest call meanwhile`,
      value: `${rested.resident_mb.toFixed(0)} MiB; ${rested.longest_ms.toFixed(0)} ms`,
    },
  ];
}
