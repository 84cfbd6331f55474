/** What holds between two nodes of one database. */

import { expect } from "bun:test";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "./load.ts";
import { farewell, follow, poll } from "./readers.ts";

/**
 * Writes at least `posts` posts at one node with `writers` writers, while others read at the other with `since`, wait and
 * stream. Expects that each of them sees every post once and in order.
 */
export async function expectSeenAtOther(
  writing_url: string,
  reading_url: string,
  { posts, writers }: { posts: number; writers: number },
): Promise<void> {
  const [writing_site, reading_site] = [new Site(), new Site()];
  writing_site.open(writing_url);
  reading_site.open(reading_url);
  const room = await openRoom(writing_url);
  const ledger = new Ledger();
  const readers = Promise.all([
    poll(reading_site, room, 0),
    poll(reading_site, room, 5),
    follow(reading_site, room),
  ]);
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(writing_site, room, `writer-${i}`, ledger, { body_chars: 40, resend: false }),
  );
  await ledger.more(posts);
  writing_site.ended = true;
  await Promise.all(writing);
  await say(writing_site, room, "host", farewell, ledger);
  const stored = await readAll(reading_url, room);
  expectStored(stored, ledger);
  for (const seen of await readers) expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
}
