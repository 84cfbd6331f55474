/** What became of a mention through a whole life, over HTTP and in the shell, with a `kill -9` of the service between each two states. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Delivered, PostDelivery } from "../../src/api/rooms/delivery.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { get, post } from "../support/http.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { newShell } from "../support/shell.ts";
import { readEvents } from "../support/sse.ts";

const data_dir = newDirectory();
let service: Awaited<ReturnType<typeof startBinary>>;
let slug: string;
let author: Holder;
const api = () => `${service.url}/api/meet/rooms/${slug}`;
beforeAll(async () => {
  service = await startBinary({ data_dir });
  author = await claim(service.url, "author");
  ({ slug } = await open(service.url, "A whole life"));
});
afterAll(async () => {
  await service.stop();
  removeDirectory(data_dir);
});

/** Kills the service, and starts it again. */
async function kill(): Promise<void> {
  service.process.kill("SIGKILL");
  await service.process.exited;
  service = await startBinary({ data_dir });
}
const say = async (who: Holder, body: string, more: object = {}): Promise<number> =>
  (await post<Post>(`${api()}/posts`, { name: who.name, body, ...more }, who.pair)).body.n;
const fate = async (n: number): Promise<Delivered> => {
  const { status, body } = await get<PostDelivery>(`${api()}/posts/${n}?fields=delivery`, author.pair);
  expect(status).toBe(200);
  return body.delivery[0]!;
};
/** The last line of `wharf read --delivery`. */
async function fateInShell(n: number): Promise<string | undefined> {
  const shell = newShell(service.url);
  const variables = { WHARF_NAME: author.name, WHARF_KEY: author.key };
  const words = ["read", slug, "--post", String(n), "--delivery"];
  const { printed, errors } = await shell.startIn(shell.directory, variables, ...words).ended;
  shell.remove();
  expect(errors).toBe("");
  return printed.trimEnd().split("\n").at(-1);
}
/** Expects the state over HTTP and in the shell. */
async function expectFate(n: number, expected: Partial<Delivered>): Promise<void> {
  expect(await fate(n)).toMatchObject(expected);
  const by = expected.answered_by === undefined ? "" : ` by #${expected.answered_by}`;
  expect(await fateInShell(n)).toBe(`reader: ${expected.state}${by}`);
}
/** Expects the state, and after a kill the second one. */
async function expectState(n: number, state: Partial<Delivered>, after: Partial<Delivered> = state) {
  await expectFate(n, state);
  await kill();
  await expectFate(n, after);
}
async function until(n: number, state: Delivered["state"]): Promise<void> {
  while ((await fate(n)).state !== state);
}

test("each state that is stored outlives a kill, and what a node remembers is stored again", async () => {
  const early = await say(author, "@reader, are you there?");
  await expectState(early, { state: "unclaimed" });
  const reader = await claim(service.url, "reader");
  await expectState(early, { state: "unclaimed" });

  const n = await say(author, "@reader, please look");
  await expectState(n, { state: "stored" });
  const { next_since } = await readMailbox(service.url, reader);
  await expectState(n, { state: "fetched" }, { state: "stored" });
  for (const path of [`/api/meet/rooms/${slug}/stream`, "/api/mailbox/stream"]) {
    const stream = await readEvents(service.url + path, reader.pair);
    await until(n, "waiting");
    await expectState(n, { state: "waiting" }, { state: "stored" });
    await stream.close();
  }
  await readMailbox(service.url, reader);
  await until(n, "fetched");
  await post(`${service.url}/api/mailbox/ack`, { through: next_since }, reader.pair);
  await expectState(n, { state: "read" });
  const again = await say(author, "@reader, and this");
  await expectState(again, { state: "stored" });
  const answered_by = await say(reader, "Yes", { in_reply_to: n });
  await expectState(n, { state: "answered", answered_by });
  await expectFate(again, { state: "stored" });
}, 120_000);
