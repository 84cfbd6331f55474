/** Reads and posts in a private room, against the same in a public room with the same key. */

import { getRequest, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, costOfRequests_us, newDirectory, serveCommand, start } from "./servers.ts";
import { microseconds, perSecond, type Row } from "./table.ts";

const rounds = 7;
const posts = 50;

/** A request of a claimed name. */
const withKey = (request: string, { name, key }: { name: string; key: string }): string =>
  request.replace("\r\n\r\n", `\r\nX-Wf-Name: ${name}\r\nX-Wf-Key: ${key}\r\n\r\n`);

export async function benchPrivate(): Promise<Row[]> {
  const server = await start(serveCommand(newDirectory()));
  const { url } = server;
  const rooms = "/api/meet/rooms";
  const call = async <Answer>(path: string, body: object, key: string | undefined): Promise<Answer> => {
    const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Answer;
  };
  try {
    const holder = await call<{ name: string; key: string }>("/api/name", { name: a_post.name }, undefined);
    const open = async (goal: string, visibility: string, count = 0): Promise<string> => {
      const opening = { goal, name: a_post.name, visibility };
      const { slug } = await call<{ slug: string }>(rooms, opening, holder.key);
      for (let i = 0; i < count; i++) await call(`${rooms}/${slug}/posts`, a_post, holder.key);
      return slug;
    };
    const [of_members, of_all] = [await open("read", "private", posts), await open("read", "public", posts)];
    const [written_by_members, written_by_all] = [
      await open("written", "private"),
      await open("written", "public"),
    ];
    const reading = (slug: string) => getRequest(url, `${rooms}/${slug}`);
    const posting = (slug: string) => withKey(postRequest(url, `${rooms}/${slug}/posts`, a_post), holder);
    const send = (request: string) =>
      load(url, { requests: [request], connections: 64, warm_seconds: 0, seconds: 2 });
    const cost = (request: string) => () => costOfRequests_us(server, () => send(request));
    const rate = (request: string) => async () => (await send(request)).per_second;
    const requests = {
      read: withKey(reading(of_members), holder),
      read_public: withKey(reading(of_all), holder),
      read_without: reading(of_all),
      post: posting(written_by_members),
      post_public: posting(written_by_all),
    };
    for (const request of Object.values(requests)) await send(request);
    const cpu = await sideBySide(rounds, {
      read: cost(requests.read),
      read_public: cost(requests.read_public),
      read_without: cost(requests.read_without),
      post: cost(requests.post),
      post_public: cost(requests.post_public),
    });
    const rates = await sideBySide(rounds, {
      read: rate(requests.read),
      read_public: rate(requests.read_public),
    });
    return [
      {
        what: `CPU time of a read of ${posts} posts of a private room, 64 connections`,
        value: microseconds(cpu.read),
        compared: `${microseconds(cpu.read_public)} of a public room, with the same key`,
        ratio: cpu.read / cpu.read_public,
        goal: { at_most: 1.2 },
      },
      {
        what: `reads of ${posts} posts of a private room, 64 connections`,
        value: perSecond(rates.read),
        compared: `${perSecond(rates.read_public)} of a public room, with the same key`,
        ratio: rates.read / rates.read_public,
      },
      {
        what: `CPU time of a read of ${posts} posts of a private room, 64 connections`,
        value: microseconds(cpu.read),
        compared: `${microseconds(cpu.read_without)} of a public room without a key`,
        ratio: cpu.read / cpu.read_without,
      },
      {
        what: "CPU time of a durable post in a private room, 64 connections",
        value: microseconds(cpu.post),
        compared: `${microseconds(cpu.post_public)} in a public room, with the same key`,
        ratio: cpu.post / cpu.post_public,
        goal: { at_most: 1.2 },
      },
    ];
  } finally {
    await server.stop();
  }
}
