/**
 * Makes the calls of webhooks. What is due follows from what is stored: the notes of a mailbox beyond those that a call has told of. So a
 * note costs nothing but the look whether its owner has a webhook, and a crash loses no call.
 */

import { isoTime, type ServiceClock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { errorText, type Log } from "../core/log.ts";
import type { Meter } from "../core/meter.ts";
import type { Random } from "../core/random.ts";
import { CallQueue, type Waiting } from "./call_queue.ts";
import { KnownWebhooks } from "./known_webhooks.ts";
import { reportCalls } from "./metrics.ts";
import { createCallerNode } from "./caller_node.ts";
import { webhook_topic, type Begun } from "./commands.ts";
import type { WebhookCommands } from "./feature.ts";
import { webhook_internal_limits } from "./limits.ts";
import type { Receivers } from "./receiver.ts";
import * as store from "./store.ts";

const {
  look_every_ms,
  planned_seconds_max,
  quick_seconds_max,
  start_every_ms,
  storage_retry_seconds,
  webhooks_per_slice,
} = webhook_internal_limits;

export interface DeliveryDeps {
  storage: FeatureStorage<WebhookCommands>;
  has_nodes: boolean;
  /** What the topics of mailboxes begin with, before the owner. */
  mailbox_topic: string;
  receivers: Pick<Receivers, "call">;
  clock: ServiceClock;
  random: Random;
  log: Log;
  meter: Meter;
  /** The base URL of the service. */
  base(): string;
}

export function createDelivery({
  storage,
  receivers,
  clock,
  random,
  log,
  meter,
  base,
  mailbox_topic,
  ...deps
}: DeliveryDeps) {
  const known = new KnownWebhooks({ storage, clock, onRead, onEnd });
  const queue = new CallQueue();
  const under_way = new Map<string, AbortController>();
  /** Names that got a note while their webhook was under way. */
  const again = new Set<string>();
  let is_caller = false;
  let cancelStart: (() => void) | undefined;
  let cancelTimer = () => {};
  /** The steady time at which what is planned is looked for. */
  let wakes_at_ms = Infinity;
  /** The look that is under way. */
  let looking: object | null = null;
  /** The steady time before which it is not looked for again: of many, each may be planned for a moment of its own. */
  let looks_again_ms = -Infinity;

  const calls = reportCalls(meter, storage, clock);

  /** Runs work in the background. After a failure of the storage, `repeat` runs later; the same work if absent. */
  async function inBackground(
    work: () => Promise<unknown>,
    repeat: () => unknown = () => inBackground(work),
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!is_caller) return;
      log.warn("webhooks.storage_failed", { error: errorText(error) });
      clock.after(storage_retry_seconds * 1000, () => {
        if (is_caller) repeat();
      });
    }
  }

  /** Queues a webhook for which something may be due, unless it is planned for later. */
  function enqueue(owner: string): void {
    const one = known.get(owner);
    if (!one || one.next_ms > clock.steady()) return;
    if (under_way.has(owner)) again.add(owner);
    else queue.add(one);
    startNext();
  }

  /** Begins calls at intervals, as long as some may be made. */
  function startNext(): void {
    if (cancelStart || !is_caller) return;
    const one = queue.next();
    if (!one) return;
    void inBackground(
      () => work(one),
      () => enqueue(one.owner),
    );
    cancelStart = clock.after(start_every_ms, () => {
      cancelStart = undefined;
      startNext();
    });
  }

  /** Makes the call that is due for a webhook, if there is one. */
  async function work(one: Waiting): Promise<void> {
    const { owner } = one;
    const ending = new AbortController();
    under_way.set(owner, ending);
    const cancelLate = clock.after(quick_seconds_max * 1000, () => {
      queue.late(one);
      startNext();
    });
    const isOver = () => under_way.get(owner) !== ending;
    let next_at: string | null = null;
    try {
      const call_id = `msg_${random.uuid(clock.now())}`;
      const input = { canonical: owner, node: caller_node.node, call_id, base: base(), ...clock.moment() };
      const begun = (await storage.write("webhooks.begin", input)).result;
      if (begun === null) throw new Error("Another node makes the calls.");
      next_at = begun.call ? await made(owner, begun.call, ending.signal) : begun.next_at;
      if (isOver()) return;
      planFor(owner, next_at);
    } finally {
      cancelLate();
      if (!isOver()) under_way.delete(owner);
      queue.done(one);
      if (is_caller) startNext();
    }
    if (again.delete(owner)) enqueue(owner);
  }

  /** Makes a call and stores how it ended. Returns when the webhook is looked at again. */
  async function made(
    owner: string,
    { webhook, ...begun }: Begun,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (signal.aborted) return null;
    const result = await receivers.call({ webhook, ...begun }, signal).catch((error: unknown): null => {
      if (signal.aborted) return null;
      throw error;
    });
    if (result === null) return null;
    calls.count(result.is_accepted ? "accepted" : result.because);
    known.change(owner, { is_slow: result.is_slow || !result.is_accepted });
    const chance = random.bytes(1)[0]! / 255;
    const note_id = random.uuid(clock.now());
    const ended = { canonical: owner, webhook, call: begun.id, result, chance, note_id, ...clock.moment() };
    return (await storage.write("webhooks.end", ended)).result;
  }

  /** Plans the next look at a webhook. */
  function planFor(owner: string, next_at: string | null): void {
    const next_ms = next_at === null ? 0 : Date.parse(next_at);
    known.change(owner, { next_ms });
    if (next_at !== null && known.get(owner)) plan(next_ms);
  }

  /** Plans a look at all that is due at this steady time, unless an earlier one is planned. */
  function plan(at_ms: number): void {
    if (!is_caller || at_ms >= wakes_at_ms) return;
    wakes_at_ms = at_ms;
    if (looking) return;
    cancelTimer();
    const left_ms = Math.max(at_ms, looks_again_ms) - clock.steady();
    const wait_ms = Math.min(Math.max(left_ms, 0), planned_seconds_max * 1000);
    cancelTimer = clock.after(wait_ms, () => {
      wakes_at_ms = Infinity;
      if (at_ms > clock.steady()) plan(at_ms);
      else void inBackground(lookForPlanned);
    });
  }

  /** Queues what is planned for now, and plans the next look. */
  async function lookForPlanned(): Promise<void> {
    const look = {};
    looking = look;
    let next_ms: number;
    try {
      next_ms = await enqueuePlanned();
      if (looking !== look) return;
    } finally {
      if (looking === look) looking = null;
    }
    looks_again_ms = clock.steady() + look_every_ms;
    // Others were planned meanwhile.
    next_ms = Math.min(next_ms, wakes_at_ms);
    wakes_at_ms = Infinity;
    plan(next_ms);
  }

  /** Queues what is planned for now. Returns the steady time for which the next is planned; Infinity if none is. */
  async function enqueuePlanned(): Promise<number> {
    const now = isoTime(clock.steady());
    for (let after = ""; ;) {
      const from = after;
      const due = await storage.read((tx) => store.plannedAfter(tx, now, from, webhooks_per_slice));
      for (const { owner } of due) enqueue(owner);
      if (due.length < webhooks_per_slice) break;
      after = due.at(-1)!.owner;
      await clock.turn();
    }
    const next = await storage.read((tx) => store.nextPlanned(tx, now));
    return next === null ? Infinity : Date.parse(next);
  }

  function onRead(owner: string, next_at: string | null, is_due: boolean): void {
    planFor(owner, next_at);
    if (is_due) enqueue(owner);
  }

  function onEnd(owner: string): void {
    under_way.get(owner)?.abort();
    under_way.delete(owner);
    again.delete(owner);
    queue.remove(owner);
  }

  function onChange(topic: string | null): void {
    if (!is_caller) return;
    if (topic === null) void inBackground(known.readAll);
    else if (topic.startsWith(mailbox_topic)) {
      const owner = topic.slice(mailbox_topic.length);
      known.note(owner);
      enqueue(owner);
    } else if (topic.startsWith(webhook_topic)) {
      // It was set, woken or deleted.
      const owner = topic.slice(webhook_topic.length);
      onEnd(owner);
      void inBackground(() => known.read(owner));
    }
  }
  storage.onChange("notify", onChange);

  function endAll(): void {
    for (const ending of under_way.values()) ending.abort();
    under_way.clear();
    again.clear();
    queue.clear();
    known.clear();
    cancelStart?.();
    cancelStart = undefined;
    cancelTimer();
    wakes_at_ms = Infinity;
    looking = null;
  }

  const caller_node = createCallerNode({
    ...{ storage, clock, random, log, ...deps },
    onChange(caller) {
      is_caller = caller;
      if (caller) void inBackground(known.readAll);
      else endAll();
    },
  });

  return { start: caller_node.start, close: caller_node.close };
}
