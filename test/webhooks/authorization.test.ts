/** The Authorization header of a receiver: what it may be, that nobody sees it, and that no call is made without it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Webhook, WebhookSet, WebhookTested } from "../../src/api/webhooks.ts";
import { asOwner } from "../support/admin.ts";
import { privateValue } from "../support/canaries.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { is_on_postgres } from "../support/postgres.ts";
import { open } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { exportOf } from "../support/exports.ts";
import { signedIn } from "../support/sign_in.ts";
import { stored, storedTexts } from "../support/stored.ts";
import { calling, startReceiver, type Receiver } from "../support/webhook_receivers.ts";

const directory = newDirectory();
const settings = { ...calling, data_dir: directory, metrics_listen: "127.0.0.1:0" };
let service: SourceService;
let starts = 0;
/** Another seed for each start: what a restarted service draws is not what it has drawn before. */
const start = () => startSource(settings, undefined, ++starts);
let receiver: Receiver;
let claimed = 0;
beforeAll(async () => {
  service = await start();
  receiver = startReceiver();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  removeDirectory(directory);
});

const path = () => `${service.url}/api/mailbox/webhook`;
const somebody = () => claim(service.url, `agent-${++claimed}`);
const set = (who: Holder, authorization?: string) =>
  call<WebhookSet>(
    "PUT",
    path(),
    { url: receiver.url, ...(authorization !== undefined && { authorization }) },
    who.pair,
  );
const tested = async (who: Holder) => (await post<WebhookTested>(`${path()}/test`, {}, who.pair)).body;
async function restarted(change: () => Promise<unknown>): Promise<void> {
  await service.stop();
  await change();
  service = await start();
}

test.each([
  "Bearer a\r\nX-Other: b",
  "Bearer a\n",
  "\rBearer a",
  "Bearer\ta",
  "Bearer a\t",
  " Bearer a",
  "Bearer a ",
  "Bearer ä",
  "Bearer \u00a0a",
  "Bearer a\u2028b",
  "Bearer \u{1f600}",
  "Bearer a\u007f",
  "Bearer \u0000a",
  "Bearer \u001ba",
  " ",
  "",
  "a".repeat(2_001),
])("%j is refused, and the answer does not repeat it", async (authorization) => {
  const [who, before] = [await somebody(), receiver.challenges.length];
  const { status, body } = await set(who, authorization);
  expect(status).toBe(422);
  const { code, errors } = body as unknown as { code: string; errors: { path: string; message: string }[] };
  expect([code, errors.map(({ path }) => path)]).toEqual(["invalid_fields", ["/authorization"]]);
  if (authorization.trim())
    expect(JSON.stringify(body)).not.toContain(JSON.stringify(authorization).slice(1, -1));
  expect(receiver.challenges.length).toBe(before);
});

test.each(["Bearer 0123-._~+/=", "Basic dTpw", "x", "a".repeat(2_000), `Digest a="b c", d='e' {}[]<>;:\\!`])(
  "%j is sent in each request as it is",
  async (authorization) => {
    const who = await somebody();
    expect((await set(who, authorization)).status).toBe(200);
    expect(receiver.challenges.at(-1)!.headers.get("authorization")).toBe(authorization);
    expect(await tested(who)).toEqual({ delivered: true, status: 204 });
    expect(receiver.calls.at(-1)!.headers.get("authorization")).toBe(authorization);
    // Set again without it.
    await set(who);
    await tested(who);
    expect(receiver.calls.at(-1)!.headers.has("authorization")).toBe(false);
  },
);

test("it is in no answer, page, log, metric, export or file", async () => {
  const [who, secret] = [await somebody(), privateValue()];
  // The log has its debug level.
  const { status, body } = await set(who, `Bearer ${secret}`);
  expect([status, body.has_authorization]).toEqual([200, true]);
  receiver.answering = ({ headers }) =>
    new Response(headers.get("authorization"), {
      status: 500,
      headers: { "x-repeated": headers.get("authorization")! },
    });
  expect(await tested(who)).toEqual({ delivered: false, because: "status", status: 500 });
  const { api } = await open(service.url, "Calling");
  await post(`${api}/posts`, { name: "Bob", body: `@${who.name}` });
  for (;;) {
    if ((await get<Webhook>(path(), who.pair)).body.call?.failed) break;
    service.clock.advance(0.01);
    await Bun.sleep(1);
  }
  receiver.answering = () => undefined;
  const browser = await signedIn(service.url, who);
  const pageOf = async (page: string) => {
    const { status, body } = await browser.get(page);
    expect([page, status]).toEqual([page, 200]);
    return body;
  };
  const texts = [
    JSON.stringify((await get(path(), who.pair)).body),
    JSON.stringify((await get(`${service.url}/api/mailbox`, who.pair)).body),
    (await send("GET", `${service.url}/api/name/export`, who.pair)).body,
    await pageOf("/me"),
    await pageOf("/me/webhook"),
    await (await fetch(service.metrics_url!)).text(),
    JSON.stringify((await asOwner(service, "GET", `/api/admin/names/${who.name}`)).body),
    service.output(),
  ];
  for (const text of texts) expect(text).not.toContain(secret);
  // An export is made of a file.
  for (const with_secrets of is_on_postgres ? [] : [true, false]) {
    const file = readdirSync(directory).find((name) => name.endsWith(".db"))!;
    const exported = exportOf(join(directory, file), with_secrets);
    expect(exported).not.toContain(secret);
    if (!with_secrets) expect(exported).not.toContain(await sealedOf(who));
  }
  // Its call is still due: no other test is to get it.
  await call("DELETE", path(), undefined, who.pair);
});

const owned_by = "owner = (SELECT canonical FROM names WHERE name = $1)";
const sealedOf = async ({ name }: Holder): Promise<string> => {
  const [row] = await stored(directory, `SELECT authorization_sealed FROM webhooks WHERE ${owned_by}`, name);
  return row!["authorization_sealed"] as string;
};
const changeSealed = ({ name }: Holder, sealed: string) =>
  stored(directory, `UPDATE webhooks SET authorization_sealed = $2 WHERE ${owned_by}`, name, sealed);

test("it is not readable in what is stored, and two webhooks with the same one store it differently", async () => {
  const [one, other, secret] = [await somebody(), await somebody(), privateValue()];
  for (const who of [one, other]) await set(who, secret);
  await service.stop();
  for (const bytes of await storedTexts(directory)) {
    for (const form of [secret, btoa(secret), Buffer.from(secret).toString("hex")])
      expect(bytes.includes(form)).toBe(false);
  }
  expect(await sealedOf(one)).not.toBe(await sealedOf(other));
  service = await start();
});

test("it does not open in another row, and a damaged one not at all: no call is made without it", async () => {
  const holders: Holder[] = [];
  for (let i = 0; i < 5; i++) holders.push(await somebody());
  const [thief, owner, damaged, cut, fine] = holders;
  for (const who of [thief!, owner!, damaged!, cut!, fine!]) await set(who, "Bearer secret-word");
  await restarted(async () => {
    const sealed = await sealedOf(owner!);
    await changeSealed(thief!, sealed);
    await changeSealed(
      damaged!,
      `${sealed.startsWith("A") ? "B" : "A"}${(await sealedOf(damaged!)).slice(1)}`,
    );
    await changeSealed(cut!, "AAAA");
  });
  const { api } = await open(service.url, "Calling");
  receiver.calls.splice(0);
  for (const who of [thief!, damaged!, cut!]) {
    expect(await tested(who)).toEqual({ delivered: false, because: "unreadable_header" });
    await post(`${api}/posts`, { name: "Bob", body: `@${who.name}` });
    let webhook: Webhook;
    for (;;) {
      webhook = (await get<Webhook>(path(), who.pair)).body;
      if (webhook.call?.failed) break;
      service.clock.advance(0.01);
      await Bun.sleep(1);
    }
    expect(webhook.call).toMatchObject({ state: "queued", failed: { because: "unreadable_header" } });
  }
  expect(receiver.calls).toEqual([]);
  for (const who of [owner!, fine!]) expect(await tested(who)).toEqual({ delivered: true, status: 204 });
  // Setting the webhook again mends it; the call that was due is then made.
  await set(thief!, "Bearer other");
  expect(await tested(thief!)).toEqual({ delivered: true, status: 204 });
  expect(receiver.calls.at(-1)!.headers.get("authorization")).toBe("Bearer other");
});

test("after the secret of the server has changed, the service runs, and makes no call without the header", async () => {
  const who = await somebody();
  await set(who, "Bearer secret-word");
  await restarted(() => stored(directory, "UPDATE server_secret SET secret = $1", "ab".repeat(32)));
  receiver.calls.splice(0);
  expect(await tested(who)).toEqual({ delivered: false, because: "unreadable_header" });
  expect(receiver.calls).toEqual([]);
  expect((await set(who, "Bearer secret-word")).status).toBe(200);
  expect(await tested(who)).toEqual({ delivered: true, status: 204 });
});
