/** What ends the webhook of a name ends its calls: the one under way, the one that waits, and those that would be tried again. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { canonicalName } from "../../src/names/canonical.ts";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { stored } from "../support/stored.ts";
import { endWebhook, mentioning, seenWebhook, setWebhook } from "../support/webhook_names.ts";
import { calling, passUntil, type Receiver, startReceiver } from "../support/webhook_receivers.ts";

let service: SourceService;
let url: string;
let mention: (who: Holder) => Promise<void>;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startSource(calling);
  url = service.url;
  mention = await mentioning(url);
});
afterAll(async () => {
  await service.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

let names = 0;
const somebody = () =>
  claim(url, `agent-${String.fromCharCode(97 + (names % 26), 97 + Math.floor(names++ / 26))}`);

function receiverOf(answering?: Receiver["answering"]): Receiver {
  const receiver = startReceiver(answering);
  receivers.push(receiver);
  return receiver;
}

async function got(receiver: Receiver, calls: number): Promise<void> {
  await passUntil(service, () => receiver.calls.length >= calls);
  expect(receiver.calls.length).toBe(calls);
}

/** Resolves when the service has made a call for a note that came after everything else. */
async function othersAreCalled(): Promise<void> {
  const [who, receiver] = [await somebody(), receiverOf()];
  await setWebhook(url, who, { url: receiver.url });
  await mention(who);
  await got(receiver, 1);
}

const byAdmin =
  (action: string) =>
  ({ name }: Holder) =>
    asOwner(service, "POST", `/api/admin/names/${name}/${action}`, { reason: "floods rooms" });

const ends: Record<string, (who: Holder) => Promise<{ status: number }>> = {
  "is deleted": (who) => endWebhook(url, who),
  "is that of a key that was rotated": ({ pair }) => post(`${url}/api/name/rotate`, {}, pair),
  "is that of a key that was recovered": ({ name, recovery_code }) =>
    post(`${url}/api/name/recover`, { name, recovery_code }),
  "is that of a key that was revoked": ({ key }) => post(`${url}/api/name/revoke`, { key }),
  "is that of a suspended name": byAdmin("suspend"),
  "is that of a released name": byAdmin("release"),
};

describe.each(Object.entries(ends))("a webhook that %s", (_, end) => {
  async function ended(who: Holder): Promise<void> {
    expect((await end(who)).status).toBeLessThan(300);
  }

  /** Expects nothing to be stored of the webhook, and no call to be made in a day. */
  async function expectNothing(who: Holder, receiver: Receiver): Promise<void> {
    const calls = receiver.calls.length;
    for (const table of ["webhooks", "webhook_calls"]) {
      const sql = `SELECT 1 FROM ${table} WHERE owner = $1`;
      expect(await stored(service.directory, sql, canonicalName(who.name))).toEqual([]);
    }
    service.clock.advance(86_400);
    await othersAreCalled();
    expect(receiver.calls.length).toBe(calls);
  }

  test("has its call ended while it is under way", async () => {
    const [who, closed] = [await somebody(), Promise.withResolvers<void>()];
    const receiver = receiverOf((_, request) => {
      request.signal.addEventListener("abort", () => closed.resolve());
      return new Promise(() => {});
    });
    await setWebhook(url, who, { url: receiver.url });
    await mention(who);
    await got(receiver, 1);
    await ended(who);
    await closed.promise;
    await expectNothing(who, receiver);
  });

  test("is not tried again", async () => {
    const who = await somebody();
    const receiver = receiverOf(() => new Response(null, { status: 500 }));
    await setWebhook(url, who, { url: receiver.url });
    await mention(who);
    await got(receiver, 1);
    await seenWebhook(url, who, ({ call }) => call?.next_try_at !== undefined);
    await ended(who);
    await expectNothing(who, receiver);
  });
});

test("a webhook that is set while its key is revoked does not outlive the key, in 40 races", async () => {
  let revoking: Promise<unknown> | undefined;
  let revoke = () => Promise.resolve<unknown>(undefined);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { challenge } = (await request.json()) as { challenge: string };
      // The service stores the webhook as soon as it has this answer.
      revoking = Bun.sleep(0).then(revoke);
      return Response.json({ challenge });
    },
  });
  try {
    for (let round = 0; round < 40; round++) {
      const who = await somebody();
      revoke = () => post(`${url}/api/name/revoke`, { key: who.key });
      await setWebhook(url, who, { url: `http://127.0.0.1:${server.port}/${round}` });
      await revoking;
      const left = "SELECT 1 FROM webhooks WHERE owner = $1";
      expect([round, await stored(service.directory, left, canonicalName(who.name))]).toEqual([round, []]);
      service.clock.advance(600);
    }
  } finally {
    await server.stop(true);
  }
});

test("a name that replaces its key during calls takes no place from others", async () => {
  const who = await somebody();
  const receiver = receiverOf(() => new Promise(() => {}));
  let { pair } = who;
  for (let round = 1; round <= 40; round++) {
    const holder = { ...who, pair };
    expect((await setWebhook(url, holder, { url: receiver.url })).status).toBe(200);
    await mention(holder);
    await got(receiver, round);
    // A call that takes long has another place.
    if (round % 2 === 0) service.clock.advance(2);
    const { status, body } = await post<{ key: string }>(`${url}/api/name/rotate`, {}, pair);
    expect(status).toBe(200);
    pair = { ...pair, "x-wf-key": body.key };
    service.clock.advance(600);
  }
  const dead = [await somebody(), receiverOf(() => new Response(null, { status: 500 }))] as const;
  await setWebhook(url, dead[0], { url: dead[1].url });
  await mention(dead[0]);
  await got(dead[1], 1);
  await seenWebhook(url, dead[0], ({ call }) => call?.next_try_at !== undefined);
  service.clock.advance(10);
  await passUntil(service, () => dead[1].calls.length === 2);
  await endWebhook(url, dead[0]);
  await othersAreCalled();
});

test("a webhook that is deleted while it waits for others of its host is not called", async () => {
  const answers: (() => void)[] = [];
  const receiver = receiverOf(() => new Promise((resolve) => answers.push(() => resolve(undefined))));
  const holders = await Promise.all(Array.from({ length: 9 }, somebody));
  for (const who of holders) await setWebhook(url, who, { url: receiver.url });
  for (const who of holders) await mention(who);
  // A host gets eight calls at once. So little time passes that none of them is late: others would begin.
  for (let calls = 1; calls <= 8; calls++) {
    service.clock.advance(0.02);
    while (receiver.calls.length < calls) await Bun.sleep(1);
  }
  const called = receiver.calls.map(({ body }) => (body.data as { name?: string }).name);
  const last = holders.find(({ name }) => !called.includes(name))!;
  await endWebhook(url, last);
  for (const answer of answers) answer();
  await othersAreCalled();
  service.clock.advance(3_600);
  await othersAreCalled();
  expect(receiver.calls.length).toBe(8);
});
