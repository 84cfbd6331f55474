/** The requests of webhooks: their form, their signatures, and when they are repeated. */

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Webhook, WebhookSet } from "../../src/api/webhooks.ts";
import { retryAfter } from "../../src/webhooks/receiver.ts";
import {
  answering,
  honest,
  startRawReceiver,
  type RawReceiver,
  type RawRequest,
} from "../support/hostile_receivers.ts";
import { call, get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { calling } from "../support/webhook_receivers.ts";

let service: SourceService;
const receivers: RawReceiver[] = [];
let claimed = 0;
beforeAll(async () => {
  service = await startSource(calling);
});
afterAll(async () => {
  await service.stop();
  for (const receiver of receivers) receiver.stop();
});

const path = () => `${service.url}/api/mailbox/webhook`;
async function started(): Promise<{ who: Holder; receiver: RawReceiver }> {
  const receiver = await startRawReceiver(honest);
  receivers.push(receiver);
  return { who: await claim(service.url, `agent-${++claimed}`), receiver };
}
const set = async (who: Holder, body: object) => (await call<WebhookSet>("PUT", path(), body, who.pair)).body;
async function mention({ name }: Holder): Promise<void> {
  const { api } = await open(service.url, "Calling");
  await post(`${api}/posts`, { name: "Bob", body: `@${name}` });
}
/** The webhook once `is` accepts it. Time passes meanwhile, as long as `passes` says so. */
async function until(
  who: Holder,
  is: (webhook: Webhook) => boolean,
  passes: () => boolean = () => true,
): Promise<Webhook> {
  for (;;) {
    const { body } = await get<Webhook>(path(), who.pair);
    if (is(body)) return body;
    if (passes()) service.clock.advance(0.01);
    await Bun.sleep(1);
  }
}

function headersOf({ head }: RawRequest): Record<string, string> {
  const [, ...lines] = head.split("\r\n");
  return Object.fromEntries(
    lines.map((line) =>
      /^(.*?): (.*)$/
        .exec(line)!
        .slice(1)
        .map((text, i) => (i === 0 ? text.toLowerCase() : text)),
    ),
  );
}
/** The signature by Standard Webhooks 1.0. */
function signatureBy(secret: string, request: RawRequest): string {
  const { "webhook-id": id, "webhook-timestamp": timestamp } = headersOf(request);
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${request.body}`).digest("base64")}`;
}

test("a request has these headers and no others, and the bytes that are signed", async () => {
  const { who, receiver } = await started();
  const { secret } = await set(who, { url: `${receiver.url}?a=b%20c`, authorization: "Bearer a" });
  await mention(who);
  await until(who, ({ call }) => call?.state === "called");
  await post(`${path()}/test`, {}, who.pair);
  expect(receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    "verification",
    "mailbox.unread",
    "test",
  ]);
  for (const request of receiver.requests) {
    expect(request.head).toStartWith("POST /hook?a=b%20c HTTP/1.1\r\n");
    const { connection, ...headers } = headersOf(request);
    expect(["keep-alive", "close", undefined]).toContain(connection);
    expect(headers).toEqual({
      accept: "*/*",
      "accept-encoding": "identity",
      authorization: "Bearer a",
      "content-length": String(Buffer.byteLength(request.body)),
      "content-type": "application/json",
      host: new URL(receiver.url).host,
      "user-agent": "wharf",
      "webhook-id": expect.stringMatching(/^msg_[0-9a-f-]{36}$/) as string,
      "webhook-signature": signatureBy(secret, request),
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/) as string,
    });
    expect(Number(headers["webhook-timestamp"]) * 1000).toBeWithin(
      service.clock.now() - 60_000,
      service.clock.now() + 1,
    );
    expect(request.body).toBe(JSON.stringify(JSON.parse(request.body)));
  }
  expect(new Set(receiver.requests.map((request) => headersOf(request)["webhook-id"])).size).toBe(3);
});

test("a receiver's cookie is not sent back", async () => {
  const { who, receiver } = await started();
  await set(who, { url: receiver.url });
  receiver.serve = answering(200, "", "Set-Cookie: a=b\r\n");
  for (let i = 0; i < 2; i++) await post(`${path()}/test`, {}, who.pair);
  for (const { head } of receiver.requests) expect(head).not.toMatch(/^cookie:/im);
});

test("while a secret is replaced, the new one and the one before sign, for 24 hours; at another address only the new one", async () => {
  const { who, receiver } = await started();
  const signaturesOfTest = async () => {
    await post(`${path()}/test`, {}, who.pair);
    const request = receiver.requests.at(-1)!;
    return { request, signatures: headersOf(request)["webhook-signature"]!.split(" ") };
  };
  const first = await set(who, { url: receiver.url });
  expect(first.previous_secret_until).toBeUndefined();
  const second = await set(who, { url: receiver.url });
  const challenge = receiver.requests.at(-1)!;
  expect(headersOf(challenge)["webhook-signature"]).toBe(
    [second, first].map(({ secret }) => signatureBy(secret, challenge)).join(" "),
  );
  expect(Date.parse(second.previous_secret_until!) - service.clock.now()).toBeWithin(86_390_000, 86_400_001);
  const during = await signaturesOfTest();
  expect(during.signatures).toEqual([second, first].map(({ secret }) => signatureBy(secret, during.request)));
  const third = await set(who, { url: receiver.url });
  // The answer with the second may be lost: then the receiver knows only the first.
  const again = receiver.requests.at(-1)!;
  expect(headersOf(again)["webhook-signature"]).toBe(
    [third, second, first].map(({ secret }) => signatureBy(secret, again)).join(" "),
  );
  const later = await signaturesOfTest();
  expect(later.signatures).toEqual([third, second].map(({ secret }) => signatureBy(secret, later.request)));
  service.clock.advance(86_401);
  const after = await signaturesOfTest();
  expect(after.signatures).toEqual([signatureBy(third.secret, after.request)]);
  const elsewhere = await set(who, { url: `${receiver.url}/other` });
  expect(elsewhere.previous_secret_until).toBeUndefined();
  const moved = await signaturesOfTest();
  expect(moved.signatures).toEqual([signatureBy(elsewhere.secret, moved.request)]);
});

test("a call that is repeated has its id and its body, and a new time and signature", async () => {
  const { who, receiver } = await started();
  const { secret } = await set(who, { url: receiver.url });
  receiver.serve = answering(500, "");
  await mention(who);
  await until(who, ({ call }) => call?.tries === 1);
  service.clock.advance(10);
  await until(who, ({ call }) => call?.tries === 2);
  const [one, other] = receiver.requests.slice(1);
  expect(other!.body).toBe(one!.body);
  const [before, after] = [headersOf(one!), headersOf(other!)];
  expect(after["webhook-id"]).toBe(before["webhook-id"]!);
  expect(Number(after["webhook-timestamp"])).toBeGreaterThan(Number(before["webhook-timestamp"]));
  expect(after["webhook-signature"]).toBe(signatureBy(secret, other!));
  expect(after["webhook-signature"]).not.toBe(before["webhook-signature"]!);
});

describe("Retry-After", () => {
  const now_ms = Date.parse("2026-03-01T12:00:00.500Z");
  test.each<[string | null, number | null]>([
    [null, null],
    ["0", 0],
    ["120", 120],
    ["0120", 120],
    ["86400", 86_400],
    ["86401", 86_400],
    ["99999999999999999999999999", 86_400],
    ["9".repeat(400), 86_400],
    ["Sun, 01 Mar 2026 12:02:00 GMT", 120],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400],
    ["Sun, 99 Mar 2026 12:02:00 GMT", null],
    ["+275760-09-13T00:00:00Z", null],
    ["-271821-04-20T00:00:00Z", null],
    ["2026-03-01", null],
    ["-5", null],
    ["1.5", null],
    ["1e9", null],
    ["0x10", null],
    ["Infinity", null],
    ["soon", null],
    ["", null],
    ["120, 240", null],
  ])("%j means %p seconds", (header, seconds) => expect(retryAfter(header, now_ms)).toBe(seconds));

  test.each<[string, number, number]>([
    ["600", 599, 601],
    ["99999999999999999999", 86_399, 86_401],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_399, 86_401],
    ["+275760-09-13T00:00:00Z", 3, 7],
    ["-1", 3, 7],
  ])("%s delays the next try by %d to %d seconds, and no more", async (header, least, most) => {
    const { who, receiver } = await started();
    await set(who, { url: receiver.url });
    receiver.serve = answering(503, "", `Retry-After: ${header}\r\n`);
    await mention(who);
    // The next try is counted from the answer, which may be stored much later.
    const isUncalled = () => receiver.requests.length === 1;
    const { call } = await until(who, (webhook) => webhook.call?.failed !== undefined, isUncalled);
    const seconds = (Date.parse(call!.next_try_at!) - service.clock.now()) / 1000;
    expect(seconds).toBeWithin(least, most);
  });
});
