/** Prepares a service for the attacks: creates rooms with many posts before the measurement. */

import { openRoom } from "./servers.ts";

export const common_words = ["the", "of", "and", "to", "in", "is", "you", "that", "it", "for", "was", "on"];
export const streamed_rooms = Array.from({ length: 40 }, (_, n) => `streamed-${n}`);
export const large_room = "large";
export const wide_room = "wide";

/** A room of 64 MB, one whose pages are as large as any can be, and one in which every post has all common words. */
const large = { posts: 16_000, body: (n: number) => `${n} `.padEnd(4_000, "many words ") };
export const wide = { posts: 1_300, body: (n: number) => String(n).padEnd(4, " ") + "🌊".repeat(3_990) };
const searched = { posts: 50_000, body: (n: number) => `${n} ${common_words.join(" ")} again` };

const writers = 64;

async function fill(url: string, slug: string, { posts, body }: typeof wide): Promise<void> {
  await openRoom(url, slug);
  const address = `${url}/api/meet/rooms/${slug}/posts`;
  const headers = { "content-type": "application/json" };
  let next = 0;
  const write = async () => {
    for (let n = next++; n < posts; n = next++) {
      const post = JSON.stringify({ name: "Bench", body: body(n) });
      const response = await fetch(address, { method: "POST", headers, body: post });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** The preparation of each attack, by name. */
export const prepare: Record<string, (url: string) => Promise<void>> = {
  searches: (url) => fill(url, "searched", searched),
  async streams(url) {
    for (const room of streamed_rooms) await openRoom(url, room);
  },
  async heads() {},
  stalled: (url) => fill(url, large_room, large),
  pages: (url) => fill(url, wide_room, wide),
  pages_of_many: (url) => fill(url, wide_room, wide),
  async flood(url) {
    for (const room of streamed_rooms) await openRoom(url, room, 10);
  },
};
