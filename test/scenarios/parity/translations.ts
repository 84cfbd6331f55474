/** For each tool the same call over HTTP, and the members that one transport alone returns, with the reason. */

import { treat_as } from "../../../src/core/text_form.ts";
import {
  job_limits,
  lease_limits,
  locker_limits,
  mailbox_limits,
  room_limits,
} from "../../../src/api/limits.ts";

export type Json = Record<string, unknown>;
// The arguments of any tool. Each translation knows its own.
// oxlint-disable-next-line typescript/no-explicit-any
export type Args = Record<string, any>;

export interface HttpAnswer {
  status: number;
  headers: Headers;
  etag: string | null;
  body: Json;
}
type Send = (method: string, path: string, body?: object, headers?: object) => Promise<HttpAnswer>;

export interface Translation {
  /** The same call over HTTP, under the name `as`. */
  http(args: Args, send: Send, as: string | undefined): Promise<HttpAnswer>;
  /** Arguments whose field has another name over HTTP. */
  fields?: Record<string, string>;
  /** The tool's result in the shape of the HTTP answer. Takes nothing away. */
  body?(structured: Args): Json;
  /** The HTTP answer without what lean results leave out. */
  cut?(body: Json): Json;
  /** Members that only HTTP returns, and why. */
  http_alone?: Record<string, string>;
  /** Members that only the tool returns, and why. Every tool may also return the `next` call. */
  tool_alone?: Record<string, string>;
}

const query = (params: Args): string =>
  `?${new URLSearchParams(Object.entries(params).filter(([, value]) => value !== undefined))}`;

const rooms = "/api/meet/rooms";
const warned = {
  treat_as: "over HTTP the warning is where texts are read; a tool returns it with each text",
};
const paged = ({ next_cursor, ...rest }: Args): Json => ({ ...rest, next: next_cursor ?? null });
const slotPath = (slot: string): string => `/api/locker/${encodeURI(slot)}`;

/** These members of an answer. */
const only =
  (...members: string[]) =>
  (body: Json): Json =>
    Object.fromEntries(Object.entries(body).filter(([member]) => members.includes(member)));

/** The answer without its receipt unless that is `wanted`. */
async function withReceiptIf(wanted: unknown, sent: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const answer = await sent;
  const { receipt, ...body } = answer.body;
  return wanted && answer.status < 400 ? { ...answer, body: { ...body, receipt } } : { ...answer, body };
}

/** A slot as lean results have it. */
const leanSlot = ({ public: is_public, etag: _etag, ...slot }: Args): Json => ({
  ...slot,
  ...(is_public && { public: true }),
});

/** A locker of the index as lean results have it. */
const indexedLocker = ({ name, slots }: Args): Json => ({
  name,
  slots: slots.map(({ updated: _updated, url: _url, ...slot }: Args) => leanSlot(slot)),
});

const speak = async ({ room, receipt, name, ...sent }: Args, send: Send, as: string | undefined) =>
  send("POST", `${rooms}/${room}/posts?fields=lean${receipt ? "&receipt=1" : ""}`, {
    name: name ?? as,
    ...sent,
  });
const opened = only("slug", "url", "api", "mcp", "host_key");
const slugged = ({ room, ...rest }: Args): Json => ({ ...(room !== undefined && { slug: room }), ...rest });
/** The next page as lean answers over HTTP name it. */
const leanPaged = ({ next_cursor, ...rest }: Args): Json => ({
  ...rest,
  ...(next_cursor !== undefined && { next: next_cursor }),
});

const jobCall =
  (action: string) =>
  ({ id, ...sent }: Args, send: Send) =>
    send("POST", `/api/jobs/${id}/${action}`, Object.keys(sent).length > 0 ? sent : undefined);

/** A job as lean results have it. */
const leanJob = ({
  job,
  tags,
  url: _url,
  you_hold_it_until: _until,
  treat_as: _long,
  ...rest
}: Args): Json => ({
  ...rest,
  ...job,
  ...(tags.length > 0 && { tags }),
  treat_as,
});

export const translations: Record<string, Translation> = {
  meet_rooms: {
    fields: { query: "q" },
    http: ({ query: q, limit = room_limits.mcp_rooms_page_default, ...rest }, send) =>
      send("GET", rooms + query({ q, limit, ...rest, fields: "lean" })),
    body: leanPaged,
  },
  meet_open: {
    async http({ name, receipt: wanted, ...room }, send, as) {
      const answer = await send("POST", rooms, { ...room, name: name ?? as });
      if (answer.status >= 400) return answer;
      const { receipt } = answer.body;
      return { ...answer, body: { ...opened(answer.body), ...(wanted && { receipt }) } };
    },
    body: slugged,
  },
  meet_ask: {
    fields: { question: "goal" },
    async http({ question, name, visibility }, send, as) {
      const answer = await send("POST", rooms, { goal: question, name: name ?? as, visibility });
      if (answer.status >= 400) return answer;
      const { body } = await speak({ room: answer.body.slug, name, body: question }, send, as);
      return { ...answer, body: { ...opened(answer.body), ...body } };
    },
    body: slugged,
  },
  meet_read: {
    http: ({ room, limit = room_limits.mcp_posts_page_default, ...rest }, send) =>
      send("GET", `${rooms}/${room}${query({ limit, ...rest, fields: "lean" })}`),
  },
  meet_speak: { http: speak },
  meet_answer: {
    async http(args, send, as) {
      if (args.in_reply_to !== undefined) return speak(args, send, as);
      // Over HTTP the caller reads the room first.
      const first = await send("GET", `${rooms}/${args.room}${query({ since: 0, limit: 1 })}`);
      if (first.status >= 400) return first;
      const [post] = first.body.posts as { id: string }[];
      return speak({ ...args, in_reply_to: post?.id }, send, as);
    },
    tool_alone: { in_reply_to: "what was answered: over HTTP the caller has looked it up" },
  },

  meet_close: {
    http: ({ room, host_key, name, last_word, if_latest }, send, as) =>
      send(
        "POST",
        `${rooms}/${room}/close${if_latest === undefined ? "" : "?fields=lean"}`,
        last_word === undefined ? if_latest && { if_latest } : { last_word, name: name ?? as, if_latest },
        { "x-meet-key": host_key },
      ),
    tool_alone: { n: "the number of the last word: the tool does not repeat the text" },
    http_alone: {
      slug: "the room that was named",
      closed: "said by closed_at",
      last_word: "the post as stored",
    },
  },

  name_claim: {
    http: ({ receipt, ...args }, send) => withReceiptIf(receipt, send("POST", "/api/name", args)),
    cut: only("name", "key", "recovery_code", "receipt"),
    tool_alone: { keep: "what to do with the key, in a short sentence" },
  },
  name_lookup: {
    http: ({ name }, send) => send("GET", `/api/name/${encodeURIComponent(name)}`),
    cut: ({ claimed: _claimed, note: _note, key_changed, reach, ...rest }) => ({
      ...rest,
      ...((reach as Json).by !== "none" && { reach }),
      ...(key_changed !== rest.since && { key_changed }),
    }),
  },
  name_recover: {
    http: (args, send) => send("POST", "/api/name/recover", args),
    cut: only("name", "key", "recovery_code"),
    tool_alone: { keep: "as for name_claim" },
  },

  locker_put: {
    http: ({ slot, ...sent }, send) => send("PUT", slotPath(slot), sent),
    cut: only("slot", "version", "expires_at", "public_url"),
  },
  locker_get: {
    async http({ slot, owner, max_tokens }, send) {
      const path =
        owner === undefined ? slotPath(slot) : `/locker/${encodeURIComponent(owner)}/${encodeURI(slot)}`;
      const got = await send("GET", path);
      if (got.status >= 400) return got;
      const { bytes: _bytes, public: is_public, value, ...rest } = got.body as Args;
      const bytes = Buffer.byteLength(value);
      const shown = value.length > 4 * (max_tokens ?? Infinity) ? { bytes, more: 1 } : { value };
      const marks = owner === undefined ? is_public && { public: true } : "value" in shown && { treat_as };
      const { treat_as: _long, ...body } = rest;
      return { ...got, body: { ...body, ...shown, ...marks } };
    },
  },
  locker_list: {
    http: (
      { of = "own", limit = of === "all" ? locker_limits.mcp_lockers_page_default : undefined, ...rest },
      send,
    ) => send("GET", `/api/locker${of === "all" ? "/index" : ""}${query({ limit, ...rest })}`),
    body: paged,
    cut: ({ name, slots, used_bytes, lockers, next }) =>
      lockers
        ? { lockers: (lockers as Args[]).map(indexedLocker), next, treat_as }
        : { name, slots: (slots as Args[]).map(leanSlot), used_bytes, next },
  },
  locker_delete: {
    async http({ slot, expected_version }, send) {
      if (expected_version === undefined) return send("DELETE", slotPath(slot));
      // Over HTTP the ETag of that version means the same.
      const { body, etag } = await send("GET", slotPath(slot));
      const if_match = body.version === expected_version ? etag : '"another"';
      return send("DELETE", slotPath(slot), undefined, { "if-match": if_match });
    },
  },

  lease_take: {
    fields: { extend: "fence" },
    http({ room, extend, ttl_seconds = lease_limits.lease_seconds_default, ...rest }, send) {
      const path = `${rooms}/${room}/leases`;
      return extend === undefined
        ? send("POST", path, { ttl_seconds, ...rest })
        : send("POST", `${path}/extend`, { fence: extend, ttl_seconds, ...rest });
    },
  },
  lease_release: {
    http: ({ room, ...sent }, send) => send("POST", `${rooms}/${room}/leases/release`, sent),
    cut: only("released", "paths"),
  },

  jobs_list: {
    fields: { query: "q" },
    http: ({ query: q, limit = job_limits.mcp_jobs_page_default, ...rest }, send) =>
      send("GET", `/api/jobs${query({ q, limit, ...rest, fields: "lean" })}`),
    body: ({ next_cursor, ...rest }) => ({ ...rest, ...(next_cursor && { next: next_cursor }) }),
  },
  job_read: { http: ({ id }, send) => send("GET", `/api/jobs/${id}?fields=lean`) },
  job_post: {
    http: ({ receipt, ...args }, send) => withReceiptIf(receipt, send("POST", "/api/jobs", args)),
    cut: only("id", "url", "receipt"),
  },
  job_claim: { http: jobCall("claim"), cut: leanJob },
  job_update: {
    http: ({ do: action, ...args }, send) => jobCall(action)(args, send),
    cut: (body) =>
      only("id", ...(body.state === "held" ? ["claim_no", "until"] : ["released", "state"]))(body),
  },
  job_deliver: { http: jobCall("deliver"), cut: only("id", "at", "receipt") },
  job_review: {
    http: jobCall("review"),
    cut: ({ id, review, receipt }) => ({
      id,
      verdict: (review as Json).verdict,
      ...(receipt !== undefined && { receipt }),
    }),
  },

  mailbox_read: {
    http: ({ limit = mailbox_limits.mcp_notes_page_default, receipt, ...rest }, send) =>
      send(
        "GET",
        `/api/mailbox${query({ limit, fields: "lean", ...(receipt && { receipt: "1" }), ...rest })}`,
      ),
  },
  mailbox_ack: { http: (args, send) => send("POST", "/api/mailbox/ack", args) },

  wait: {
    fields: { rooms: "room", new_rooms: "rooms" },
    http({ rooms: followed = {}, new_rooms, ...rest }, send) {
      const params = new URLSearchParams(rest);
      for (const [slug, since] of Object.entries(followed)) params.append("room", `${slug}:${String(since)}`);
      if (new_rooms !== undefined) params.set("rooms", String(new_rooms));
      return send("GET", `/api/wait?${params}`);
    },
    http_alone: { next: "the path of the next call: a tool has its arguments in cursors" },
  },

  beacon: {
    http: ({ round, proof, ...draw }, send) => {
      const lean = { fields: "lean", ...(proof && { proof: "1" }) };
      const is_toss = "toss" in draw || "heads" in draw || (round === undefined && "label" in draw);
      if (is_toss) return send("GET", `/api/beacon/toss${query({ round, ...draw, ...lean })}`);
      const at = round === undefined ? "" : `/${round}`;
      return send("GET", `/api/beacon${at}${query({ ...draw, ...lean })}`);
    },
    tool_alone: { steps_at: "where the steps of a draw are, which are many" },
  },
  receipt_verify: {
    http: (args, send) => send("POST", "/receipt/verify", args),
    cut: ({ does_not_attest: _none, attests, ...rest }) => ({
      ...rest,
      ...(rest.payload !== undefined && { attests }),
    }),
    tool_alone: warned,
  },
};
