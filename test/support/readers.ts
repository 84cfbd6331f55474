/** Readers that continue over restarts of the service: by polling, by waiting, and by a stream that resumes. */

import type { Post } from "../../src/api/rooms/rooms.ts";
import { get } from "./http.ts";
import type { Site } from "./load.ts";
import { eventsOf } from "./sse.ts";

const beginning = "1970-01-01T00:00:00.000Z";

/** The body of the post at which readers stop. */
export const farewell = "That was all.";
const sawAll = (seen: Post[]): boolean => seen.at(-1)?.body === farewell;

/** Waits for the next start of the service, or a little: a service that runs may have cut the call. */
const later = (site: Site, generation: number): Promise<void> =>
  Promise.race([site.later(generation), Bun.sleep(100)]);

/** Reads a room with `since` up to the farewell; `wait_seconds` delays each answer until there is a post. */
export async function poll(site: Site, room: string, wait_seconds: number): Promise<Post[]> {
  const seen: Post[] = [];
  let since = beginning;
  while (!sawAll(seen)) {
    const { generation } = site;
    try {
      const query = `since=${encodeURIComponent(since)}&wait_seconds=${wait_seconds}`;
      const { body } = await get<{ posts: Post[]; next_since: string }>(
        `${site.url}/api/meet/rooms/${room}?${query}`,
      );
      seen.push(...body.posts);
      since = body.next_since;
      // A poller without a pause would slow the writers down.
      if (wait_seconds === 0) await Bun.sleep(10);
    } catch {
      await later(site, generation);
    }
  }
  return seen;
}

/** Follows a room's stream up to the farewell, resuming with Last-Event-ID after each disconnection. */
export async function follow(site: Site, room: string): Promise<Post[]> {
  const seen: Post[] = [];
  let position = beginning;
  while (!sawAll(seen)) {
    const { generation } = site;
    try {
      const response = await fetch(`${site.url}/api/meet/rooms/${room}/stream`, {
        headers: { "last-event-id": position },
      });
      for await (const { id, data } of eventsOf(response)) {
        seen.push(JSON.parse(data) as Post);
        position = id;
        if (sawAll(seen)) break;
      }
    } catch {
      await later(site, generation);
    }
  }
  return seen;
}
