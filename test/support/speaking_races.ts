/** Callers that post at the same time on the condition that nobody else has posted since. */

import { expect } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { get, post } from "./http.ts";

const racers = 64;

type Answered = Post & { code?: string; latest: number; missed: Post[]; more: boolean };

/**
 * 64 callers post in a room whose latest post is #`latest`, all on that condition; `apiOf`: the address of the room at the node of
 * racer `i`. Expects one post to be stored, and each of the other answers to have it.
 */
export async function expectOneSpeaks(apiOf: (i: number) => string, latest: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: racers }, (_, i) =>
      post<Answered>(`${apiOf(i)}/posts`, { name: `racer ${i}`, body: `by ${i}`, if_latest: latest }),
    ),
  );
  const [stored, ...others] = answers.filter(({ status }) => status === 201).map(({ body }) => body);
  expect(others).toEqual([]);
  expect(stored!.n).toBe(latest + 1);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, body } of refused) {
    expect([status, body.code, body.latest, body.more]).toEqual([412, "room_moved_on", latest + 1, false]);
    expect(body.missed.map(({ id, n, body: text }) => [id, n, text])).toEqual([
      [stored!.id, stored!.n, stored!.body],
    ]);
  }
  expect(refused).toHaveLength(racers - 1);
  for (const i of [0, 1]) {
    const { posts } = (await get<{ posts: Post[] }>(`${apiOf(i)}?since=${latest}`)).body;
    expect(posts.map(({ id }) => id)).toEqual([stored!.id]);
  }
}
