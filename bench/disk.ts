/** What posts cost on the disk: pages that a lone one writes to the log, and bytes that stay when the service has stopped. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { load, postRequest } from "./load.ts";
import { a_post, allAtRest, newDirectory, openRoom, serveCommand, start } from "./servers.ts";
import { whole, type Row } from "./table.ts";

const warm_posts = 300;
const lone_posts = 600;
/** A page in the log, with its header. SQLite writes each of the two by itself. */
const frame_bytes = 24 + 4096;
const writes_per_frame = 2;

/** Pages that a post writes to the log when posts come one after the other. The log is not reset before it has 8,000 pages. */
async function pagesOfLonePost(): Promise<number> {
  const directory = newDirectory();
  const service = await start(serveCommand(directory));
  try {
    await openRoom(service.url, "warm", warm_posts);
    await allAtRest();
    const log = () => statSync(join(directory, "wharf.db-wal")).size / frame_bytes;
    const before = log();
    await openRoom(service.url, "written", lone_posts);
    return (log() - before) / lone_posts;
  } finally {
    await service.stop();
  }
}

/** Space that the files of a directory take, in KiB. */
const kibOf = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).blocks / 2, 0);

/** Space that 1,000 posts take after a stop, all of them in the search index, in KiB. */
async function kibOfPosts(): Promise<{ kib: number; posts: number }> {
  const directory = newDirectory();
  const fresh = await start(serveCommand(directory));
  await openRoom(fresh.url, "written");
  await fresh.stop();
  const empty_kib = kibOf(directory);
  const service = await start(serveCommand(directory));
  const path = "/api/meet/rooms/written";
  const requests = [postRequest(service.url, `${path}/posts`, a_post)];
  await load(service.url, { requests, connections: 64, seconds: 3 });
  // The index comes after the posts.
  await allAtRest();
  const answer = await fetch(`${service.url}${path}?limit=1`);
  const { room } = (await answer.json()) as { room: { posts: number } };
  await service.stop();
  return { kib: ((kibOf(directory) - empty_kib) / room.posts) * 1000, posts: room.posts };
}

export async function benchDisk(): Promise<Row[]> {
  const pages = await pagesOfLonePost();
  const writes = pages * writes_per_frame;
  const { kib, posts } = await kibOfPosts();
  return [
    {
      what: `writes to the log for a post, one after the other (${lone_posts} posts)`,
      value: `${writes.toFixed(1)}: ${pages.toFixed(2)} pages, each with its header`,
      bound: { text: "≤ 7.5", is_met: writes <= 7.5 },
    },
    {
      what: `disk for 1,000 posts, after the stop (${whole(posts)} posts)`,
      value: `${whole(kib)} KiB`,
      bound: { text: "≤ 270 KiB", is_met: kib <= 270 },
    },
  ];
}
