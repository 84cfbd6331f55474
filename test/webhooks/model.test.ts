/**
 * Random notes, reads, failures, restarts and changes of webhooks: each note is covered by a call that its receiver accepts, unless it was
 * read or the webhook has ended. WHARF_TEST_OPERATIONS: how many steps.
 */

import { afterAll, expect, test } from "bun:test";
import { FakeClock } from "../support/clock.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";
import {
  acknowledge,
  endWebhook,
  mentioning,
  inOneRoom,
  readWebhook,
  setWebhook,
} from "../support/webhook_names.ts";
import { calling, startReceiver, type ReceivedCall, type Receiver } from "../support/webhook_receivers.ts";

const steps = Number(process.env.WHARF_TEST_OPERATIONS ?? 250);
const names_count = 4;
const kinds_of_notes = ["room.mention", "room.reply"] as const;
type Kind = (typeof kinds_of_notes)[number];

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

/** What makes notes of each kind. Some fold into a note of the other kind, which comes later in the same room. */
async function makersOf(url: string): Promise<Record<Kind, ((who: Holder) => Promise<void>)[]>> {
  const { reply, mention } = inOneRoom(url);
  return { "room.mention": [await mentioning(url), mention], "room.reply": [reply] };
}

/** A name, and what has to happen for it. */
interface Called {
  who: Holder;
  receiver: Receiver;
  /** The kinds that cause calls; null: it has no webhook. */
  kinds: readonly Kind[] | null;
  /** The latest note of each kind that a call has to cover. */
  wanted: Map<Kind, number>;
  read: number;
  under_way: { signal: AbortSignal; is_answered: boolean }[];
  /** No other call of the webhook comes before. */
  paused_until_ms: number;
  /** A call of this second or before may be of the webhook before, or of a service that has stopped: then it pauses nothing. */
  changed_seconds: number;
}

test(`${steps} random steps: each note is covered by an accepted call, or was read, or the webhook has ended`, async () => {
  const { seed, below, oneOf } = testRandom("notes and webhooks");
  const clock = new FakeClock();
  let starts = seed % 1_000_000;
  const start = () => startSource({ ...calling, data_dir: directory }, clock, ++starts);
  let service = await start();
  const bodies = new Map<string, string>();
  /** Out of a hundred calls, so many fail. */
  let failing = 0;

  /** What must not happen. A failure in a receiver would be an answer like others. */
  const faults: string[] = [];

  async function answer(one: Called, call: ReceivedCall, { signal }: Request): Promise<Response | undefined> {
    if ((bodies.get(call.id) ?? call.text) !== call.text) faults.push(`${call.id} has two bodies`);
    if (!bodies.has(call.id) && clock.now() < one.paused_until_ms) faults.push(`${call.id} is too early`);
    bodies.set(call.id, call.text);
    const beside = one.under_way.filter((other) => !other.signal.aborted);
    const present = { signal, is_answered: false };
    one.under_way = [...beside, present];
    if (below(4) === 0) await Bun.sleep(below(5));
    if (signal.aborted) return undefined;
    present.is_answered = true;
    one.under_way = one.under_way.filter((other) => other !== present);
    if (beside.some((other) => other.is_answered)) faults.push(`${call.id} was made beside another`);
    if (below(100) < failing) return new Response(null, { status: oneOf([500, 404, 302]) });
    if (Number(call.headers.get("webhook-timestamp")) > one.changed_seconds)
      one.paused_until_ms = clock.now() + 5_000;
    for (const [kind, seq] of one.wanted) if (seq <= call.body.data.through) one.wanted.delete(kind);
    return undefined;
  }

  const all: Called[] = [];
  for (let i = 0; i < names_count; i++) {
    const who = await claim(service.url, `agent-${"abcdefgh"[i]}`);
    const one: Called = {
      ...{ who, receiver: startReceiver(), kinds: null, wanted: new Map() },
      ...{ read: 0, under_way: [], paused_until_ms: 0, changed_seconds: 0 },
    };
    one.receiver.answering = (call, request) => answer(one, call, request);
    all.push(one);
  }
  const seconds = () => Math.floor(clock.now() / 1000);
  const latestOf = async ({ who }: Called) =>
    (await readMailbox(service.url, who, "?since=999999999")).next_since;

  let makers = await makersOf(service.url);
  async function note(one: Called): Promise<void> {
    const kind = oneOf(kinds_of_notes);
    // The call may be accepted before the answer to this comes.
    const wants = one.kinds?.includes(kind) === true;
    const before = await latestOf(one);
    if (wants) one.wanted.set(kind, before + 1);
    await oneOf(makers[kind])(one.who);
  }
  async function set(one: Called): Promise<void> {
    const kinds = oneOf([kinds_of_notes, ["room.mention"], ["room.reply"]] as (readonly Kind[])[]);
    // What none of its kinds caused needs no call any more.
    for (const kind of [...one.wanted.keys()]) if (!kinds.includes(kind)) one.wanted.delete(kind);
    [one.paused_until_ms, one.changed_seconds] = [0, seconds()];
    const { status } = await setWebhook(service.url, one.who, { url: one.receiver.url, kinds });
    expect(status).toBe(200);
    one.kinds = kinds;
  }
  async function read(one: Called): Promise<void> {
    const latest = await latestOf(one);
    if (latest === 0) return;
    one.read = Math.max(one.read, 1 + below(latest));
    await acknowledge(service.url, one.who, one.read);
    for (const [kind, seq] of one.wanted) if (seq <= one.read) one.wanted.delete(kind);
  }
  async function end(one: Called): Promise<void> {
    const { status } = await endWebhook(service.url, one.who);
    expect(status).toBe(one.kinds ? 200 : 404);
    one.kinds = null;
    one.wanted.clear();
  }
  async function restart(): Promise<void> {
    for (const one of all) {
      one.changed_seconds = seconds();
      // That a receiver has accepted a call may not be stored.
      if ((await readWebhook(service.url, one.who)).call?.called_at === undefined) one.paused_until_ms = 0;
    }
    await service.stop();
    service = await start();
    makers = await makersOf(service.url);
  }
  const pass = async () => clock.advance(oneOf([0.01, 1, 5, 5, 60, 600, 7_200, 40_000]));
  const fail = async () => void (failing = oneOf([0, 0, 30, 100]));

  const choices: [weight: number, run: (one: Called) => Promise<unknown>][] = [
    [30, note],
    [30, pass],
    [10, set],
    [8, read],
    [6, fail],
    [3, end],
    [2, restart],
  ];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  for (let step = 0; step < steps; step++) {
    let at = below(total);
    const [, run] = choices.find(([weight]) => (at -= weight) < 0)!;
    await run(oneOf(all));
    clock.advance(0.01);
    if (below(3) > 0) await Bun.sleep(below(4));
  }

  failing = 0;
  // However few calls the steps had time for, each name gets one at the end.
  for (const one of all) {
    await set(one);
    while (one.wanted.size === 0) await note(one);
  }
  while (all.some(({ wanted }) => wanted.size > 0)) {
    clock.advance(600);
    // A node that makes calls renews its lease meanwhile.
    for (let i = 0; i < 20; i++) {
      clock.advance(0.2);
      await Bun.sleep(2);
    }
  }
  expect(faults).toEqual([]);
  for (const { receiver } of all) expect(receiver.calls.length).toBeGreaterThan(0);
  await service.stop();
  await Promise.all(all.map(({ receiver }) => receiver.stop()));
}, 120_000);
