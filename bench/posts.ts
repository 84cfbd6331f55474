/** Durable posts: against the same service with one commit per request, and against bare group-committed inserts. */

import { compileEntry, load, postRequest, type LoadResult } from "./load.ts";
import { median, sideBySide } from "./rounds.ts";
import {
  a_post,
  allAtRest,
  costOfRequests_us,
  newDirectory,
  openRoom,
  serveCommand,
  start,
  type Server,
} from "./servers.ts";
import { microseconds, perSecond, type Row } from "./table.ts";

const rounds = 5;
const path = "/api/meet/rooms/written/posts";

/** Runs a load of posts over `connections`. */
async function posts(server: Server, connections: number) {
  const requests = [postRequest(server.url, path, a_post)];
  return load(server.url, { requests, connections, warm_seconds: 1, seconds: 2 });
}

/** CPU time of a post over 64 connections, with the work that follows it, in microseconds. */
function cpuOfPost_us(server: Server): Promise<number> {
  const requests = [postRequest(server.url, path, a_post)];
  return costOfRequests_us(server, () =>
    load(server.url, { requests, connections: 64, warm_seconds: 0, seconds: 2 }),
  );
}

/** Sequential posts to a new server. */
async function postsAlone(command: string[]): Promise<LoadResult> {
  const server = await start(command);
  try {
    await openRoom(server.url, "written");
    // The first posts warm up the JIT compiler and make the files grow.
    await posts(server, 64);
    await allAtRest();
    return await posts(server, 1);
  } finally {
    await server.stop();
  }
}

export async function benchPosts(): Promise<Row[]> {
  const one_commit_program = compileEntry("one_commit.ts");
  const service = await start(serveCommand(newDirectory()));
  const one_commit = await start([one_commit_program, newDirectory()]);
  const bare = await start([compileEntry("bare.ts"), newDirectory()]);
  await openRoom(service.url, "written");
  await openRoom(one_commit.url, "written");

  const rate = async (server: Server) => (await posts(server, 64)).per_second;
  try {
    // Warm up: growing the files costs more than overwriting them.
    for (const server of [service, one_commit, bare]) await posts(server, 64);
    const many = await sideBySide(rounds, {
      service: () => rate(service),
      one_commit: () => rate(one_commit),
      bare: () => rate(bare),
    });
    const cpu = await sideBySide(rounds, {
      service: () => cpuOfPost_us(service),
      bare: () => cpuOfPost_us(bare),
    });
    // Two starts of the same program differ by more than the expected effect, so each round starts its own.
    const single = { service: [] as LoadResult[], one_commit: [] as LoadResult[] };
    for (let round = 0; round < rounds; round++) {
      single.service.push(await postsAlone(serveCommand(newDirectory())));
      single.one_commit.push(await postsAlone([one_commit_program, newDirectory()]));
    }
    const alone = (what: string, pick: (posts: LoadResult) => number, goal: number): Row => {
      const [service_us, one_commit_us] = [
        median(single.service.map(pick)),
        median(single.one_commit.map(pick)),
      ];
      return {
        what: `acknowledgement of a post, one connection (${what})`,
        value: microseconds(service_us),
        compared: `${microseconds(one_commit_us)} with one commit a request, over the same transports`,
        ratio: one_commit_us / service_us,
        goal: { at_least: goal },
      };
    };
    return [
      {
        what: "durable posts, 64 connections",
        value: perSecond(many.service),
        compared: `${perSecond(many.one_commit)} with one commit a request, over the same transports`,
        ratio: many.service / many.one_commit,
        goal: { at_least: 5 },
      },
      {
        what: "durable posts, 64 connections",
        value: perSecond(many.service),
        compared: `${perSecond(many.bare)} bare group-committed inserts through Bun.serve`,
        ratio: many.service / many.bare,
        goal: { at_least: 0.6 },
      },
      {
        what: "CPU time of a durable post, 64 connections",
        value: microseconds(cpu.service),
        compared: `${microseconds(cpu.bare)} bare group-committed inserts through Bun.serve`,
        ratio: cpu.service / cpu.bare,
        goal: { at_most: 2 },
      },
      alone("p50", ({ p50_us }) => p50_us, 0.9),
      alone("p99", ({ p99_us }) => p99_us, 0.8),
    ];
  } finally {
    for (const server of [service, one_commit, bare]) await server.stop();
  }
}
