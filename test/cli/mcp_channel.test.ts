/** `wharf mcp --channel` as a process, beside a stand-in for Claude Code that speaks the documented protocol of channels. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { orThrow } from "../../src/client/client.ts";
import { startMcp, type McpProcess } from "../support/bridge.ts";
import { mention, messagesOf, nextMessage } from "../support/channels.ts";
import { clientOf } from "../support/client.ts";
import { claim, type Holder } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let ada: Holder;
const homes: string[] = [];
beforeAll(async () => {
  service = await startSource();
  ada = await claim(service.url, "channel-ada");
});
afterAll(async () => {
  await service.stop();
  homes.forEach(removeDirectory);
});

const newHome = (): string => {
  homes.push(newDirectory());
  return homes.at(-1)!;
};

/** Begins a session in which the agent of a name gets messages. */
async function begin(home: string, { name, key }: Holder): Promise<McpProcess> {
  const client = startMcp(["--channel", "--url", service.url], home, { WHARF_NAME: name, WHARF_KEY: key });
  await client.begin();
  return client;
}

test("a mention reaches a running session, is answered by a tool, and the name shows that", async () => {
  const home = newHome();
  const client = await begin(home, ada);
  const mentioned_ms = performance.now();
  await mention(service.url, ada.name, "Which port?");
  const { content, meta } = await nextMessage(client);
  console.log(`A mention arrived after ${((performance.now() - mentioned_ms) / 1000).toFixed(1)} s.`);
  expect(meta).toEqual({ name: ada.name, url: service.url, notes: "1", through: "1" });
  expect(content).toContain("Which port?");
  await client.call("mailbox_ack", { through: Number(meta.through) });
  const shown = async () =>
    (await orThrow(clientOf(service.url).get("/api/name/{name}", { path: { name: ada.name } }))).reach;
  while ((await shown()).by === "none") await Bun.sleep(5);
  expect(await shown()).toMatchObject({ by: "channel", after_seconds: expect.any(Number) });
  expect(await client.end()).toBe(0);
  expect(client.errors()).toBe("");
  expect(JSON.stringify(client.said)).not.toContain(ada.key);
});

test("a later session begins with what has come since, and does not repeat what an earlier one has reacted to", async () => {
  const [home, bea] = [newHome(), await claim(service.url, "channel-bea")];
  await mention(service.url, bea.name, "First.");
  const first = await begin(home, bea);
  await nextMessage(first);
  await first.call("meet_rooms", {});
  await first.end();
  await mention(service.url, bea.name, "Second.");
  const next = await begin(home, bea);
  expect((await nextMessage(next)).meta).toMatchObject({ notes: "1", through: "2" });
  await next.end();
  expect(messagesOf(next)).toHaveLength(1);
});

test("needs a key, and says how to get one", async () => {
  const client = startMcp(["--channel", "--url", service.url], newHome());
  expect(await client.end()).toBe(2);
  expect(client.errors()).toBe(
    `wharf: --channel needs the key of a claimed name, and none is saved for ${service.url}: run 'wharf name claim NAME' first, or give a saved name with --as.\n`,
  );
  expect(client.said).toEqual([]);
});
