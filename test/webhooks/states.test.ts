/** The states of a webhook over time: retries, sleep, what is due and what is not, and which call comes before another. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { WebhookTested } from "../../src/api/webhooks.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { mailbox_limits } from "../../src/api/limits.ts";
import { call, post } from "../support/http.ts";
import { callJob, notesOf, postJob, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { stored, withStored } from "../support/stored.ts";
import {
  acknowledge,
  claiming,
  inOneRoom,
  mentioning,
  readWebhook,
  seenWebhook,
  setWebhook,
} from "../support/webhook_names.ts";
import { calling, passUntil, type Receiver, startReceiver } from "../support/webhook_receivers.ts";

let service: SourceService;
let url: string;
let mention: (who: Holder) => Promise<void>;
let claimJob: (who: Holder) => Promise<void>;
let claimed = 0;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startSource(calling);
  url = service.url;
  mention = await mentioning(url);
  claimJob = claiming(url, await claim(url, "worker"));
});
afterAll(async () => {
  await service.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers });

/** A name with a webhook, whose receiver answers so. */
async function named(
  answering?: Receiver["answering"],
  settings: object = {},
): Promise<{ who: Holder; receiver: Receiver }> {
  const [who, receiver] = [await claim(url, `agent-${++claimed}`), startReceiver(answering)];
  receivers.push(receiver);
  expect((await setWebhook(url, who, { url: receiver.url, ...settings })).status).toBe(200);
  return { who, receiver };
}

/** Resolves when the receiver has got this many calls. */
async function got(receiver: Receiver, calls: number): Promise<void> {
  await passUntil(service, () => receiver.calls.length >= calls);
  expect(receiver.calls.length).toBe(calls);
}

/** Resolves when this many tries of the present call have ended, and the next one is planned. */
const tried = (who: Holder, tries: number) =>
  seenWebhook(url, who, ({ call }) => call?.tries === tries && call.next_try_at !== undefined);

/** The seconds until this time. */
const secondsTo = (time: string) => (Date.parse(time) - service.clock.now()) / 1000;

/** Resolves when the service has looked at the latest note of the name and does nothing. */
async function seenNothing({ name }: Holder): Promise<void> {
  const looked =
    "SELECT 1 FROM webhooks JOIN mailboxes ON mailboxes.owner = webhooks.owner " +
    "WHERE webhooks.owner = $1 AND through = last_seq AND next_at IS NULL";
  await passUntil(
    service,
    async () => (await stored(service.directory, looked, canonicalName(name))).length > 0,
  );
}

/** Lets a receiver fail until its webhook sleeps. Returns the pauses between the tries, in seconds. */
async function failUntilAsleep(who: Holder, receiver: Receiver): Promise<number[]> {
  const pauses: number[] = [];
  await mention(who);
  for (let tries = 1; ; tries++) {
    await got(receiver, tries);
    const { asleep, call } = await seenWebhook(
      url,
      who,
      ({ asleep, call }) => asleep || (call?.tries === tries && call.next_try_at !== undefined),
    );
    if (asleep) return pauses;
    pauses.push(secondsTo(call!.next_try_at!));
    service.clock.advance(pauses.at(-1)! - 0.001);
    expect(receiver.calls.length).toBe(tries);
    service.clock.advance(0.001);
  }
}

test("a call that fails is tried again for 24 hours, with pauses that grow and vary", async () => {
  const { who, receiver } = await named(() => status(500));
  const began_ms = service.clock.now();
  const pauses = await failUntilAsleep(who, receiver);
  const schedule = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000];
  // The last try is at the end of the day.
  for (const [i, pause] of pauses.slice(0, -1).entries()) {
    const usual = schedule[Math.min(i, schedule.length - 1)]!;
    expect(pause).toBeWithin(usual * 0.749, usual * 1.251);
  }
  expect(pauses.slice(0, 5)).not.toEqual(schedule.slice(0, 5));
  // The clock also advances while the service works.
  expect(service.clock.now() - began_ms).toBeWithin(86_399_000, 86_700_000);
  expect(new Set(receiver.calls.map(({ id }) => id)).size).toBe(1);
  expect(new Set(receiver.calls.map(({ text }) => text)).size).toBe(1);

  expect((await notesOf(url, who)).at(-1)).toMatchObject({
    kind: "name.webhook",
    how: "asleep",
    because: "status",
    status: 500,
  });
});

test("a webhook that sleeps is called once a day, with a new call, until one is accepted", async () => {
  const { who, receiver } = await named(() => status(503));
  await failUntilAsleep(who, receiver);
  const before = receiver.calls.length;
  const [first] = receiver.calls;
  for (let day = 1; day <= 3; day++) {
    // What comes does not wake it.
    await mention(who);
    service.clock.advance(86_000);
    expect(receiver.calls.length).toBe(before + day - 1);
    if (day === 3) receiver.answering = () => undefined;
    service.clock.advance(400);
    await got(receiver, before + day);
    const { id, body } = receiver.calls.at(-1)!;
    expect(id).not.toBe(first!.id);
    // Those about the webhook itself are among them.
    expect(body.data.kinds["name.webhook"]).toBe(1);
    if (day < 3) await seenWebhook(url, who, ({ asleep, call }) => asleep && call?.next_try_at === undefined);
  }
  await seenWebhook(url, who, ({ asleep, call }) => !asleep && call?.state === "called");
  // There was one note about it, however long it slept.
  const kinds = (await notesOf(url, who)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "name.webhook").length).toBe(1);
  await mention(who);
  service.clock.advance(5);
  await got(receiver, before + 4);
});

test("a test that succeeds wakes a webhook, and what is due is called at once", async () => {
  const { who, receiver } = await named(() => status(500));
  await failUntilAsleep(who, receiver);
  const before = receiver.calls.length;
  const testing = () => post<WebhookTested>(`${url}/api/mailbox/webhook/test`, {}, who.pair);
  expect((await testing()).body.delivered).toBe(false);
  expect((await readWebhook(url, who)).asleep).toBe(true);
  receiver.answering = () => undefined;
  expect((await testing()).body.delivered).toBe(true);
  await got(receiver, before + 3);
  expect(receiver.calls.at(-1)!.body.type).toBe("mailbox.unread");
  expect(await seenWebhook(url, who, ({ call }) => call?.state === "called")).toMatchObject({
    asleep: false,
  });
});

test("a call whose notes were read is not tried again, and does not say when it would be", async () => {
  const { who, receiver } = await named(() => status(500));
  await mention(who);
  await got(receiver, 1);
  await tried(who, 1);
  await acknowledge(url, who, 1);
  const { call } = await readWebhook(url, who);
  expect(call).toMatchObject({ state: "read", tries: 1, failed: { because: "status", status: 500 } });
  expect(call!.next_try_at).toBeUndefined();
});

test("Retry-After puts off the next try, up to a day", async () => {
  const { who, receiver } = await named(() => status(503, { "retry-after": "900" }));
  await mention(who);
  await got(receiver, 1);
  expect(secondsTo((await tried(who, 1)).call!.next_try_at!)).toBeWithin(899, 901);
  const at = new Date(service.clock.now() + 3_600_000).toUTCString();
  receiver.answering = () => status(429, { "retry-after": at });
  service.clock.advance(900);
  await got(receiver, 2);
  // As a moment, because time passes while the call is awaited.
  expect(Date.parse((await tried(who, 2)).call!.next_try_at!) - Date.parse(at)).toBeWithin(0, 1_001);
  // A short one does not bring it forward.
  receiver.answering = () => status(429, { "retry-after": "1" });
  service.clock.advance(2_702);
  await got(receiver, 3);
  expect(secondsTo((await tried(who, 3)).call!.next_try_at!)).toBeWithin(89, 151);
  receiver.answering = () => status(429, { "retry-after": "999999999" });
  service.clock.advance(151);
  await got(receiver, 4);
  await seenWebhook(url, who, ({ asleep }) => asleep);
  receiver.answering = () => undefined;
  service.clock.advance(86_401);
  await got(receiver, 5);
});

test("410 deletes the webhook, and the name finds a note", async () => {
  const { who, receiver } = await named(() => status(410));
  await mention(who);
  await got(receiver, 1);
  while ((await call("GET", `${url}/api/mailbox/webhook`, undefined, who.pair)).status !== 404)
    await Bun.sleep(1);
  expect((await notesOf(url, who)).at(-1)).toMatchObject({ kind: "name.webhook", how: "gone" });
  await mention(who);
  service.clock.advance(86_400);
  expect(receiver.calls.length).toBe(1);
});

test("410 to a test deletes the webhook, too", async () => {
  const { who, receiver } = await named(() => status(410));
  const tested = await call("POST", `${url}/api/mailbox/webhook/test`, undefined, who.pair);
  expect(tested.body).toMatchObject({ delivered: false, status: 410 });
  expect((await call("GET", `${url}/api/mailbox/webhook`, undefined, who.pair)).status).toBe(404);
  expect((await notesOf(url, who)).at(-1)).toMatchObject({ kind: "name.webhook", how: "gone" });
  await mention(who);
  service.clock.advance(86_400);
  expect(receiver.calls).toHaveLength(1);
});

test("a note of another kind causes no call, and is counted in the next one", async () => {
  const { who, receiver } = await named(undefined, { kinds: ["job.claimed"] });
  await mention(who);
  await seenNothing(who);
  expect(receiver.calls).toEqual([]);
  await claimJob(who);
  await got(receiver, 1);
  expect(receiver.calls[0]!.body.data).toMatchObject({
    unread: 2,
    kinds: { "room.mention": 1, "job.claimed": 1 },
    through: 2,
  });
});

test.each([
  ["room.mention", "room.reply"],
  ["room.reply", "room.mention"],
])(
  "a note of the kind %s causes a call, also if one of the kind %s comes after it in its room",
  async (kind, other) => {
    const { reply, mention } = inOneRoom(url);
    const notes: Record<string, (who: Holder) => Promise<void>> = {
      "room.reply": reply,
      "room.mention": mention,
    };
    const { who, receiver } = await named(undefined, { kinds: [kind] });
    await notes[kind]!(who);
    await got(receiver, 1);
    await seenWebhook(url, who, ({ call }) => call?.state === "called");
    // Within the pause.
    await notes[kind]!(who);
    await notes[other]!(who);
    service.clock.advance(5);
    await got(receiver, 2);
    expect(receiver.calls[1]!.body.data.through).toBe(3);
    await seenWebhook(url, who, ({ call }) => call?.state === "called");
    // What a call has covered causes no other.
    await notes[other]!(who);
    service.clock.advance(5);
    await seenNothing(who);
    // Nor does what was read.
    await notes[kind]!(who);
    await got(receiver, 3);
    await seenWebhook(url, who, ({ call }) => call?.state === "called");
    await notes[kind]!(who);
    await notes[other]!(who);
    await acknowledge(url, who, 6);
    service.clock.advance(5);
    await seenNothing(who);
    expect(receiver.calls.length).toBe(3);
  },
);

/**
 * Starts a name whose webhook is called for deliveries. Its first call, up to the note 2, has failed. Then the note 4, of another delivery, is
 * displaced by notes of another kind, which end with the note that is returned.
 */
async function withDisplacedNote() {
  const { who, receiver } = await named(() => status(500), { kinds: ["job.delivered"] });
  // A name holds few jobs at a time.
  const worker = await claim(url, `worker-of-${who.name}`);
  const claimJob = claiming(url, worker);
  const deliver = async () => {
    const { id } = await postJob(url, who);
    await callJob(url, worker, id, "claim");
    expect((await callJob(url, worker, id, "deliver", { result: "7" })).status).toBe(201);
  };
  await deliver();
  await got(receiver, 1);
  await tried(who, 1);
  await deliver();
  const last = mailbox_limits.notes_max + 4;
  const owner = canonicalName(who.name);
  await withStored(service.directory, async ({ run }) => {
    const copies = "WITH RECURSIVE copies (n) AS (SELECT 5 UNION ALL SELECT n + 1 FROM copies WHERE n < $1)";
    await run(
      `${copies} INSERT INTO notes (owner, seq, id, at, kind, content, room) ` +
        "SELECT owner, n, $2 || n, at, kind, content, room FROM notes, copies WHERE owner = $3 AND seq = 3",
      last - 1,
      `copy for ${owner} `,
      owner,
    );
    await run("UPDATE mailboxes SET last_seq = $1 WHERE owner = $2", last - 1, owner);
  });
  await claimJob(who);
  const left = "SELECT 1 FROM notes WHERE owner = $1 GROUP BY owner HAVING MIN(seq) = 5 AND MAX(seq) = $2";
  expect(await stored(service.directory, left, owner, last)).toHaveLength(1);
  return { who, receiver, claimJob, last };
}

test("a note of a chosen kind that others displace before its call causes one", async () => {
  const { who, receiver, claimJob, last } = await withDisplacedNote();
  receiver.answering = () => undefined;
  service.clock.advance(7);
  await got(receiver, 2);
  expect(receiver.calls[1]!.body.data.through).toBe(2);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.advance(5);
  await seenNothing(who);
  expect(receiver.calls.map(({ body }) => body.data.through)).toEqual([2, 2, last]);
  // What that call has covered causes no other when it is displaced, and what is cleared causes none.
  await claimJob(who);
  service.clock.advance(5);
  await seenNothing(who);
  await claimJob(who);
  await call("DELETE", `${url}/api/mailbox`, undefined, who.pair);
  await claimJob(who);
  service.clock.advance(5);
  await seenNothing(who);
  expect(receiver.calls.length).toBe(3);
});

test("notes that were read before they were displaced cause no call", async () => {
  const { who, receiver } = await withDisplacedNote();
  receiver.answering = () => undefined;
  await acknowledge(url, who, 4);
  service.clock.advance(7);
  await seenNothing(who);
  expect(receiver.calls.length).toBe(1);
});

/** A name whose webhook has failed once. The note was read before the next try, so nothing is due. */
async function withReadFailure() {
  const { who, receiver } = await named(() => status(500));
  await mention(who);
  await got(receiver, 1);
  await tried(who, 1);
  await acknowledge(url, who, 1);
  service.clock.advance(60);
  await seenNothing(who);
  return { who, receiver };
}

test("failures before notes were read count no more", async () => {
  const { who, receiver } = await withReadFailure();
  service.clock.advance(20 * 86_400);
  await mention(who);
  await got(receiver, 2);
  const { asleep, call } = await tried(who, 1);
  expect(asleep).toBe(false);
  expect(secondsTo(call!.next_try_at!)).toBeWithin(3, 7);
});

test("a test that succeeds quickly ends that a receiver counts as slow, also if nothing is due", async () => {
  const { who, receiver } = await withReadFailure();
  const is_slow = "SELECT 1 FROM webhooks WHERE owner = $1 AND slow = 1";
  const isSlow = async () => (await stored(service.directory, is_slow, canonicalName(who.name))).length > 0;
  expect(await isSlow()).toBe(true);
  const testing = () => post<WebhookTested>(`${url}/api/mailbox/webhook/test`, {}, who.pair);
  expect((await testing()).body.delivered).toBe(false);
  expect(await isSlow()).toBe(true);
  receiver.answering = () => undefined;
  expect((await testing()).body.delivered).toBe(true);
  expect(await isSlow()).toBe(false);
  await seenNothing(who);
  expect(receiver.calls.length).toBe(3);
});

test("a new call after one that failed and was read has pauses of its own", async () => {
  const { who, receiver } = await named(() => status(500));
  await mention(who);
  for (let tries = 1; tries <= 3; tries++) {
    await got(receiver, tries);
    service.clock.advance(secondsTo((await tried(who, tries)).call!.next_try_at!));
  }
  await got(receiver, 4);
  await tried(who, 4);
  await acknowledge(url, who, 1);
  // Before the next try.
  await mention(who);
  service.clock.advance(900);
  await got(receiver, 5);
  expect(receiver.calls[4]!.id).not.toBe(receiver.calls[3]!.id);
  expect(secondsTo((await tried(who, 1)).call!.next_try_at!)).toBeWithin(3, 7);
});

test("nothing is called for notes that were read before the next try, or cleared", async () => {
  const ends: ((who: Holder) => Promise<unknown>)[] = [
    (who) => acknowledge(url, who, 1),
    (who) => call("DELETE", `${url}/api/mailbox`, undefined, who.pair),
  ];
  for (const end of ends) {
    const { who, receiver } = await named(() => status(500));
    await mention(who);
    await got(receiver, 1);
    await tried(who, 1);
    expect((await end(who)) as { status: number }).toMatchObject({ status: 200 });
    expect((await readWebhook(url, who)).call!.state).toBe("read");
    service.clock.advance(60);
    await seenNothing(who);
    expect(receiver.calls.length).toBe(1);
    // What comes later is a call of its own.
    receiver.answering = () => undefined;
    await mention(who);
    await got(receiver, 2);
    expect(receiver.calls[1]!.id).not.toBe(receiver.calls[0]!.id);
    expect(receiver.calls[1]!.body.data).toMatchObject({ unread: 1, through: 2 });
  }
});

test("a call whose notes were read in part is repeated unchanged", async () => {
  const { who, receiver } = await named(undefined);
  await mention(who);
  await got(receiver, 1);
  await claimJob(who);
  await claimJob(who);
  receiver.answering = () => status(500);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.advance(5);
  await got(receiver, 2);
  await tried(who, 1);
  await acknowledge(url, who, 2);
  service.clock.advance(10);
  await got(receiver, 3);
  expect([receiver.calls[2]!.id, receiver.calls[2]!.text]).toEqual([
    receiver.calls[1]!.id,
    receiver.calls[1]!.text,
  ]);
});

test("a webhook that is replaced during a call ends the call, and its successor gets what is due", async () => {
  const ended = Promise.withResolvers<void>();
  const { who, receiver } = await named((_, request) => {
    request.signal.addEventListener("abort", () => ended.resolve());
    return new Promise(() => {});
  });
  await mention(who);
  await got(receiver, 1);
  const successor = startReceiver();
  receivers.push(successor);
  expect((await setWebhook(url, who, { url: successor.url })).status).toBe(200);
  await ended.promise;
  await got(successor, 1);
  expect(successor.calls[0]!.body.data.through).toBe(1);
  expect(successor.calls[0]!.id).not.toBe(receiver.calls[0]!.id);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.advance(3_600);
  expect([receiver.calls.length, successor.calls.length]).toEqual([1, 1]);
});

test("a call that failed before does not put off the first call of its successor", async () => {
  const { who, receiver } = await named(() => status(503, { "retry-after": "7200" }));
  await mention(who);
  await got(receiver, 1);
  await tried(who, 1);
  const successor = startReceiver();
  receivers.push(successor);
  await setWebhook(url, who, { url: successor.url });
  await got(successor, 1);
});

test("many notes during a call make one next call, at least five seconds later", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { who, receiver } = await named(() => promise);
  await mention(who);
  await got(receiver, 1);
  for (let i = 0; i < 50; i++) await mention(who);
  resolve(undefined);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.advance(4.99);
  expect(receiver.calls.length).toBe(1);
  service.clock.advance(0.01);
  await got(receiver, 2);
  expect(receiver.calls[1]!.body.data.through).toBe((await readMailbox(url, who)).next_since);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.advance(3_600);
  await seenNothing(who);
  expect(receiver.calls.length).toBe(2);
});

test("a machine that has slept makes the calls that became due meanwhile within a minute", async () => {
  const { who, receiver } = await named(() => status(503, { "retry-after": "7200" }));
  await mention(who);
  await got(receiver, 1);
  await tried(who, 1);
  service.clock.sleep(7_200);
  receiver.answering = () => undefined;
  service.clock.advance(61);
  await got(receiver, 2);
});

test("a clock that was a day ahead delays no call after it was set right", async () => {
  const { who, receiver } = await named();
  const watcher = await claim(url, "watcher");
  const now = service.clock.now();
  service.clock.set(new Date(now + 86_400_000).toISOString());
  // The service takes over what the clock says once it has said so for ten minutes.
  const adopted = async () => {
    const isAdopted = async () =>
      Math.abs(Date.parse((await notesOf(url, watcher)).at(-1)!.at) - service.clock.now()) < 60_000;
    for (await mention(watcher); !(await isAdopted()); await mention(watcher)) service.clock.advance(60);
  };
  await adopted();
  await mention(who);
  await got(receiver, 1);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  service.clock.set(new Date(now).toISOString());
  await adopted();
  await mention(who);
  await got(receiver, 2);
});

test("setting the clock changes no pause", async () => {
  const { who, receiver } = await named(() => status(503, { "retry-after": "600" }));
  const now = service.clock.now();
  await mention(who);
  await got(receiver, 1);
  await tried(who, 1);
  receiver.answering = () => undefined;
  for (const days of [400, -400]) {
    service.clock.set(new Date(now + days * 86_400_000).toISOString());
    service.clock.advance(200);
    await readWebhook(url, who);
    expect(receiver.calls.length).toBe(1);
  }
  service.clock.set(new Date(now + 400_000).toISOString());
  service.clock.advance(200);
  await got(receiver, 2);
});
