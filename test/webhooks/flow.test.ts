/** A webhook from its setting to its calls: what receivers get, and what the name sees. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { WebhookTested } from "../../src/api/webhooks.ts";
import { call, get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readWebhook, seenWebhook, setWebhook } from "../support/webhook_names.ts";
import { calling, passUntil, type Receiver, startReceiver } from "../support/webhook_receivers.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startSource({ ...calling, rooms_per_hour_by_address: 1_000 });
  url = service.url;
});
afterAll(async () => {
  await service.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const somebody = (): Promise<Holder> => claim(url, `agent-${++claimed}`);
function receiverOf(...answering: Parameters<typeof startReceiver>): Receiver {
  const receiver = startReceiver(...answering);
  receivers.push(receiver);
  return receiver;
}
const set = (who: Holder, body: object) => setWebhook(url, who, body);
const read = (who: Holder) => readWebhook(url, who);
async function mention(who: Holder): Promise<void> {
  const { api } = await open(url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello, secret words` });
}
/** Resolves when the receiver has got this many calls. */
const got = (receiver: Receiver, calls: number) => passUntil(service, () => receiver.calls.length >= calls);
/** Resolves when the name sees its call in this state. */
const seen = (who: Holder, state: string) => seenWebhook(url, who, ({ call }) => call?.state === state);

test("a receiver that repeats the challenge is called when a note comes, without a stranger's words", async () => {
  const [who, receiver] = [await somebody(), receiverOf()];
  const answer = await set(who, { url: receiver.url });
  expect(answer.status).toBe(200);
  expect(answer.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(receiver.challenges.length).toBe(1);
  expect(await read(who)).toMatchObject({ url: receiver.url, has_authorization: false, asleep: false });

  await mention(who);
  await got(receiver, 1);
  const [first] = receiver.calls;
  expect(first!.body).toMatchObject({
    type: "mailbox.unread",
    data: {
      mailbox: `${url}/api/mailbox`,
      name: who.name,
      unread: 1,
      kinds: { "room.mention": 1 },
      through: 1,
    },
  });
  expect(first!.text).not.toMatch(/secret|stranger|Calling/);
  const shown = await seen(who, "called");
  expect(shown.call).toMatchObject({ id: first!.id, through: 1, tries: 1 });
  await post(`${url}/api/mailbox/ack`, { through: 1 }, who.pair);
  expect((await read(who)).call!.state).toBe("read");
});

test("what comes during a call and the pause after it is in the next one", async () => {
  const [who, receiver] = [await somebody(), receiverOf()];
  await set(who, { url: receiver.url });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  receiver.answering = () => promise;
  await mention(who);
  await got(receiver, 1);
  for (let i = 0; i < 3; i++) await mention(who);
  resolve(undefined);
  await seen(who, "called");
  service.clock.advance(4.9);
  await mention(who);
  expect(receiver.calls.length).toBe(1);
  service.clock.advance(0.2);
  await got(receiver, 2);
  expect(receiver.calls[1]!.body.data).toMatchObject({ unread: 5, through: 5 });
});

test("a call that fails is repeated with its id and its body, until it is accepted", async () => {
  const [who, receiver] = [await somebody(), receiverOf(() => new Response(null, { status: 500 }))];
  await set(who, { url: receiver.url });
  await mention(who);
  await got(receiver, 1);
  for (let tries = 1; tries < 6; tries++) {
    let shown = await read(who);
    while (shown.call?.tries !== tries) shown = await read(who);
    expect(shown.call).toMatchObject({ state: "queued", failed: { because: "status", status: 500 } });
    if (tries === 5) receiver.answering = () => undefined;
    service.clock.advance(Date.parse(shown.call.next_try_at!) / 1000 - service.clock.now() / 1000);
    await got(receiver, tries + 1);
  }
  await seen(who, "called");
  expect(new Set(receiver.calls.map(({ id }) => id)).size).toBe(1);
  expect(new Set(receiver.calls.map(({ text }) => text)).size).toBe(1);
});

test("a test says how the receiver answered", async () => {
  const [who, receiver] = [await somebody(), receiverOf()];
  await set(who, { url: receiver.url });
  const testing = () => post<WebhookTested>(`${url}/api/mailbox/webhook/test`, {}, who.pair);
  expect((await testing()).body).toEqual({ delivered: true, status: 204 });
  receiver.answering = () => new Response(null, { status: 418 });
  expect((await testing()).body).toEqual({ delivered: false, status: 418, because: "status" });
});

test("a refusal names the status of the receiver beside its own", async () => {
  const who = await somebody();
  using failing = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 500 }),
  });
  expect(await set(who, { url: failing.url.href })).toMatchObject({
    status: 422,
    body: { code: "webhook_refused", status: 422, because: "status", receiver_status: 500 },
  });
});

test("a deleted webhook is not called", async () => {
  const [who, receiver] = [await somebody(), receiverOf()];
  await set(who, { url: receiver.url });
  expect((await call<object>("DELETE", `${url}/api/mailbox/webhook`, undefined, who.pair)).body).toEqual({
    deleted: true,
  });
  expect((await get(`${url}/api/mailbox/webhook`, who.pair)).status).toBe(404);
  await mention(who);
  service.clock.advance(60);
  expect(receiver.calls).toEqual([]);
});
