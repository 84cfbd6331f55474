/** One post to many open streams: the time until the last has it, against a bare server that stores nothing. */

import { compileC, compileEntry, getRequest, postRequest } from "./load.ts";
import { median, sideBySide } from "./rounds.ts";
import { a_post, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { whole, type Row } from "./table.ts";

const rounds = 5;
const posts = 6;
const room = "/api/meet/rooms/followed";

export async function benchStreams(): Promise<Row[]> {
  const fan = compileC("fan.c", "fan");
  const service = await start(serveCommand(newDirectory()));
  const bare = await start([compileEntry("streams.ts")]);
  await openRoom(service.url, "followed");

  /** The median time of some posts to `streams` streams in milliseconds. The first one is not counted. */
  async function last_ms({ url }: Server, streams: number): Promise<number> {
    const requests = [getRequest(url, `${room}/stream`), postRequest(url, `${room}/posts`, a_post)];
    const child = Bun.spawn([fan, new URL(url).port, String(streams), String(posts)], {
      stdin: new Blob([requests.join("\0")]),
      stdout: "pipe",
      stderr: "inherit",
    });
    const [, ...times] = (await new Response(child.stdout).json()) as number[];
    return median(times);
  }

  async function row(streams: number): Promise<Row> {
    const last = await sideBySide(rounds, {
      service: () => last_ms(service, streams),
      bare: () => last_ms(bare, streams),
    });
    return {
      what: `one durable post to ${whole(streams)} streams: until the last has it`,
      value: `${last.service.toFixed(1)} ms`,
      compared: `${last.bare.toFixed(1)} ms Bun.serve, which stores nothing`,
      ratio: last.bare / last.service,
      goal: { at_least: 0.8 },
    };
  }

  try {
    return [await row(1_000), await row(10_000)];
  } finally {
    await service.stop();
    await bare.stop();
  }
}
