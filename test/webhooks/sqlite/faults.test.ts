/** Calls of webhooks beside a storage that is slow, fails, or does not know what has changed: one of SQLite, with faults. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStorage, type AppStorage } from "../../../src/app/storage.ts";
import type { ChangeListener } from "../../../src/core/storage.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { stored } from "../../support/stored.ts";
import { mentioning, seenWebhook, setWebhook } from "../../support/webhook_names.ts";
import { calling, startReceiver, type Receiver } from "../../support/webhook_receivers.ts";

/** The first reading of webhooks after this waits until it resolves, with what it has read. */
let hold: { seen: () => void; released: Promise<void> } | undefined;
/** The commands that fail, and how often. */
let failing: Record<string, number>;
let listeners: ChangeListener[];

/** The storage of the service, with faults. */
async function faulty(storage: AppStorage): Promise<AppStorage> {
  const { read, write, onChange } = storage;
  storage.read = async (query) => {
    const result = await read.call(storage, query);
    if (hold && isReading(result)) {
      const { seen, released } = hold;
      hold = undefined;
      seen();
      await released;
    }
    return result as never;
  };
  storage.write = (async (name: string, input: never, call: never) => {
    if ((failing[name] ?? 0) > 0) {
      failing[name]!--;
      throw new Error("The disk is on holiday.");
    }
    return write.call(storage, name as never, input, call);
  }) as typeof write;
  storage.onChange = (phase, listener) => {
    listeners.push(listener);
    onChange.call(storage, phase, listener);
  };
  return storage;
}

/** Whether this was read of a webhook to know what is due. */
const isReading = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "due" in result;

let service: SourceService;
let url: string;
let who: Holder;
let receiver: Receiver;
let mention: (who: Holder) => Promise<void>;
beforeEach(async () => {
  [hold, failing, listeners] = [undefined, {}, []];
  const open = async (...given: Parameters<typeof openStorage>) => faulty(await openStorage(...given));
  service = await startSource(calling, undefined, undefined, open);
  url = service.url;
  mention = await mentioning(url);
  who = await claim(url, "ada");
  receiver = startReceiver();
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

async function got(calls: number, seconds = 0.01): Promise<void> {
  while (receiver.calls.length < calls) {
    service.clock.advance(seconds);
    await Bun.sleep(1);
  }
  expect(receiver.calls.length).toBe(calls);
}

test("a note that comes while the new webhook is read is not missed", async () => {
  const [seen, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = { seen: seen.resolve, released: released.promise };
  await setWebhook(url, who, { url: receiver.url });
  await seen.promise;
  await mention(who);
  released.resolve();
  await got(1);
});

test("what is due is called after the storage has failed, and a call whose end was not stored is repeated unchanged", async () => {
  await setWebhook(url, who, { url: receiver.url });
  failing = { "webhooks.begin": 3, "webhooks.end": 2 };
  await mention(who);
  await got(3, 5);
  await seenWebhook(url, who, ({ call }) => call?.state === "called");
  expect(new Set(receiver.calls.map(({ id }) => id)).size).toBe(1);
  expect(new Set(receiver.calls.map(({ text }) => text)).size).toBe(1);
});

test("a call ends if its webhook was deleted while the storage did not know what changes", async () => {
  const ended = Promise.withResolvers<void>();
  receiver.answering = (_, request) => {
    request.signal.addEventListener("abort", () => ended.resolve());
    return new Promise(() => {});
  };
  await setWebhook(url, who, { url: receiver.url });
  await mention(who);
  await got(1);
  await stored(service.directory, "DELETE FROM webhook_calls");
  await stored(service.directory, "DELETE FROM webhooks");
  for (const listener of listeners) void listener(null);
  await ended.promise;
});
