/** Load on a service that may be killed at any moment: writers that record what they sent and what was acknowledged. */

import { expect } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { get, post } from "./http.ts";

/** The address of a service, also after each restart. */
export class Site {
  /** The number of starts so far. */
  generation = 0;
  /** Writers and readers start nothing new. */
  ended = false;
  url = "";
  #opened = Promise.withResolvers<void>();

  /** Reports a start. */
  open(url: string): void {
    this.url = url;
    this.generation++;
    this.#opened.resolve();
    this.#opened = Promise.withResolvers();
  }

  /** Resolves once there is a later service than the `generation`th. */
  async later(generation: number): Promise<void> {
    while (this.generation <= generation) await this.#opened.promise;
  }
}

/** What writers sent, and how the service answered. */
export class Ledger {
  /** Every sent body, with its post if that was acknowledged. */
  readonly sent = new Map<string, Post | null>();
  /** Counts of the statuses other than 201. */
  readonly refused = new Map<number, number>();
  acknowledged = 0;
  #refused = Promise.withResolvers<void>();
  #marks: { count: number; reached: () => void }[] = [];

  acknowledge(body: string, stored: Post): void {
    this.sent.set(body, stored);
    this.acknowledged++;
    this.#marks = this.#marks.filter(({ count, reached }) => {
      if (this.acknowledged < count) return true;
      reached();
      return false;
    });
  }

  refuse(status: number): void {
    this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    this.#refused.resolve();
    this.#refused = Promise.withResolvers();
  }

  /** Resolves when a post is refused after now. */
  refusal(): Promise<void> {
    return this.#refused.promise;
  }

  /** Resolves when `count` more posts than now are acknowledged. */
  more(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#marks.push({ count: this.acknowledged + count, reached: resolve });
    return promise;
  }
}

export interface WriterOptions {
  body_chars: number;
  /** Sends a post whose answer was lost again, with the same Idempotency-Key. */
  resend: boolean;
  /** With `resend`: sends a post that was answered with 503 again as well. */
  persists?: true;
}

/** Posts one after another in `room` until the site has ended. Continues after each kill and each refusal. */
export async function writeOn(
  site: Site,
  room: string,
  name: string,
  ledger: Ledger,
  { body_chars, resend, persists }: WriterOptions,
): Promise<void> {
  for (let n = 0; !site.ended; n++) {
    const body = `${name}.${n} `.padEnd(body_chars, `${n} `).trimEnd();
    const headers: Record<string, string> = resend ? { "idempotency-key": `${name}.${n}` } : {};
    for (;;) {
      const { generation } = site;
      try {
        const status = await say(site, room, name, body, ledger, headers);
        if (!persists || status !== 503 || site.ended) break;
        await Bun.sleep(20);
      } catch {
        if (site.ended) return;
        await site.later(generation);
        if (!resend) break;
      }
    }
  }
}

/** Sends one post and records its outcome. Returns the status. Throws if the connection breaks. */
export async function say(
  site: Site,
  room: string,
  name: string,
  body: string,
  ledger: Ledger,
  headers: Record<string, string> = {},
): Promise<number> {
  if (!ledger.sent.has(body)) ledger.sent.set(body, null);
  const answer = await post<Post>(`${site.url}/api/meet/rooms/${room}/posts`, { name, body }, headers);
  if (answer.status === 201) ledger.acknowledge(body, answer.body);
  else ledger.refuse(answer.status);
  return answer.status;
}

/** Opens a room. Returns its slug. */
export async function openRoom(url: string, goal = "What holds when things break"): Promise<string> {
  const opened = await post<{ slug: string }>(`${url}/api/meet/rooms`, { goal, name: "host" });
  expect(opened.status).toBe(201);
  return opened.body.slug;
}

interface Page {
  posts: Post[];
  more: boolean;
  next_since: string;
}

/** All posts of a room in order, in the form of their acknowledgements: with the salts. */
export async function readAll(url: string, room: string): Promise<Post[]> {
  const posts: Post[] = [];
  let since = "1970-01-01T00:00:00.000Z";
  for (;;) {
    const { status, body } = await get<Page>(
      `${url}/api/meet/rooms/${room}?proof=1&limit=1000&since=${encodeURIComponent(since)}`,
    );
    expect(status).toBe(200);
    posts.push(...body.posts);
    if (!body.more) return posts;
    since = body.next_since;
  }
}

/** Expects every acknowledged post to be stored unchanged and once, in rising order, and no post that was not sent. */
export function expectStored(stored: Post[], ledger: Ledger): void {
  const by_body = new Map(stored.map((post) => [post.body!, post]));
  expect(by_body.size).toBe(stored.length);
  expect(stored.filter(({ body }) => !ledger.sent.has(body!))).toEqual([]);
  const acknowledged = [...ledger.sent.values()].filter((post) => post !== null);
  expect(acknowledged.filter((post) => !Bun.deepEquals(post, by_body.get(post.body!)))).toEqual([]);
  expect(stored.every((post, i) => i === 0 || stored[i - 1]!.ts < post.ts)).toBe(true);
}
