/** Names with webhooks for tests: their settings, their notes, and what the service shows of their calls. */

import { expect } from "bun:test";
import type { Webhook, WebhookSet } from "../../src/api/webhooks.ts";
import { call, get, post, type Answer } from "./http.ts";
import { postJob } from "./jobs.ts";
import type { Holder } from "./names.ts";
import { open } from "./rooms.ts";

const path = "/api/mailbox/webhook";

export const setWebhook = (url: string, who: Holder, body: object): Promise<Answer<WebhookSet>> =>
  call<WebhookSet>("PUT", url + path, body, who.pair);

export const endWebhook = (url: string, who: Holder) => call("DELETE", url + path, undefined, who.pair);

export const readWebhook = async (url: string, who: Holder): Promise<Webhook> =>
  (await get<Webhook>(url + path, who.pair)).body;

/** Resolves when the name sees its webhook so. */
export async function seenWebhook(
  url: string,
  who: Holder,
  isSo: (webhook: Webhook) => boolean,
): Promise<Webhook> {
  for (;;) {
    const webhook = await readWebhook(url, who);
    if (isSo(webhook)) return webhook;
    await Bun.sleep(1);
  }
}

export const acknowledge = (url: string, who: Holder, through: number) =>
  post(`${url}/api/mailbox/ack`, { through }, who.pair);

/** A function that makes a note of the kind `room.mention` in the mailbox of any name. */
export async function mentioning(url: string): Promise<(who: Holder) => Promise<void>> {
  const { api } = await open(url, "Who is called?");
  return async (who) => {
    const { status } = await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
    expect(status).toBe(201);
  };
}

/** A function that makes a note of the kind `job.claimed` in the mailbox of a name. */
export function claiming(url: string, worker: Holder): (who: Holder) => Promise<void> {
  return async (who) => {
    const { id } = await postJob(url, who);
    expect((await post(`${url}/api/jobs/${id}/claim`, undefined, worker.pair)).status).toBe(200);
  };
}

/**
 * A function that makes a note of the kind `room.reply` in the mailbox of a name, and one that mentions it in the same room: the mailbox
 * folds both into one note, whose kind is that of the latest.
 */
export function inOneRoom(url: string): Record<"reply" | "mention", (who: Holder) => Promise<void>> {
  const posts = new Map<string, { api: string; id: string }>();
  async function answer(who: Holder, postTo: (question: string) => object): Promise<void> {
    if (!posts.has(who.name)) {
      const { api } = await open(url, "Who is answered?");
      const question = await post<{ id: string }>(`${api}/posts`, { name: who.name, body: "And?" }, who.pair);
      posts.set(who.name, { api, id: question.body.id });
    }
    const { api, id } = posts.get(who.name)!;
    expect((await post(`${api}/posts`, { name: "stranger", ...postTo(id) })).status).toBe(201);
  }
  return {
    reply: (who) => answer(who, (in_reply_to) => ({ body: "So.", in_reply_to })),
    mention: (who) => answer(who, () => ({ body: `@${who.name} hello` })),
  };
}
