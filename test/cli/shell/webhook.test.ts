/** `wharf webhook`: what it prints, with which status it ends, and what receivers get. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Webhook } from "../../../src/api/webhooks.ts";
import { pairOf } from "../../../src/client/client.ts";
import { patient, runFor } from "../../support/guards.ts";
import { get, post } from "../../support/http.ts";
import { holder, type Holder } from "../../support/names.ts";
import { open } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";
import { calling, startReceiver, type Receiver } from "../../support/webhook_receivers.ts";

let service: SourceService;
let shell: Shell;
let receiver: Receiver;
let claimed = 0;
let who: Holder;
beforeAll(async () => {
  service = await startSource({ ...calling, webhook_checks_per_hour_by_address: 1_000 });
});
afterAll(() => service.stop());
beforeEach(async () => {
  shell = newShell(service.url);
  receiver = startReceiver();
  const { printed } = await shell.run("name", "claim", `ada-${++claimed}`, "--json");
  const { name, key } = JSON.parse(printed) as { name: string; key: string };
  who = holder(name, key);
});
afterEach(async () => {
  shell.remove();
  await receiver.stop();
});

const webhook = (...words: string[]) => shell.run("webhook", ...words);
const done = (...lines: string[]) => ({
  printed: lines.map((line) => `${line}\n`).join(""),
  errors: "",
  status: 0,
});
const failed = (status: number, said: string) => ({ printed: "", errors: `wharf: ${said}\n`, status });

/** The webhook as the service shows it. */
const shown = async () =>
  (await get<Webhook>(`${service.url}/api/mailbox/webhook`, pairOf(who.name, who.key))).body;
/** Resolves when the service shows the webhook like this. Two calls do not begin in the same moment, so the clock advances. */
async function until(is: (webhook: Webhook) => boolean | undefined): Promise<Webhook> {
  for (;;) {
    const webhook = await shown();
    if (is(webhook)) return webhook;
    service.clock.advance(0.01);
  }
}
async function mention(): Promise<void> {
  const { api } = await open(service.url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
}

test("sets the webhook, and prints the secret that signs once, with what to do with it", async () => {
  const set = await webhook("set", receiver.url);
  expect(set).toEqual({
    ...done(),
    printed: expect.stringMatching(
      /^(http\S+) is called for new notes of all kinds\.\n(whsec_\S{44})\nGive this secret to the receiver now: .*\n$/,
    ) as string,
  });
  const [address, secret] = set.printed.match(/http:\S+|whsec_\S+/g) as [string, string];
  expect(address).toBe(receiver.url);
  expect(receiver.challenges.length).toBe(1);

  expect(await webhook("test")).toEqual(done("The receiver has accepted the call, with status 204."));
  const [{ id, headers, text }] = receiver.calls as [Receiver["calls"][number]];
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${id}.${headers.get("webhook-timestamp")}.${text}`;
  expect(headers.get("webhook-signature")).toBe(
    `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
  );
  expect((await webhook("show")).printed).not.toContain(secret);

  const again = await webhook("set", receiver.url);
  expect(again.printed).toMatch(/\nThe secret before signs, too, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/);
  expect(again.printed).not.toContain(secret);
  await webhook("test");
  expect(receiver.calls[1]!.headers.get("webhook-signature")).toMatch(/^v1,\S+ v1,\S+$/);
});

test("with --json set, show, test and remove print the answers of the service", async () => {
  const answerOf = async (...words: string[]): Promise<unknown> => {
    const { printed, errors, status } = await webhook(...words, "--json");
    expect([errors, status]).toEqual(["", 0]);
    return JSON.parse(printed);
  };
  const url = receiver.url;
  const kinds = ["room.mention", "job.claimed"];
  expect(await answerOf("set", url, "--kinds", kinds.join(","))).toEqual({
    ...{ url, kinds, has_authorization: false },
    created: expect.any(String) as string,
    secret: expect.stringMatching(/^whsec_/) as string,
  });
  expect(await answerOf("show")).toEqual((await shown()) as never);
  expect(await answerOf("test")).toEqual({ delivered: true, status: 204 });
  expect(await answerOf("remove")).toEqual({ deleted: true });
});

test("takes the Authorization header from a file or from standard input", async () => {
  writeFileSync(join(shell.directory, "header"), "Bearer from-a-file\n");
  expect(await webhook("set", receiver.url, "--authorization-file", "header")).toMatchObject({ status: 0 });
  const settings = { url: service.url, who, home: shell.directory };
  const words = ["webhook", "set", receiver.url, "--authorization-file", "-"];
  expect(await runFor(settings, words, "Bearer from-standard-input\n")).toMatchObject({ status: 0 });
  const sent = receiver.challenges.map(({ headers }) => headers.get("authorization"));
  expect(sent).toEqual(["Bearer from-a-file", "Bearer from-standard-input"]);
  const { printed } = await webhook();
  expect(printed).toMatch(/, for all kinds, with an Authorization header\n$/);
  expect(printed).not.toContain("Bearer");
});

test("says which file has no header, and which option the service refuses", async () => {
  const set = (...words: string[]) => webhook("set", receiver.url, ...words);
  expect(await set("--authorization-file", "missing")).toMatchObject({
    errors: expect.stringMatching(/^wharf: missing cannot be read: there is no missing\.\n$/) as string,
    status: 2,
  });
  writeFileSync(join(shell.directory, "empty"), "\n");
  expect(await set("--authorization-file", "empty")).toEqual(failed(2, "empty is empty."));
  writeFileSync(join(shell.directory, "header"), "Bearer é");
  expect(await set("--authorization-file", "header")).toMatchObject({
    errors: expect.stringContaining("--authorization-file must be visible ASCII characters") as string,
    status: 3,
  });
  expect(await set("--kinds", "room.mention,job.claim")).toMatchObject({
    errors: expect.stringMatching(
      /^wharf: --kinds must be "job\.claimed" or .* \(invalid_fields\)\n$/,
    ) as string,
    status: 3,
  });
  expect(receiver.challenges).toEqual([]);
});

test("says why a receiver is refused, and what to do", async () => {
  using silent = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("Hello.") });
  expect(await webhook("set", silent.url.href)).toEqual(
    failed(
      3,
      "The answer of the receiver does not repeat the challenge. " +
        'Let the receiver answer {"type": "verification", "challenge": "…"} with 200 and {"challenge": "…"}, then repeat ' +
        "'wharf webhook set URL'. (webhook_refused)",
    ),
  );
  expect(await webhook("set", "http://192.168.0.1/")).toEqual(
    failed(
      3,
      "The host of the address has no public IP address. Correct the address or its receiver, then repeat 'wharf webhook set URL'. (webhook_refused)",
    ),
  );
  expect(await webhook("show")).toEqual(
    failed(3, "The name has no webhook. 'wharf webhook set URL' sets one. (webhook_not_found)"),
  );
});

test("a test that the receiver does not accept ends with status 7, and says why", async () => {
  await webhook("set", receiver.url);
  receiver.answering = () => new Response(null, { status: 418 });
  expect(await webhook("test")).toEqual(
    failed(7, "the receiver has not accepted the call. The receiver answered with status 418."),
  );
  const { printed, errors, status } = await webhook("test", "--json");
  expect([JSON.parse(printed), errors, status]).toEqual([
    { delivered: false, status: 418, because: "status" },
    "",
    7,
  ]);
  await receiver.stop();
  expect(await webhook("test")).toEqual(
    failed(7, "the receiver has not accepted the call. The receiver cannot be reached."),
  );
});

test("show has the state of the latest call: queued with the failure and the next try, called, read", async () => {
  await webhook("set", receiver.url, "--kinds", "room.mention");
  const head = String.raw`${RegExp.escape(receiver.url)} {2}since \S+ \S+, for room\.mention\n`;
  const none = await webhook("show");
  expect(none).toMatchObject({ errors: "wharf: there is no call to show.\n", status: 0 });
  expect(none.printed).toMatch(new RegExp(`^${head}$`));

  receiver.answering = () => new Response(null, { status: 500 });
  await mention();
  const { call } = await until(({ call }) => call?.tries === 1 && call.next_try_at !== undefined);
  expect((await webhook("show")).printed).toMatch(
    new RegExp(
      `^${head}${call!.id} {2}queued: queued \\S+ \\S+, 1 try, next try \\S+ \\d\\d:\\d\\d:\\d\\d\\n` +
        " {2}The receiver answered with status 500\\.\\n$",
    ),
  );

  receiver.answering = () => undefined;
  service.clock.advance(10);
  await until(({ call }) => call?.state === "called");
  const accepted = String.raw`queued \S+ \S+, accepted \S+ \S+, 2 tries\n$`;
  expect((await webhook("show")).printed).toMatch(new RegExp(`^${head}${call!.id} {2}called: ${accepted}`));
  await shell.run("inbox", "--ack");
  expect((await webhook("show")).printed).toMatch(new RegExp(`^${head}${call!.id} {2}read: ${accepted}`));
});

test("a webhook that sleeps is shown, in the mailbox and to a hook, too; a test wakes it", async () => {
  await webhook("set", receiver.url);
  receiver.answering = () => new Response(null, { status: 503 });
  await mention();
  for (;;) {
    const { call, asleep } = await until(({ call, asleep }) => asleep || call?.next_try_at !== undefined);
    if (asleep) break;
    const pause_ms = Date.parse(call!.next_try_at!) - service.clock.now();
    service.clock.advance(Math.max(pause_ms / 1000, 0.01));
  }
  expect((await webhook("show")).printed).toContain(
    "\nIt sleeps: its receiver has failed for a day. It is called once a day",
  );
  const settings = { url: service.url, who, home: shell.directory };
  const hook = { hook_event_name: "UserPromptSubmit", prompt: "Go on." };
  const { printed } = await runFor(settings, ["inbox", "--hook", "claude"], hook, patient);
  expect(printed).toContain(`2 new notes for \\"${who.name}\\" (1 room.mention, 1 name.webhook)`);
  const watched = await shell.run("watch", "--inbox", "--once");
  expect((JSON.parse(watched.printed) as { notes: object[] }).notes).toMatchObject([
    { kind: "room.mention" },
    { kind: "name.webhook", how: "asleep" },
  ]);
  expect((await shell.run("inbox")).printed).toMatch(
    /\n• 2 {2}\S+ \S+ {2}name\.webhook\n {2}It sleeps: its receiver has failed for a day\. The receiver answered with status 503\.\n$/,
  );

  receiver.answering = () => undefined;
  expect((await webhook("test")).status).toBe(0);
  expect((await webhook("show")).printed).not.toContain("It sleeps");
});

test("a receiver that answers 410 ends the webhook, and the mailbox says so", async () => {
  await webhook("set", receiver.url);
  receiver.answering = () => new Response(null, { status: 410 });
  await mention();
  await until((webhook) => webhook.url === undefined);
  expect((await shell.run("inbox", "--since", "1")).printed).toMatch(
    /^• 2 {2}\S+ \S+ {2}name\.webhook\n {2}It has ended: its receiver answered with status 410\.\n$/,
  );
});

test("a webhook that was removed is gone", async () => {
  await webhook("set", receiver.url);
  expect(await webhook("remove")).toEqual(done("The webhook is removed."));
  for (const words of [[], ["show"], ["test"], ["remove"]])
    expect(await webhook(...words)).toMatchObject({
      errors: expect.stringContaining("(webhook_not_found)") as string,
      status: 3,
    });
});

test("says of a service without --webhooks that it calls none", async () => {
  const without = await startSource();
  const elsewhere = newShell(without.url);
  await elsewhere.run("name", "claim", "ada");
  for (const words of [["set", receiver.url], ["show"], ["test"], ["remove"]])
    expect(await elsewhere.run("webhook", ...words)).toEqual(
      failed(3, "This service calls no webhooks: its operator has not set --webhooks. (path_not_found)"),
    );
  const { printed, status } = await elsewhere.run("webhook", "--json");
  expect([JSON.parse(printed), status]).toMatchObject([{ code: "path_not_found", status: 404 }, 3]);
  elsewhere.remove();
  await without.stop();
});

test("needs the key of a claimed name", async () => {
  const stranger = newShell(service.url);
  expect(await stranger.run("webhook", "show")).toMatchObject({
    errors: expect.stringContaining("'wharf name claim NAME' claims a name") as string,
    status: 2,
  });
  stranger.remove();
});
