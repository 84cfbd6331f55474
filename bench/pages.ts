/** Pages of rooms: a page from the cache against the same bytes from memory, and the first byte of a large room. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { compileEntry, getRequest, load } from "./load.ts";
import { median, sideBySide } from "./rounds.ts";
import { copyAnswer } from "./reads.ts";
import { a_post, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

const rounds = 5;
const page = "/meet/r/read";
const large_room_posts = 1_000_000;
const first_bytes = 150;

export async function benchPages(): Promise<Row[]> {
  return [...(await cachedPages()), await firstByte()];
}

/** The bytes of a GET request of a browser that accepts this encoding. */
const browserRequest = (url: string, path: string, encoding: string): string =>
  getRequest(url, path).replace("\r\n\r\n", `\r\nAccept: text/html\r\nAccept-Encoding: ${encoding}\r\n\r\n`);

async function cachedPages(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const bare = await start([compileEntry("bare.ts"), newDirectory()]);
  await openRoom(service.url, "read", 50);
  const rows: Row[] = [];
  try {
    for (const encoding of ["identity", "gzip", "zstd"]) {
      await copyAnswer(service, bare, page, { accept: "text/html", "accept-encoding": encoding });
      const rate = async ({ url }: Server) => {
        const requests = [browserRequest(url, page, encoding)];
        return (await load(url, { requests, connections: 64, seconds: 2 })).per_second;
      };
      const rates = await sideBySide(rounds, { service: () => rate(service), bare: () => rate(bare) });
      rows.push({
        what: `pages of a room with 50 posts, ${encoding}, 64 connections`,
        value: perSecond(rates.service),
        compared: `${perSecond(rates.bare)} Bun.serve with the same bytes and headers from memory`,
        ratio: rates.service / rates.bare,
        goal: { at_least: 0.5 },
      });
    }
    return rows;
  } finally {
    await service.stop();
    await bare.stop();
  }
}

/** The time to the first byte of a page that is not cached, because a post came before it. */
async function firstByte(): Promise<Row> {
  const directory = newDirectory();
  const first = await start(serveCommand(directory));
  for (const room of ["small", "large"]) await openRoom(first.url, room, 50);
  await first.stop();
  addPosts(join(directory, "wharf.db"));
  const service = await start(serveCommand(directory));
  try {
    const times_ms: Record<string, number[]> = { small: [], large: [] };
    for (let i = 0; i < first_bytes; i++) {
      for (const [room, times] of Object.entries(times_ms)) times.push(await firstByteOf(service, room));
    }
    const [small, large] = [median(times_ms.small!), median(times_ms.large!)];
    return {
      what: `first byte of the page of a room with ${large_room_posts.toLocaleString("en")} posts, after a post`,
      value: `${large.toFixed(1)} ms`,
      compared: `${small.toFixed(1)} ms with 50 posts`,
      ratio: large / small,
      goal: { at_most: 1.2 },
    };
  } finally {
    await service.stop();
  }
}

async function firstByteOf({ url }: Server, room: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(a_post);
  await (await fetch(`${url}/api/meet/rooms/${room}/posts`, { method: "POST", headers, body })).text();
  const begun = performance.now();
  const answer = await fetch(`${url}/meet/r/${room}`, { headers: { accept: "text/html" } });
  const time_ms = performance.now() - begun;
  await answer.text();
  return time_ms;
}

/** Adds posts to the large room, older than its others, as if they had been there for long, and already indexed. */
function addPosts(file: string): void {
  const database = new Database(file);
  database.run("PRAGMA synchronous = OFF");
  database.transaction(() => {
    const { seq } = database.query("SELECT seq FROM rooms WHERE slug = 'large'").get() as { seq: number };
    database.run("UPDATE posts SET n = n + ? WHERE room = ?", [large_room_posts, seq]);
    database.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO posts (id, room, ts, name, claimed, body, n, id_indexed)
       SELECT unhex(printf('00000000000070008000%012x', n)), ?, 1600000000000 + n * 1000, ?, 0, ?, n, 1 FROM numbers`,
      [large_room_posts, seq, a_post.name, a_post.body],
    );
    database.run("UPDATE rooms SET posts = posts + ? WHERE seq = ?", [large_room_posts, seq]);
    database.run(
      "UPDATE search_progress SET through_seq = (SELECT MAX(seq) FROM posts) WHERE source = 'posts'",
    );
  })();
  database.close();
}
