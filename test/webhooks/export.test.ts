/** What a name has of its webhook beside the calls: a line of its export, notes, and nothing that opens anything. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Note, LeanMailbox } from "../../src/api/mailbox.ts";
import type { Webhook, WebhookSet } from "../../src/api/webhooks.ts";
import { privateValue } from "../support/canaries.ts";
import { call, get, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { open } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { storedTexts } from "../support/stored.ts";
import { callTool, wordsOf } from "../support/tools.ts";
import { calling, startReceiver, type Receiver } from "../support/webhook_receivers.ts";

let service: SourceService;
let receiver: Receiver;
const directory = newDirectory();
const start = (settings: object, seed = 1) =>
  startSource({ oauth: true, data_dir: directory, ...settings }, service?.clock, seed);
beforeAll(async () => {
  receiver = startReceiver();
  service = await start(calling);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  removeDirectory(directory);
});

const at = () => `${service.url}/api/mailbox/webhook`;
const set = async (who: Holder, body: object) => (await call<WebhookSet>("PUT", at(), body, who.pair)).body;
const linesOf = async (headers: Record<string, string>) =>
  (await send("GET", `${service.url}/api/name/export`, headers)).body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string });
const webhooksIn = async (headers: Record<string, string>) =>
  (await linesOf(headers)).filter(({ kind }) => kind === "webhook");

test("the export of a name has its webhook without secrets, for its key alone, and only with --webhooks", async () => {
  const [ann, bob] = [await claim(service.url, "ann"), await claim(service.url, "bob")];
  const kinds = ["room.mention"];
  const { created } = await set(ann, { url: receiver.url, kinds, authorization: "Bearer of-the-receiver" });
  const line = { kind: "webhook", url: receiver.url, kinds, has_authorization: true, created };
  expect(await webhooksIn(ann.pair)).toEqual([line]);
  expect((await linesOf(ann.pair)).at(-1)).toMatchObject({ lines: { webhook: 1 } });
  expect(await webhooksIn(bob.pair)).toEqual([]);
  const { access_token } = await letIn(service.url, await signedIn(service.url, ann));
  expect(await webhooksIn({ authorization: `Bearer ${access_token}` })).toEqual([]);
  await service.stop();
  service = await start({}, 2);
  expect(await webhooksIn(ann.pair)).toEqual([]);
  await service.stop();
  service = await start(calling, 3);
  expect(await webhooksIn(ann.pair)).toEqual([line]);
});

test("its secrets and its header are in no answer afterwards, in no file and in no log", async () => {
  const cid = await claim(service.url, "cid");
  const authorization = `Bearer ${privateValue()}`;
  const first = await set(cid, { url: receiver.url, authorization });
  const second = await set(cid, { url: receiver.url, authorization });
  expect(second.secret).not.toBe(first.secret);
  await call("POST", `${at()}/test`, undefined, cid.pair);
  expect(receiver.calls.at(-1)!.headers.get("authorization")).toBe(authorization);
  const answers = [
    ...[await send("GET", at(), cid.pair), await send("GET", `${service.url}/api/name/export`, cid.pair)],
    await send("GET", `${service.url}/api/name/cid`),
  ];
  const texts = [
    ...answers.map(({ body }) => Buffer.from(body)),
    ...(await storedTexts(directory)),
    Buffer.from(service.output()),
  ];
  const secrets = [first, second].flatMap(({ secret }) => [
    secret.slice("whsec_".length),
    Buffer.from(secret.slice("whsec_".length), "base64"),
    Buffer.from(secret.slice("whsec_".length), "base64").toHex(),
  ]);
  for (const secret of [...secrets, authorization])
    expect(texts.filter((text) => text.includes(secret)).length).toBe(0);
});

test("a note says in each form why a webhook sleeps or has ended, and causes no call", async () => {
  const dan = await claim(service.url, "dan");
  let status = 503;
  const failing = startReceiver(() => new Response(null, { status, headers: { "retry-after": "86400" } }));
  const mention = async () => {
    const { api } = await open(service.url, "Calling");
    await call("POST", `${api}/posts`, { name: "stranger", body: "@dan" });
  };
  const mailbox = async (query = "") =>
    (await get<{ notes: Note[] }>(`${service.url}/api/mailbox${query}`, dan.pair)).body.notes;
  // Nothing begins in the same moment as something else.
  const passTime = async () => {
    service.clock.advance(0.01);
    await Bun.sleep(1);
  };
  const noted = async (count: number) => {
    for (;;) {
      const notes = (await mailbox()).filter(({ kind }) => kind === "name.webhook");
      if (notes.length === count) return notes;
      await passTime();
    }
  };
  await set(dan, { url: failing.url });
  await mention();
  while ((await get<Webhook>(at(), dan.pair)).body.call?.tries !== 1) await passTime();
  service.clock.advance(86_400);
  expect(await noted(1)).toMatchObject([{ seq: 2, how: "asleep", because: "status", status: 503 }]);
  status = 410;
  service.clock.advance(86_400);
  expect((await noted(2))[1]).toMatchObject({ seq: 3, how: "gone" });
  expect((await get(at(), dan.pair)).status).toBe(404);
  const { notes } = (await get<LeanMailbox>(`${service.url}/api/mailbox?fields=lean`, dan.pair)).body;
  expect(notes.slice(1)).toEqual([
    { seq: 2, kind: "name.webhook", ago: expect.any(Number), how: "asleep", because: "status", status: 503 },
    { seq: 3, kind: "name.webhook", ago: expect.any(Number), how: "gone" },
  ]);
  const words = wordsOf(await callTool(service.url, "mailbox_read", {}, dan.pair));
  expect(words).toMatch(/^2 name\.webhook \d+ s ago asleep status 503$/m);
  expect(words).toMatch(/^3 name\.webhook \d+ s ago gone$/m);
  expect(failing.calls.length).toBe(3);
  await failing.stop();
});
