/** Ten thousand requests about a private room by those who must not see it, while a member posts there. */

import { expect } from "bun:test";
import { answerTo, missingLike, openPrivate, removeFrom, type Answered, type Cast } from "./private_rooms.ts";
import { repeatedWhileBusy } from "./busy.ts";
import { post } from "./http.ts";
import type { Random } from "./seed.ts";
import {
  http_ways,
  isOfferedAt,
  mcp_ways,
  mcpSent,
  type McpWay,
  type Sent,
  type Target,
  type Way,
} from "./ways.ts";

/** Where a request is sent: at one of the nodes of a service. */
type UrlOf = (i: number) => string;

interface Outsider {
  who: string;
  name: string;
  headers: Record<string, string>;
  is_reader?: true;
}

const addressesOf = ({ slug }: Target): string[] => ["/mcp", "/mcp/meet", `/mcp/meet/${slug}`];

/** Whether the database was too busy for a request. A page with the form that was refused names no code. */
const isBusy = ({ status, body }: Answered): boolean =>
  body.includes("Refused (storage_busy)") ||
  (status === 503 && !/"code":"(?!storage_busy")|\/problems\/(?!storage_busy\b)/.test(body));

/** A way of one transport, and how to send it to a room. */
type Chosen = [Way | McpWay, (to: Target) => Sent];

function chooseHttp(random: Random): Chosen {
  const way = random.oneOf(http_ways);
  return [way, way.send];
}

function chooseMcp(random: Random, like: Target): Chosen {
  const place = random.below(3);
  const way = random.oneOf(mcp_ways.filter((one) => isOfferedAt(one, addressesOf(like)[place]!)));
  const era = random.below(2);
  return [
    way,
    (to) => {
      const sent = mcpSent(way, addressesOf(to)[place]!, to);
      return sent[era % sent.length]!;
    },
  ];
}

/**
 * Sends `count` requests, half over HTTP and half over MCP, of strangers, former members and readers, with random ways, keys and slugs.
 * Meanwhile a member posts `canary` again and again. Expects that nobody but the reader gets a byte of it, that the answers about the
 * private room are those about none, and that readers write nothing.
 */
export async function expectSecret(
  urlOf: UrlOf,
  cast: Cast,
  { count, canary, lanes, random }: { count: number; canary: string; lanes: number; random: Random },
): Promise<string> {
  const { host, member, reader, former, stranger } = cast;
  const there = await openPrivate(urlOf(0), cast, canary);
  await removeFrom(urlOf(1), there, former, host);
  // At both nodes at once, with the same names.
  const others = await Promise.all(
    [0, 1, 2, 3].map((i) => openPrivate(urlOf(i), { ...cast, host: stranger }, "of the stranger")),
  );
  const outsiders: Outsider[] = [
    { who: "nobody", name: "Nobody", headers: {} },
    { who: "a stranger", name: stranger.name, headers: stranger.pair },
    { who: "a stranger by a bearer key", name: stranger.name, headers: stranger.bearer },
    { who: "a former member", name: former.name, headers: former.pair },
    { who: "a former member by a bearer key", name: former.name, headers: former.bearer },
    { who: "a reader", name: reader.name, headers: reader.pair, is_reader: true },
  ];
  const host_keys = [null, null, null, ...others.map(({ host_key }) => host_key)];
  const found: string[] = [];
  let sent_count = 0;
  let posted = 0;
  const members_post = { over: false };

  /** Posts the canary at one node and then at the other. */
  async function posting(): Promise<void> {
    for (; !members_post.over; posted++) {
      const said = { name: member.name, body: `${canary} number ${posted}` };
      const path = `${urlOf(posted)}/api/meet/rooms/${there.slug}/posts`;
      const { status } = await repeatedWhileBusy(() => post(path, said, member.pair));
      expect(status).toBe(201);
      await Bun.sleep(3);
    }
  }

  /** A reader may read, so it sends only what writes. */
  function chosenFor(outsider: Outsider): Chosen {
    for (;;) {
      const chosen = random.below(2) === 0 ? chooseHttp(random) : chooseMcp(random, there);
      if (!outsider.is_reader || chosen[0].reader !== undefined) return chosen;
    }
  }

  /** An answer to compare with another one: only one of the two may come while the database is busy. */
  async function answerUnlessBusy(...request: Parameters<typeof answerTo>): Promise<Answered> {
    for (;;) {
      const answer = await answerTo(...request);
      if (!isBusy(answer)) return answer;
      if (answer.seen.includes(canary))
        found.push(`a busy answer has the canary: ${answer.seen.slice(0, 400)}`);
    }
  }

  async function lane(): Promise<void> {
    while (sent_count < count) {
      sent_count++;
      const outsider = random.oneOf(outsiders);
      const [way, sendTo] = chosenFor(outsider);
      const host_key = random.oneOf(host_keys);
      const headers = {
        ...outsider.headers,
        ...(host_key && !outsider.is_reader && { "x-meet-key": host_key }),
      };
      const url = urlOf(random.below(2));
      const to = { ...there, name: outsider.name, other: member.name, host_key: others[0]!.host_key };
      const one = await answerUnlessBusy(url, sendTo(to), headers, to);
      if (outsider.is_reader) {
        const is_refused =
          one.status === 403 ||
          one.status === 401 ||
          /Refused \((?:readers_only_read|host_key_required|not_your_post)\)/.test(one.body);
        if (!is_refused) found.push(`${outsider.who}: ${way.of}: ${one.seen.slice(0, 400)}`);
        continue;
      }
      sent_count++;
      const missing = { ...to, slug: missingLike(there, random) };
      const other = await answerUnlessBusy(url, sendTo(missing), headers, missing);
      if (one.seen !== other.seen)
        found.push(
          `${outsider.who}: ${way.of}: ${one.seen.slice(0, 400)} is not ${other.seen.slice(0, 400)}`,
        );
      if ((one.seen + other.seen).includes(canary)) found.push(`${outsider.who}: ${way.of} has the canary`);
    }
  }

  const writing = posting();
  await Promise.all(Array.from({ length: lanes }, lane));
  members_post.over = true;
  await writing;
  expect(found).toEqual([]);
  const exported = await fetch(`${urlOf(0)}/api/meet/rooms/${there.slug}/export.jsonl`, {
    headers: member.pair,
  });
  const text = await exported.text();
  expect(text.split(" number ").length - 1).toBe(posted);
  // Those of the scene, and none besides.
  expect(text.trimEnd().split("\n").length - 1).toBe(posted + 3);
  expect(text).not.toContain('"mine"');
  return `${sent_count} requests beside ${posted} posts`;
}
