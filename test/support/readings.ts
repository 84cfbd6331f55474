/** Every way to read a post of a public room, or to find the room, over every transport. */

import { send } from "./http.ts";
import { ask, askModern, beginSession, type Rpc } from "./mcp_messages.ts";
import type { Holder } from "./names.ts";
import { readEvents } from "./sse.ts";

/** What is read: a post with the word `word` by a claimed name, which mentions another one. The goal of its room has the word `goal_word`. */
export interface Place {
  url: string;
  slug: string;
  /** The API address of the room. */
  api: string;
  /** The number of the post. */
  n: number;
  word: string;
  goal_word: string;
  mentioned: Holder;
  speaker: Holder;
}

export interface Read {
  status: number;
  text: string;
  etag?: string | null;
}

/**
 * - `post`: shows the text of the post.
 * - `search`: finds the room by the word of the post.
 * - `room`: shows the room.
 * - `list`: lists the room among others.
 */
export type Kind = "post" | "search" | "room" | "list";

export interface Way {
  name: string;
  kind: Kind;
  /** `etag`: of an earlier answer, if the way is conditional. */
  read(place: Place, etag?: string): Promise<Read>;
  /** Whether it reads a mailbox or a list, which are there even if the room is not. */
  is_elsewhere: boolean;
}

type Headers = Record<string, string>;
/** The lists of a name are there without its room and its posts. */
const ofName = (name: string, path: (place: Place) => string, headers: Headers = {}): Way => ({
  ...http(name, "post", path, headers),
  is_elsewhere: true,
});
const page = { accept: "text/html" };

async function fetched(url: string, headers: Headers): Promise<Read> {
  const { status, body, headers: answered } = await send("GET", url, headers);
  return { status, text: body, etag: answered.get("etag") };
}

const http = (
  name: string,
  kind: Kind,
  path: (place: Place) => string,
  headers: Headers | ((place: Place) => Headers) = {},
): Way => ({
  name,
  kind,
  is_elsewhere: kind === "search" || kind === "list" || typeof headers === "function",
  read: (place, etag) =>
    fetched(place.url + path(place), {
      ...(typeof headers === "function" ? headers(place) : headers),
      ...(etag && { "if-none-match": etag }),
    }),
});

/** A permalink, and where it leads. */
const permalink = (name: string, ending: string, headers: Headers): Way => ({
  name,
  kind: "post",
  is_elsewhere: false,
  async read({ url, slug, n }) {
    const {
      status,
      body,
      headers: answered,
    } = await send("GET", `${url}/meet/r/${slug}/${n}${ending}`, headers);
    if (status !== 302) return { status, text: body };
    const { etag: _of_the_page, ...read } = await fetched(answered.get("location")!, headers);
    return read;
  },
});

const outcome = ({ status, body }: { status: number; body: Rpc<unknown> }): Read => ({
  status,
  text: JSON.stringify(body.result ?? body.error),
});

/** A request of MCP in three ways: without a session, in a session, by the revision of 2026. */
function mcp(
  name: string,
  kind: Kind,
  method: string,
  params: (place: Place) => Record<string, unknown>,
  headers?: (place: Place) => Headers,
): Way[] {
  const ways: Record<string, (url: string, place: Place) => Promise<Read>> = {
    MCP: async (url, place) => outcome(await ask(url, method, params(place), headers?.(place))),
    "a session of MCP": async (url, place) =>
      outcome(await ask(url, method, params(place), { ...(await beginSession(url)), ...headers?.(place) })),
    "MCP of 2026": async (url, place) =>
      outcome(await askModern(url, method, params(place), headers?.(place))),
  };
  return Object.entries(ways).map(([way, read]) => ({
    name: `${name} by ${way}`,
    kind,
    is_elsewhere: kind === "search" || kind === "list" || headers !== undefined,
    read: (place) => read(`${place.url}/mcp`, place),
  }));
}

const tool = (
  name: string,
  kind: Kind,
  args: (place: Place) => object,
  headers?: (place: Place) => Headers,
  what = "",
): Way[] => mcp(name + what, kind, "tools/call", (place) => ({ name, arguments: args(place) }), headers);

const mentioned = (place: Place): Headers => place.mentioned.pair;
const api = ({ slug }: Place) => `/api/meet/rooms/${slug}`;

/** The first event of a stream that begins before the post. */
const new_stream: Way = {
  name: "stream from before the post",
  kind: "post",
  is_elsewhere: false,
  async read({ api, n }) {
    const stream = await readEvents(`${api}/stream?since=${n - 1}`);
    const { ok, status } = stream.response;
    if (!ok) return { status, text: await stream.response.text() };
    const text = JSON.stringify(await stream.next());
    await stream.close();
    return { status, text };
  },
};

export const ways_to_read: Way[] = [
  http("JSON", "post", api),
  http("JSON of the post", "post", (place) => `${api(place)}/posts/${place.n}`),
  http("JSON with salts", "post", (place) => `${api(place)}?proof=1`),
  http("JSON since the beginning", "post", (place) => `${api(place)}?since=0`),
  http("JSON before a later post", "post", (place) => `${api(place)}?before=${place.n + 1}`),
  http("JSON with a wait", "post", (place) => `${api(place)}?since=${place.n - 1}&wait_seconds=5`),
  http("lean JSON", "post", (place) => `${api(place)}?fields=lean`),
  http("Markdown", "post", (place) => `${api(place)}.md`),
  http("Markdown by Accept", "post", api, { accept: "text/markdown" }),
  http("page", "post", ({ slug }) => `/meet/r/${slug}`, page),
  http("page to reply", "post", ({ slug, n }) => `/meet/r/${slug}?reply=${n}`, page),
  http("page as Markdown", "post", ({ slug }) => `/meet/r/${slug}.md`),
  permalink("permalink", "", page),
  permalink("permalink as Markdown", ".md", {}),
  http("JSON feed", "post", (place) => `${api(place)}/feed.json`),
  http("Atom feed", "post", (place) => `${api(place)}/feed.atom`),
  http("export", "post", (place) => `${api(place)}/export.jsonl`),
  new_stream,
  ...tool("meet_read", "post", ({ slug }) => ({ room: slug })),
  ...tool("meet_read", "post", ({ slug, n }) => ({ room: slug, since: n - 1 }), undefined, " with since"),
  ...tool("meet_read", "post", ({ slug }) => ({ room: slug, digest: true }), undefined, " with a digest"),
  ...mcp("resource", "post", "resources/read", ({ slug }) => ({ uri: `meet://room/${slug}` })),
  http("wait for the room", "post", ({ slug, n }) => `/api/wait?room=${slug}:${n - 1}&wait_seconds=0`),
  ...tool("wait", "post", ({ slug, n }) => ({ rooms: { [slug]: n - 1 }, wait_seconds: 0 })),

  http("mailbox", "post", () => "/api/mailbox", mentioned),
  http("lean mailbox", "post", () => "/api/mailbox?fields=lean&since=0", mentioned),
  http("wait for the mailbox", "post", () => "/api/wait?mailbox=0&wait_seconds=0", mentioned),
  ...tool("mailbox_read", "post", () => ({ since: 0 }), mentioned),
  ...tool("wait", "post", () => ({ mailbox: 0, wait_seconds: 0 }), mentioned, " for the mailbox"),

  ofName("posts of a name", ({ speaker }) => `/api/name/${speaker.name}/posts`),
  ofName("page of a name", ({ speaker }) => `/name/${speaker.name}`, page),
  ofName("page of a name as Markdown", ({ speaker }) => `/name/${speaker.name}.md`),

  http("search", "search", ({ word }) => `/api/meet/rooms?q=${word}`),
  http("lean search", "search", ({ word }) => `/api/meet/rooms?fields=lean&q=${word}`),
  http("search as Markdown", "search", ({ word }) => `/api/meet/rooms.md?q=${word}`),
  http("search page", "search", ({ word }) => `/meet?q=${word}`, page),
  ...tool("meet_rooms", "search", ({ word }) => ({ query: word }), undefined, " with a query"),

  http("page of its MCP address", "room", ({ slug }) => `/mcp/meet/${slug}`, page),
  http("server card", "room", ({ slug }) => `/mcp/meet/${slug}/server-card`),
  ...mcp("prompt", "room", "prompts/get", ({ slug }) => ({ name: "join_room", arguments: { room: slug } })),

  http("list", "list", () => "/api/meet/rooms"),
  http("list with a limit", "list", () => "/api/meet/rooms?limit=10"),
  http("lean list", "list", () => "/api/meet/rooms?fields=lean"),
  http("list as Markdown", "list", () => "/api/meet/rooms.md"),
  http("list page", "list", () => "/meet", page),
  http("search for the goal", "list", ({ goal_word }) => `/api/meet/rooms?q=${goal_word}`),
  http("sitemap", "list", () => "/sitemap.xml"),
  ...tool("meet_rooms", "list", () => ({})),
  ...mcp("list of resources", "list", "resources/list", () => ({})),
  ...mcp("completion", "list", "completion/complete", ({ goal_word }) => ({
    ref: { type: "ref/resource", uri: "meet://room/{room}" },
    argument: { name: "room", value: goal_word },
  })),
];
