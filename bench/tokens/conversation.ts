/** Counts the sample in every form of a room: the tokens around each post, and those of a further line. */

import { claimed, question, sample, type SamplePost, type Speaker } from "./sample.ts";
import { tokensOf, type Measure } from "./count.ts";
import type { CountedService, Headers } from "./service.ts";

/** The most that may stand around a post, and at each line beyond its first. */
const around_text = 18;
const around_json = 40;
const at_a_line = 1;

const forms: { what: string; budget?: number; line_budget?: number; read: Read }[] = [
  {
    what: "tool text",
    budget: around_text,
    line_budget: at_a_line,
    read: async ({ tool }, room) => (await tool("meet_read", { room, limit: sample.length })).text,
  },
  {
    what: "structuredContent",
    budget: around_json,
    read: async ({ tool }, room) => (await tool("meet_read", { room, limit: sample.length })).structured,
  },
  { what: "JSON over HTTP", read: ({ get }, room) => get(`/api/meet/rooms/${room}`) },
  {
    what: "JSON over HTTP, fields=lean",
    budget: around_json,
    read: ({ get }, room) => get(`/api/meet/rooms/${room}?fields=lean`),
  },
  {
    what: "Markdown twin",
    budget: around_text,
    line_budget: at_a_line,
    read: ({ get }, room) => get(`/api/meet/rooms/${room}.md`),
  },
];
type Read = (service: CountedService, room: string) => Promise<string>;

/** Headers of the names that the speakers have claimed. */
export async function claimNames(service: CountedService): Promise<Map<Speaker, Headers>> {
  const keys = new Map<Speaker, Headers>();
  for (const name of claimed) {
    const { key } = await service.post<{ key: string }>("/api/name", { name });
    keys.set(name, { "x-wf-name": name, "x-wf-key": key });
  }
  return keys;
}

/** Opens a room with these posts. Returns its slug. */
async function roomWith(
  { post, clock }: CountedService,
  keys: Map<Speaker, Headers>,
  posts: SamplePost[],
): Promise<string> {
  const opened = await post<{ slug: string }>(
    "/api/meet/rooms",
    { goal: question, name: "ada" },
    keys.get("ada"),
  );
  const ids: string[] = [];
  for (const { who, text, to } of posts) {
    // Between 20 and 219 seconds, so that the conversation crosses midnight.
    clock.advance(20 + ((ids.length * 73) % 200) + 0.137);
    const said = { name: who, body: text, ...(to !== undefined && { in_reply_to: ids[to - 1] }) };
    const { id } = await post<{ id: string }>(`/api/meet/rooms/${opened.slug}/posts`, said, keys.get(who));
    ids.push(id);
  }
  return opened.slug;
}

/** The tokens of the whole answer but for those of the texts: the room's goal and the posts. */
const besideTexts = (answer: string, posts: SamplePost[]): number =>
  tokensOf(answer) - tokensOf(question) - posts.reduce((sum, { text }) => sum + tokensOf(text), 0);

const sentences = sample.flatMap(({ text }) => text.split(/(?<=[.?!])\s+/));
const sentences_of_a_post = 30;
/** Posts of many sentences, so that the ids around the texts make no difference to the tokens of a line. */
const longPosts = (between: string): SamplePost[] =>
  Array.from({ length: Math.floor(sentences.length / sentences_of_a_post) }, (_, i) => ({
    who: "Linus",
    text: sentences.slice(i * sentences_of_a_post, (i + 1) * sentences_of_a_post).join(between),
  }));

export async function conversation(service: CountedService): Promise<Measure[]> {
  const keys = await claimNames(service);
  const one_line = sample.map((post) => ({ ...post, text: post.text.replaceAll("\n", " ") }));
  const [lines, line] = [longPosts("\n"), longPosts(" ")];
  const room = await roomWith(service, keys, one_line);
  const room_of_lines = await roomWith(service, keys, lines);
  const room_of_line = await roomWith(service, keys, line);
  const further_lines = lines.length * (sentences_of_a_post - 1);
  const measures: Measure[] = [];
  for (const { what, budget, line_budget, read } of forms) {
    measures.push({
      what: `a post around its text: ${what}`,
      tokens: besideTexts(await read(service, room), one_line) / sample.length,
      ...(budget !== undefined && { budget }),
    });
    if (line_budget === undefined) continue;
    const added =
      besideTexts(await read(service, room_of_lines), lines) -
      besideTexts(await read(service, room_of_line), line);
    measures.push({ what: `a further line: ${what}`, tokens: added / further_lines, budget: line_budget });
  }
  return measures;
}
