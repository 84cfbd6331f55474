/** Durable posts: against the same service with one commit per request, and against bare group-committed inserts. */

import { compileEntry, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, allAtRest, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { microseconds, perSecond, type Row } from "./table.ts";

const rounds = 5;
const path = "/api/meet/rooms/written/posts";

/** Runs a load of posts over `connections`. */
async function posts(server: Server, connections: number) {
  const requests = [postRequest(server.url, path, a_post)];
  return load(server.url, { requests, connections, warm_seconds: 1, seconds: 2 });
}

/** Median time of sequential posts to a new server, in microseconds. */
async function timeAlone_us(command: string[]): Promise<number> {
  const server = await start(command);
  try {
    await openRoom(server.url, "written");
    // The first posts warm up the JIT compiler and make the files grow.
    await posts(server, 64);
    await allAtRest();
    return (await posts(server, 1)).p50_us;
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
    // Two starts of the same program differ by more than the expected effect, so each round starts its own.
    const single = await sideBySide(rounds, {
      service: () => timeAlone_us(serveCommand(newDirectory())),
      one_commit: () => timeAlone_us([one_commit_program, newDirectory()]),
    });
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
        what: "acknowledgement of a post, one connection (p50)",
        value: microseconds(single.service),
        compared: `${microseconds(single.one_commit)} with one commit a request, over the same transports`,
        ratio: single.one_commit / single.service,
        goal: { at_least: 0.9 },
      },
    ];
  } finally {
    for (const server of [service, one_commit, bare]) await server.stop();
  }
}
