/** The official libraries of Standard Webhooks verify every call of the service, and refuse others. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { Webhook, WebhookSet, WebhookTested } from "../../../src/api/webhooks.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, get, post } from "../../support/http.ts";
import {
  libraries,
  startLibraryReceiver,
  type LibraryReceiver,
  type VerifiedCall,
} from "../../support/library_receivers.ts";
import { claim, type Holder } from "../../support/names.ts";
import { install_timeout_ms } from "../../support/python.ts";
import { open } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { calling } from "../../support/webhook_receivers.ts";

/** A service whose clock is `seconds` away from that of the receivers, which is that of the machine. */
const serviceAt = (seconds: number): Promise<SourceService> =>
  startSource(
    { ...calling, rooms_per_hour_by_address: 1_000 },
    new FakeClock(new Date(Date.now() + seconds * 1000).toISOString()),
  );

const webhookOf = (service: SourceService) => `${service.url}/api/mailbox/webhook`;

async function set(service: SourceService, who: Holder, { url }: LibraryReceiver): Promise<string> {
  const { status, body } = await call<WebhookSet>("PUT", webhookOf(service), { url }, who.pair);
  expect(status).toBe(200);
  return body.secret;
}

async function mention(service: SourceService, who: Holder): Promise<void> {
  const { api } = await open(service.url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
}

const testing = async (service: SourceService, who: Holder) =>
  (await post<WebhookTested>(`${webhookOf(service)}/test`, {}, who.pair)).body;

/** Resolves with the webhook once `is_so` of it. */
async function seen(service: SourceService, who: Holder, isSo: (webhook: Webhook) => boolean) {
  for (;;) {
    const { body } = await get<Webhook>(webhookOf(service), who.pair);
    if (isSo(body)) return body;
    await Bun.sleep(1);
  }
}

/** The next call that a receiver gets. Two calls do not begin in the same moment, so the clock advances. */
async function nextOf({ clock }: SourceService, receiver: LibraryReceiver): Promise<VerifiedCall> {
  const next = receiver.next();
  for (;;) {
    clock.advance(0.01);
    const got = await Promise.race([next, Bun.sleep(1)]);
    if (got) return got;
  }
}

const typeOf = ({ body }: VerifiedCall) => (JSON.parse(body) as { type: string }).type;

/** A signature of this id, time and body, computed by this test. */
const signatureOf = (secret: string, id: string, time: string, body: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${time}.${body}`)
    .digest("base64")}`;

describe.each(Object.entries(libraries))("%s", (_, { is_missing, install }) => {
  const directory = newDirectory();
  let command: string[];
  let service: SourceService;
  let receiver: LibraryReceiver;
  let claimed = 0;
  beforeAll(async () => {
    if (is_missing) return;
    command = install(directory);
    receiver = await startLibraryReceiver(command);
    service = await serviceAt(0);
  }, install_timeout_ms);
  afterAll(async () => {
    await receiver?.stop();
    await service?.stop();
    removeDirectory(directory);
  });

  const somebody = (at = service) => claim(at.url, `Zoë-${++claimed}`);

  /** Sends a call to the receiver. Returns the status of its answer. */
  async function send(sent: Omit<VerifiedCall, "verified">): Promise<number> {
    const headers = Object.fromEntries(
      Object.entries(sent.headers).filter(([name]) => /^(webhook-|content-type)/.test(name)),
    );
    const { status } = await fetch(receiver.url, { method: "POST", headers, body: sent.body });
    await receiver.next();
    return status;
  }

  /** A call of a new webhook, and its secret. */
  async function captured(): Promise<{ secret: string; sent: VerifiedCall }> {
    const who = await somebody();
    await receiver.become({ secrets: [] });
    const secret = await set(service, who, receiver);
    await receiver.next();
    await receiver.become({ secrets: [secret] });
    expect(await testing(service, who)).toEqual({ delivered: true, status: 200 });
    return { secret, sent: await receiver.next() };
  }

  test.skipIf(is_missing)("verifies the challenge, tests, calls and their repetitions", async () => {
    const who = await somebody();
    await receiver.become({ secrets: [] });
    const secret = await set(service, who, receiver);
    const challenge = await receiver.next();
    expect(typeOf(challenge)).toBe("verification");
    // Its secret came after it.
    await receiver.become({ secrets: [secret] });
    expect(await send(challenge)).toBe(200);

    await testing(service, who);
    expect(await receiver.next()).toMatchObject({ verified: [true], body: expect.stringMatching("test") });

    await receiver.become({ secrets: [secret], failing: true });
    await mention(service, who);
    const first = await nextOf(service, receiver);
    for (let tries = 1; tries <= 3; tries++) {
      const { call } = await seen(service, who, (webhook) => webhook.call?.tries === tries);
      expect(call).toMatchObject({ failed: { because: "status", status: 503 } });
      // Together less than the libraries accept.
      service.clock.advance((Date.parse(call!.next_try_at!) - service.clock.now()) / 1000);
      const again = await nextOf(service, receiver);
      expect([again.verified, again.body]).toEqual([[true], first.body]);
      expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"]!);
    }
    expect(first.verified).toEqual([true]);
    expect(typeOf(first)).toBe("mailbox.unread");
  });

  test.skipIf(is_missing)(
    "verifies calls with the old and the new secret while one replaces the other",
    async () => {
      const who = await somebody();
      await receiver.become({ secrets: [] });
      const old_secret = await set(service, who, receiver);
      await receiver.next();
      await receiver.become({ secrets: [old_secret] });
      const new_secret = await set(service, who, receiver);
      expect(await receiver.next()).toMatchObject({ verified: [true] });

      await receiver.become({ secrets: [old_secret, new_secret] });
      await testing(service, who);
      const during = await receiver.next();
      expect(during.verified).toEqual([true, true]);
      expect(during.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    },
  );

  test.skipIf(is_missing)("refuses whatever differs from a call that the service has sent", async () => {
    const { secret, sent } = await captured();
    const { headers, body } = sent;
    const {
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": signature,
    } = headers as Record<`webhook-${"id" | "timestamp" | "signature"}`, string>;
    const other_secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const changed = (header: string, value: string) => ({ headers: { ...headers, [header]: value }, body });
    const { [`webhook-signature`]: _, ...unsigned } = headers;
    const altered = {
      body: { headers, body: body.replace("test", "Test") },
      "body with a space more": { headers, body: `${body} ` },
      id: changed("webhook-id", `${id}0`),
      time: changed("webhook-timestamp", String(Number(time) + 1)),
      signature: changed(
        "webhook-signature",
        signature.replace(/^v1,./, (start) => (start.endsWith("A") ? "v1,B" : "v1,A")),
      ),
      "empty signature": changed("webhook-signature", "v1,"),
      "no version": changed("webhook-signature", signature.slice("v1,".length)),
      "unknown version": changed("webhook-signature", signature.replace("v1,", "v9,")),
      "asymmetric version": changed("webhook-signature", signature.replace("v1,", "v1a,")),
      "no signature": { headers: unsigned, body },
      "signature of another secret": changed("webhook-signature", signatureOf(other_secret, id, time, body)),
    };
    for (const [what, call] of Object.entries(altered)) expect([what, await send(call)]).toEqual([what, 401]);
    expect(signature).toBe(signatureOf(secret, id, time, body));
    expect(await send(sent)).toBe(200);
  });

  test.skipIf(is_missing)("refuses times that are more than five minutes away", async () => {
    const { secret, sent } = await captured();
    const id = sent.headers["webhook-id"]!;
    const statusAt = (seconds: number) => {
      const time = String(Math.floor(Date.now() / 1000) + seconds);
      const signature = signatureOf(secret, id, time, sent.body);
      const headers = { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature };
      return send({ headers, body: sent.body });
    };
    expect(await statusAt(-310)).toBe(401);
    expect(await statusAt(-280)).toBe(200);
    expect(await statusAt(280)).toBe(200);
    expect(await statusAt(310)).toBe(401);
  });

  test.skipIf(is_missing)(
    "accepts the same call again within five minutes, so receivers have to remember ids",
    async () => {
      const { sent } = await captured();
      expect([await send(sent), await send(sent)]).toEqual([200, 200]);
    },
  );

  // On a busy machine the future comes nearer until the call is verified.
  test.skipIf(is_missing).each([-310, 400])(
    "refuses a call that was signed %i seconds away from now, and its name sees why",
    async (seconds) => {
      const away = await serviceAt(seconds);
      const who = await somebody(away);
      await receiver.become({ secrets: [] });
      const secret = await set(away, who, receiver);
      await receiver.next();
      await receiver.become({ secrets: [secret] });
      expect(await testing(away, who)).toEqual({ delivered: false, status: 401, because: "status" });
      expect((await receiver.next()).verified).toEqual([false]);
      await away.stop();
    },
  );
});
