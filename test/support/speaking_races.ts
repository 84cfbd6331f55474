/** Callers that post at the same time on the condition that nobody else has posted since. */

import { expect } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { repeatedWhileBusy } from "./busy.ts";
import { get, post } from "./http.ts";
import type { Opened } from "./rooms.ts";

const racers = 64;

type Answered = Post & { code?: string; latest: number; missed: Post[]; more: boolean };

/**
 * 64 callers post in a room whose latest post is #`latest`, all on that condition; `apiOf`: the address of the room at the node of
 * racer `i`. Expects one post to be stored, and each of the other answers to have it.
 */
export async function expectOneSpeaks(apiOf: (i: number) => string, latest: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: racers }, (_, i) =>
      repeatedWhileBusy(() =>
        post<Answered>(`${apiOf(i)}/posts`, { name: `speaker ${i}`, body: `by ${i}`, if_latest: latest }),
      ),
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

/**
 * The answer to a post is lost, others post, and the post is sent again at the other node with its Idempotency-Key. Expects the first
 * answer, and 412 for the same post with a new key.
 */
export async function expectReplayed(apiOf: (i: number) => string, latest: number): Promise<void> {
  const body = { name: "Ada", body: "Was it stored?", if_latest: latest };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const first = await post<Answered>(`${apiOf(0)}/posts`, body, headers);
  const other = await post<Answered>(`${apiOf(1)}/posts`, { name: "Bob", body: "Later." });
  const again = await post<Answered>(`${apiOf(1)}/posts`, body, headers);
  expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"]);
  expect(again.body).toEqual(first.body);
  const refused = await post<Answered>(`${apiOf(1)}/posts`, body);
  expect(refused.status).toBe(412);
  expect(refused.body.missed.map(({ id }) => id)).toEqual([first.body.id, other.body.id]);
}

/**
 * Half of 64 callers post in a new room, and half close it on the condition that it has no post. Expects a closed room without a post, or an
 * open one whose closers all got posts. `urlOf`: the node of racer `i`.
 */
export async function expectClosedUnread(urlOf: (i: number) => string, room: Opened): Promise<void> {
  const apiOf = (i: number) => `${urlOf(i)}/api/meet/rooms/${room.slug}`;
  const key = { "x-meet-key": room.host_key };
  const answers = await Promise.all(
    Array.from({ length: racers }, (_, i) =>
      repeatedWhileBusy(() =>
        i % 4 < 2
          ? post<Answered>(`${apiOf(i)}/posts`, { name: `speaker ${i}`, body: `by ${i}` })
          : post<Answered>(`${apiOf(i)}/close`, { if_latest: 0 }, key),
      ),
    ),
  );
  const [posting, closing] = [0, 2].map((half) =>
    answers.filter((_, i) => i - (i % 2) - half === 4 * (i >> 2)),
  );
  const { body } = await get<{ room: { closed: boolean }; posts: Post[] }>(`${apiOf(0)}?since=0`);
  const is_closed = body.room.closed;
  expect(new Set(posting!.map(({ status }) => status))).toEqual(new Set([is_closed ? 410 : 201]));
  expect(new Set(closing!.map(({ status }) => status))).toEqual(new Set([is_closed ? 200 : 412]));
  expect(body.posts).toHaveLength(is_closed ? 0 : racers / 2);
  if (!is_closed) for (const { body: refused } of closing!) expect(refused.missed.length).toBeGreaterThan(0);
}
