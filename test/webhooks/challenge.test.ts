/** The challenge of webhooks: who need not answer it, what ends it, and its limits. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { WebhookSet } from "../../src/api/webhooks.ts";
import { asOwner } from "../support/admin.ts";
import { startDnsServer, type DnsServer } from "../support/dns_server.ts";
import {
  answering,
  honest,
  repeated,
  startRawReceiver,
  startResolving,
  type RawReceiver,
  type RawRequest,
} from "../support/hostile_receivers.ts";
import { call, get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import type { SourceService } from "../support/service.ts";

let resolver: DnsServer;
let service: SourceService;
let receiver: RawReceiver;
let port: string;
let claimed = 0;
const settings = {
  webhooks: true,
  fetch_allow: ["127.0.0.1/32"],
  webhook_unchecked_hosts: ["unchecked.example"],
};
beforeAll(async () => {
  resolver = await startDnsServer(() => ["127.0.0.1"]);
  service = await startResolving(settings, resolver);
  receiver = await startRawReceiver(answering(404, ""));
  port = new URL(receiver.url).port;
});
afterAll(async () => {
  await service.stop();
  receiver.stop();
  resolver.stop();
});

const path = () => `${service.url}/api/mailbox/webhook`;
const somebody = () => claim(service.url, `agent-${++claimed}`);
const set = (who: Holder, url: string) =>
  call<WebhookSet & { code: string }>("PUT", path(), { url }, who.pair);
const isStored = async (who: Holder) => (await get(path(), who.pair)).status === 200;

describe("a host that the operator exempts", () => {
  test.each([
    "http://unchecked.example:PORT/hook",
    "HTTP://Unchecked.EXAMPLE:PORT/",
    "http://unchecked%2Eexample:PORT/",
  ])("%s gets no challenge", async (url) => {
    const before = receiver.requests.length;
    expect((await set(await somebody(), url.replace("PORT", port))).status).toBe(200);
    expect(receiver.requests.length).toBe(before);
  });

  test.each([
    "http://a.unchecked.example:PORT/",
    "http://notunchecked.example:PORT/",
    "http://unchecked.example.evil.example:PORT/",
    "http://evil.example:PORT/unchecked.example",
    "http://evil.example:PORT/?unchecked.example",
    "http://unchecked-example:PORT/",
    "http://xn--unchecked-8f7a.example:PORT/",
  ])("%s is another one", async (url) => {
    const before = receiver.requests.length;
    const answer = await set(await somebody(), url.replace("PORT", port));
    expect(answer.body).toMatchObject({ code: "webhook_refused", because: "status" });
    expect(receiver.requests.length).toBe(before + 1);
  });

  test.each([
    "http://unchecked.example@evil.example:PORT/",
    "http://unchecked.example:PORT@evil.example:PORT/",
    "http://unchecked.example\\@evil.example:PORT/",
    "http://evil.example:PORT#@unchecked.example/",
    "http://evil.example:PORT\\@unchecked.example/",
    "http://unchecked.example.:PORT/",
    "http://unchecked.example:PORT/#a",
  ])("%s is refused", async (url) => {
    const before = receiver.requests.length;
    const answer = await set(await somebody(), url.replaceAll("PORT", port));
    expect(answer.body).toMatchObject({ code: "webhook_refused", because: "invalid_address" });
    expect(receiver.requests.length).toBe(before);
  });
});

/** Lets the receiver answer challenges when `answer` is called. */
function holding() {
  const waiting: (() => void)[] = [];
  receiver.serve = (socket, request) => void waiting.push(() => honest(socket, request));
  return {
    async arrived(count: number) {
      while (waiting.length < count) await Bun.sleep(1);
    },
    answer: () => {
      for (const one of waiting.splice(0)) one();
    },
  };
}
const challengeOf = ({ body }: RawRequest) => (JSON.parse(body) as { challenge: string }).challenge;

test("each challenge is another one, and is not answered by that of another receiver", async () => {
  receiver.requests.splice(0);
  receiver.serve = honest;
  for (let i = 0; i < 5; i++) await set(await somebody(), receiver.url);
  expect(new Set(receiver.requests.map(challengeOf)).size).toBe(5);
  for (const { body } of receiver.requests)
    expect(body).toMatch(/^\{"type":"verification","challenge":"[0-9a-f]{64}"\}$/);
  const [first] = receiver.requests;
  receiver.serve = answering(200, repeated(first!));
  expect((await set(await somebody(), receiver.url)).body).toMatchObject({ because: "no_challenge" });
});

test("of two webhooks that are set at once, the later one stays, and its secret signs", async () => {
  const who = await somebody();
  const held = holding();
  const setting = [set(who, receiver.url), set(who, receiver.url)];
  await held.arrived(2);
  held.answer();
  const answers = await Promise.all(setting);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [one, other] = answers.map(({ body }) => body);
  expect(one!.secret).not.toBe(other!.secret);
  // The later one replaced the earlier one at its address, so both secrets sign.
  expect([one!, other!].filter((body) => body.previous_secret_until !== undefined).length).toBe(1);
  receiver.serve = honest;
  receiver.requests.splice(0);
  await post(`${path()}/test`, {}, who.pair);
  expect(/^webhook-signature: (.*)\r$/im.exec(receiver.requests[0]!.head)![1]!.split(" ").length).toBe(2);
});

describe("nothing is stored if, during the challenge,", () => {
  const during = async (who: Holder, happens: () => Promise<{ status: number }>) => {
    const held = holding();
    const setting = set(who, receiver.url);
    await held.arrived(1);
    expect((await happens()).status).toBeWithin(200, 300);
    held.answer();
    return setting;
  };

  test("the key is revoked", async () => {
    const who = await somebody();
    const answer = await during(who, () => post(`${service.url}/api/name/revoke`, { key: who.key }));
    expect(answer.status).toBe(401);
    expect(JSON.stringify(answer.body)).not.toContain("whsec_");
  });

  test("the key is replaced", async () => {
    const who = await somebody();
    let key = "";
    const answer = await during(who, async () => {
      const rotated = await post<{ key: string }>(`${service.url}/api/name/rotate`, {}, who.pair);
      ({ key } = rotated.body);
      return rotated;
    });
    expect(answer.status).toBe(401);
    expect(await isStored({ ...who, pair: { "x-wf-name": who.name, "x-wf-key": key } })).toBe(false);
  });

  test("the name is suspended", async () => {
    const who = await somebody();
    const change = (how: string) =>
      asOwner(service, "POST", `/api/admin/names/${who.name}/${how}`, { reason: "spam" });
    const answer = await during(who, () => change("suspend"));
    expect(answer.status).toBe(403);
    await asOwner(service, "POST", `/api/admin/names/${who.name}/unsuspend`);
    expect(await isStored(who)).toBe(false);
  });

  test("the receiver fails", async () => {
    const who = await somebody();
    receiver.serve = (socket) => void socket.destroy();
    expect((await set(who, receiver.url)).body).toMatchObject({ because: "unreachable" });
    expect(await isStored(who)).toBe(false);
  });
});

test("a webhook that is refused leaves the one before as it was", async () => {
  const who = await somebody();
  receiver.serve = honest;
  await set(who, receiver.url);
  const before = (await get(path(), who.pair)).body;
  receiver.serve = answering(500, "");
  expect((await set(who, `${receiver.url}/other`)).status).toBe(422);
  expect((await get(path(), who.pair)).body).toEqual(before);
});

test("20 receivers are checked at the same time, and further ones when they have answered", async () => {
  const held = holding();
  const holders: Holder[] = [];
  for (let i = 0; i < 21; i++) holders.push(await somebody());
  const setting = holders.slice(0, 20).map((who) => set(who, receiver.url));
  await held.arrived(20);
  const refused = await set(holders[20]!, receiver.url);
  expect([refused.status, refused.body.code]).toEqual([503, "webhooks_busy"]);
  expect(refused.headers.get("retry-after")).toBe("15");
  held.answer();
  for (const answer of await Promise.all(setting)) expect(answer.status).toBe(200);
  receiver.serve = honest;
  expect((await set(holders[20]!, receiver.url)).status).toBe(200);
});

test("an address sets or tests 30 webhooks an hour, accepted or not", async () => {
  const limited = await startResolving({ ...settings, rate_limit: true }, resolver);
  const who = await claim(limited.url, "agent");
  receiver.serve = honest;
  receiver.requests.splice(0);
  const setting = (url: string) => call("PUT", `${limited.url}/api/mailbox/webhook`, { url }, who.pair);
  for (let i = 0; i < 10; i++) {
    expect((await setting("http://10.0.0.1/")).status).toBe(422);
    expect((await setting(receiver.url)).status).toBe(200);
    expect((await post(`${limited.url}/api/mailbox/webhook/test`, {}, who.pair)).status).toBe(200);
    limited.clock.advance(10);
  }
  const requests = receiver.requests.length;
  expect((await setting(receiver.url)).status).toBe(429);
  expect((await post(`${limited.url}/api/mailbox/webhook/test`, {}, who.pair)).status).toBe(429);
  expect(receiver.requests.length).toBe(requests);
  expect((await get(`${limited.url}/api/mailbox/webhook`, who.pair)).status).toBe(200);
  await limited.stop();
});
