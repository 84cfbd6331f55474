/**
 * Compares two builds of the service: `bun run bench builds OLD NEW` with the paths of two binaries. They take turns, round by round,
 * and the ratio of a row is the median of the ratios of its rounds: the speed of a machine that others use changes within minutes.
 */

import { getRequest, load, postRequest } from "./load.ts";
import { median, sideBySide } from "./rounds.ts";
import {
  a_post,
  allAtRest,
  cpuTicks,
  newDirectory,
  openRoom,
  serveCommand,
  start,
  tick_us,
  type Server,
} from "./servers.ts";
import { idleMemory, startTime } from "./start.ts";
import { cells, whole } from "./table.ts";

const rounds = 10;
const seconds = 1.5;
const warm_seconds = 2;
const starts = 15;

interface Kind {
  what: string;
  connections: number;
  request(url: string): string;
}

const posting = (url: string): string => postRequest(url, "/api/meet/rooms/busy/posts", a_post);
const reading =
  (path: string) =>
  (url: string): string =>
    getRequest(url, path);

const kinds: Kind[] = [
  { what: "reads of 50 posts", connections: 64, request: reading("/api/meet/rooms/quiet?limit=50") },
  { what: "pages of 50 posts", connections: 64, request: reading("/meet/r/quiet") },
  { what: "the beacon", connections: 64, request: reading("/api/beacon") },
  { what: "/healthz", connections: 64, request: reading("/healthz") },
  { what: "durable posts", connections: 64, request: posting },
  { what: "durable posts", connections: 1, request: posting },
];

interface Seen {
  per_second: number;
  p99_us: number;
  /** Processor time of a request. */
  cpu_us: number;
}

async function round(server: Server, { connections, request }: Kind, its_seconds = seconds): Promise<Seen> {
  const before = cpuTicks([server]);
  const requests = [request(server.url)];
  const { per_second, p99_us, answers, failures } = await load(server.url, {
    requests,
    connections,
    seconds: its_seconds,
    warm_seconds: 0,
  });
  if (failures > 0) throw new Error(`${failures} of ${answers} requests failed.`);
  return { per_second, p99_us, cpu_us: ((cpuTicks([server]) - before) * tick_us) / answers };
}

/** The rows of the two builds, as a markdown table. In each ratio more than 1 is better for the new one. */
export async function compareBuilds(old_binary: string, new_binary: string): Promise<string> {
  const servers: Server[] = [];
  for (const binary of [old_binary, new_binary]) {
    const server = await start(serveCommand(newDirectory(), [binary]));
    await openRoom(server.url, "quiet", 50);
    await openRoom(server.url, "busy");
    servers.push(server);
  }
  const head = ["what", "connections", "old", "new", "rate", "p99", "processor time"];
  const lines = [cells(head), cells(head.map(() => "---"))];
  for (const kind of kinds) {
    for (const server of servers) await round(server, kind, warm_seconds);
    const seen: [Seen, Seen][] = [];
    for (let i = 0; i < rounds; i++) {
      await allAtRest();
      const pair: Seen[] = [];
      for (const at of i % 2 ? [1, 0] : [0, 1]) pair[at] = await round(servers[at]!, kind);
      seen.push(pair as [Seen, Seen]);
    }
    const rate = (at: 0 | 1) => `${whole(median(seen.map((pair) => pair[at].per_second)))}/s`;
    const ratio = (of: (pair: [Seen, Seen]) => number) => median(seen.map(of)).toFixed(2);
    lines.push(
      cells([
        kind.what,
        String(kind.connections),
        rate(0),
        rate(1),
        ratio(([before, after]) => after.per_second / before.per_second),
        ratio(([before, after]) => before.p99_us / after.p99_us),
        ratio(([before, after]) => before.cpu_us / after.cpu_us),
      ]),
    );
  }
  const row = (what: string, unit: string, before: number, after: number) =>
    cells([
      what,
      "",
      `${whole(before)} ${unit}`,
      `${whole(after)} ${unit}`,
      (before / after).toFixed(2),
      "",
      "",
    ]);
  const seen = await sideBySide(starts, {
    old_start: () => startTime([old_binary]),
    new_start: () => startTime([new_binary]),
    old_memory: () => idleMemory([old_binary]),
    new_memory: () => idleMemory([new_binary]),
  });
  lines.push(row("start to first answer", "ms", seen.old_start, seen.new_start));
  lines.push(row("idle memory (RSS)", "MB", seen.old_memory, seen.new_memory));
  return lines.join("\n");
}
