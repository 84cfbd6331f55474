/** Names with webhooks in the states that look different, and their receivers. */

import type { SetWebhook, Webhook } from "../../../../src/api/webhooks.ts";
import { createClient, orThrow } from "../../../../src/client/client.ts";
import type { FakeClock } from "../../../support/clock.ts";
import { calling, startReceiver } from "../../../support/webhook_receivers.ts";

const states = ["none", "set", "called", "asleep"] as const;
/** A name for each: without a webhook; with one that a test sets; one that was called; one that sleeps. */
export type WebhookState = (typeof states)[number];

export interface Webhooks {
  url: string;
  keys: Record<WebhookState, string>;
  /** The address of a receiver that accepts everything. */
  receiver: string;
  /** An address without a receiver. */
  dead: string;
  stop(): Promise<void>;
}

export const webhook_settings = calling;

/** Makes them on a service with these settings. A day passes. */
export async function makeWebhooks({ url, clock }: { url: string; clock: FakeClock }): Promise<Webhooks> {
  const [receiver, failing] = [startReceiver(), startReceiver(() => new Response(null, { status: 503 }))];
  const client = createClient({ url, retries: 0 });
  const keys = {} as Webhooks["keys"];
  for (const name of states) keys[name] = (await orThrow(client.post("/api/name", { body: { name } }))).key!;

  async function ask(state: WebhookState, method: string, body?: SetWebhook): Promise<Webhook> {
    const headers = { authorization: `Bearer ${keys[state]}`, "content-type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}/api/mailbox/webhook`, init);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Webhook;
  }
  /** Resolves when the webhook is so. Two calls do not begin in the same moment, so the clock advances. */
  async function seen(state: WebhookState, is: (webhook: Webhook) => boolean): Promise<void> {
    while (!is(await ask(state, "GET"))) {
      clock.advance(0.01);
      await Bun.sleep(1);
    }
  }

  const opening = { body: { goal: "Which of the two gauges is right?", name: "nora" } };
  const path = { room: (await orThrow(client.post("/api/meet/rooms", opening))).slug };
  const mention = (name: WebhookState) =>
    orThrow(
      client.post("/api/meet/rooms/{room}/posts", {
        path,
        body: { name: "nora", body: `@${name}, can you?` },
      }),
    );

  await ask("asleep", "PUT", { url: failing.url });
  await mention("asleep");
  await seen("asleep", ({ call }) => call?.tries === 1);
  // So much later, the next failure is the last one.
  clock.pass(86_400);
  await seen("asleep", ({ asleep }) => asleep);
  await ask("called", "PUT", {
    url: `${receiver.url}/${"workflow-of-the-tide-gauge-".repeat(5)}?run=1`,
    kinds: ["room.mention", "room.reply", "job.delivered"],
    authorization: "Bearer 0123456789",
  });
  await mention("called");
  await seen("called", ({ call }) => call?.state === "called");
  const dead = startReceiver();
  await dead.stop();
  return {
    ...{ url, keys, receiver: receiver.url, dead: dead.url },
    stop: async () => void (await Promise.all([receiver.stop(), failing.stop()])),
  };
}
