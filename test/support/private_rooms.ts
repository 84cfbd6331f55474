/** A private room with its members, the same room deleted, and a slug of none; what those get who are no members. */

import { expect } from "bun:test";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import type { TakenLease } from "../../src/api/leases.ts";
import { asOwner } from "./admin.ts";
import { call, fetchWatched } from "./http.ts";
import { claim, type Holder } from "./names.ts";
import type { Random } from "./seed.ts";
import type { TestService } from "./service.ts";
import type { Sent, Target } from "./ways.ts";

/** The names in a scene. */
export interface Cast {
  host: Holder;
  member: Holder;
  reader: Holder;
  /** Is a member, and then removed. */
  former: Holder;
  stranger: Holder;
}

/** Claims the names, each with `mark` in it. */
export async function claimCast(url: string, mark: string): Promise<Cast> {
  const named = (who: string) => claim(url, `${who}-${mark}`);
  return {
    host: await named("Hana"),
    member: await named("Milo"),
    reader: await named("Rhea"),
    former: await named("Fox"),
    stranger: await named("Sten"),
  };
}

async function made<Body>(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Body> {
  const answer = await call<Body>(method, url, body, headers);
  expect([method, url, answer.status, answer.status >= 400 && answer.body]).toEqual([
    method,
    url,
    expect.any(Number) as never,
    false,
  ]);
  return answer.body;
}

/** Opens a private room with text `canary` in all that it has, in which `former` is a member. */
export async function openPrivate(
  url: string,
  { host, member, reader, former }: Cast,
  canary: string,
): Promise<Target> {
  const opening = { goal: `Goal ${canary}`, name: host.name, visibility: "private" };
  const { slug, host_key } = await made<OpenedRoom>("POST", `${url}/api/meet/rooms`, opening, host.pair);
  const api = `${url}/api/meet/rooms/${slug}`;
  for (const [who, role] of [
    [member, "member"],
    [reader, "reader"],
    [former, "member"],
  ] as const)
    await made("POST", `${api}/members`, { name: who.name, role }, host.pair);
  const say = (who: Holder, body: string) =>
    made<Post>("POST", `${api}/posts`, { name: who.name, body: `${body} ${canary}` }, who.pair);
  const first = await say(host, `Welcome, @${former.name}, @${member.name}!`);
  await say(former, "Said");
  const own = await say(member, "Mine");
  const wanted = { paths: [`src/${canary}`], ttl_seconds: 3_600, purpose: `Purpose ${canary}` };
  const { fence } = await made<TakenLease>("POST", `${api}/leases`, wanted, member.pair);
  return {
    slug,
    host_key: host_key!,
    post_id: first.id,
    own: { n: own.n, id: own.id },
    fence,
    name: member.name,
    other: reader.name,
  };
}

/** Removes a member of a private room. */
export const removeFrom = (url: string, { slug }: Target, { name }: Holder, by: Holder): Promise<unknown> =>
  made("DELETE", `${url}/api/meet/rooms/${slug}/members/${encodeURIComponent(name)}`, undefined, by.pair);

/** A slug that a private room could have, and none has. */
export const missingLike = ({ slug }: Pick<Target, "slug">, { below }: Random): string =>
  slug.slice(0, "private--".length) +
  Array.from(slug.slice("private--".length), () => "abcdefghijklmnopqrstuvwxyz234567"[below(32)]).join("");

/** A room and what is compared with it: the same room deleted, and none. */
export interface Compared {
  there: Target;
  deleted: Target;
  missing: Target;
}

/** Opens two private rooms, whose former member is removed, and deletes one. */
export async function compared(
  service: Pick<TestService, "url" | "directory">,
  cast: Cast,
  canary: string,
  random: Random,
): Promise<Compared> {
  const [there, deleted] = [
    await openPrivate(service.url, cast, canary),
    await openPrivate(service.url, cast, canary),
  ];
  for (const room of [there, deleted]) await removeFrom(service.url, room, cast.former, cast.host);
  const deletion = await asOwner(service, "POST", `/api/admin/rooms/${deleted.slug}/delete`, {
    reason: "other",
  });
  expect(deletion.status).toBe(200);
  return { there, deleted, missing: { ...there, slug: missingLike(there, random) } };
}

const time_form = /\d{4}-\d\d-\d\dT[\d:.]+Z/;
const time_form_g = new RegExp(time_form, "g");

/** Headers that differ between two equal requests. */
const of_request = new Set(["date", "x-request-id"]);

export interface Answered {
  status: number;
  headers: Headers;
  /** Its status, headers and body without what differs between two equal requests, and without the names of the room. */
  seen: string;
  body: string;
}

/** Sends a request. Reads a stream until its first event if `first_event`, else all of it. */
export async function answerTo(
  url: string,
  { method, path, headers, body, form }: Sent,
  credential: Record<string, string>,
  { slug, post_id, own }: Target,
  first_event = false,
): Promise<Answered> {
  const text =
    form !== undefined
      ? new URLSearchParams(form).toString()
      : typeof body === "string" || body === undefined
        ? body
        : JSON.stringify(body);
  const response = await fetchWatched(url + path, {
    method,
    headers: {
      "accept-encoding": "identity",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(form && { "content-type": "application/x-www-form-urlencoded", origin: url }),
      ...headers,
      ...credential,
    },
    ...(text !== undefined && { body: text }),
  });
  const is_stream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const answer = first_event && is_stream ? await firstEventOf(response) : await response.text();
  const request_id = response.headers.get("x-request-id") ?? "no id";
  // Its digest differs as these do.
  const echoes = answer.includes(slug) || time_form.test(answer);
  const named = [...response.headers]
    .filter(([name]) => !of_request.has(name) && !(echoes && name === "etag"))
    .map(([name, value]) => [
      name,
      name === "content-length" ? String(Number(value) - lengthOf(request_id, answer)) : value,
    ])
    .toSorted(([a], [b]) => (a! < b! ? -1 : 1));
  const seen = `${response.status} ${JSON.stringify(named)}\n${answer}`
    .replaceAll(request_id, "REQUEST")
    .replaceAll(time_form_g, "TIME")
    .replaceAll(slug, "SLUG")
    .replaceAll(slug.toUpperCase(), "SLUG")
    .replaceAll(post_id, "POST")
    .replaceAll(own.id, "POST");
  return { status: response.status, headers: response.headers, seen, body: answer };
}

/** How many bytes the id of a request takes in its answer. */
const lengthOf = (request_id: string, answer: string): number =>
  request_id.length * (answer.split(request_id).length - 1);

async function firstEventOf(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!/data: .*\n\n/.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** Sends requests about each of the rooms. Returns those whose answers differ, or hold the canary. */
export async function differences(
  url: string,
  rooms: Compared,
  requests: (to: Target) => [what: string, sent: Sent][],
  headersOf: (to: Target) => Record<string, string>,
  canary: string,
): Promise<string[]> {
  const found: string[] = [];
  const there = requests(rooms.there);
  const others = [rooms.deleted, rooms.missing].map((to) => ({ to, list: requests(to) }));
  for (const [i, [what, sent]] of there.entries()) {
    const one = await answerTo(url, sent, headersOf(rooms.there), rooms.there);
    for (const { to, list } of others) {
      const other = await answerTo(url, list[i]![1], headersOf(to), to);
      if (one.seen !== other.seen) found.push(`${what}: ${difference(one.seen, other.seen)}`);
    }
    if (one.seen.includes(canary)) found.push(`${what} has the canary: ${one.seen.slice(0, 400)}`);
  }
  return found;
}

/** Where two texts begin to differ. */
export function difference(one: string, other: string): string {
  const at = Array.from(one).findIndex((char, i) => char !== other[i]);
  const around = (text: string) => text.slice(Math.max(at - 60, 0), at + 200);
  return `"${around(one)}" is not "${around(other)}"`;
}
