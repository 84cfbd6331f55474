/** docs/recipes/webhooks: the relay, with the lines of its README, between the service and stand-ins of receivers. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Webhook, WebhookSet, WebhookTested } from "../../../src/api/webhooks.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { lacks } from "../../support/programs.ts";
import { linesOf } from "../../support/python.ts";
import { open } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { calling } from "../../support/webhook_receivers.ts";

const recipes = join(import.meta.dir, "../../../docs/recipes/webhooks");
const readme = readFileSync(join(recipes, "README.md"), "utf8");

/** The lines of the README that start the relay, by the receiver that they name. */
const lines_for = new Map(
  Array.from(readme.matchAll(/^ {4}```sh\n([^]*?)^ {4}```$/gm), ([, block]): [string, string] => [
    /RELAY_TO=(\w+)/.exec(block!)![1]!,
    block!,
  ]),
);
test("the README has lines for each receiver", () => {
  expect([...lines_for.keys()]).toEqual(["ntfy", "slack", "openclaw", "github", "json"]);
});

interface Message {
  path: string;
  headers: Headers;
  text: string;
}

/** What receives messages: it accepts them with `status`. */
interface StandIn {
  origin: string;
  messages: Message[];
  status: number;
  /** Called when a message comes, before it is answered. */
  onMessage: () => void | Promise<void>;
}

const stand_in: StandIn = { origin: "", messages: [], status: 200, onMessage: () => {} };
let stand_in_server: Bun.Server<undefined>;
let service: SourceService;
let claimed = 0;
let directory: string;

beforeAll(async () => {
  // Its clock is that of the relay.
  service = await startSource(
    { ...calling, rooms_per_hour_by_address: 1_000 },
    new FakeClock(new Date().toISOString()),
  );
  stand_in_server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      stand_in.messages.push({ path, headers: request.headers, text: await request.text() });
      await stand_in.onMessage();
      return new Response(null, { status: stand_in.status });
    },
  });
  stand_in.origin = stand_in_server.url.origin;
});
afterAll(async () => {
  await stand_in_server.stop(true);
  await service.stop();
});
beforeEach(() => {
  Object.assign(stand_in, { messages: [], status: 200, onMessage: () => {} });
});

interface Relay {
  url: string;
  /** Returns what it has logged as errors. */
  stop(): Promise<string>;
}

/** Runs the lines for a receiver in `directory`, with the stand-in in its place. */
async function startRelay(to: string, alter = (lines: string) => lines): Promise<Relay> {
  const lines = lines_for
    .get(to)!
    .replace(/RELAY_URL=https?:\/\/[^/\s]+/, `RELAY_URL=${stand_in.origin}`)
    .replace("relay.mjs", join(recipes, "relay.mjs"))
    .replace(/^ *(RELAY_TO)/m, "exec env $1");
  const child = Bun.spawn(["bash", "-euc", alter(lines)], {
    cwd: directory,
    env: { ...process.env, PORT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  const { value } = await linesOf(child.stdout).next();
  if (!value) throw new Error(`The relay has ended: ${await errors}`);
  return {
    url: `http://127.0.0.1:${/\d+$/.exec(value)![0]}/ada`,
    async stop() {
      child.kill();
      await child.exited;
      return errors;
    },
  };
}

const webhook = () => `${service.url}/api/mailbox/webhook`;
const testing = async (who: Holder) => (await post<WebhookTested>(`${webhook()}/test`, {}, who.pair)).body;

/** Sets a webhook at the relay as the README says it. Returns its secret. */
async function set(who: Holder, { url }: Relay): Promise<string> {
  const { status, body } = await call<WebhookSet>("PUT", webhook(), { url }, who.pair);
  expect(status).toBe(200);
  await Bun.write(join(directory, "secret"), `${body.secret}\n`);
  return body.secret;
}

/** Mentions a name. Its first call is made at once. */
async function mention(who: Holder): Promise<void> {
  const { api } = await open(service.url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello, secret words` });
}

/** Resolves with the latest call of a webhook once `isSo` of it. The clock advances, so that calls begin. */
async function seen(who: Holder, isSo: (call: Webhook["call"] & object) => boolean) {
  for (;;) {
    const { body } = await get<Webhook>(webhook(), who.pair);
    if (body.call && isSo(body.call)) return body.call;
    service.clock.advance(0.01);
    await Bun.sleep(1);
  }
}

/** A request to the relay, signed by this test. */
function signed(secret: string, id: string, body: string, seconds_ago = 0): RequestInit {
  const time = String(Math.floor(Date.now() / 1000) - seconds_ago);
  const signature = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${time}.${body}`)
    .digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  return { method: "POST", headers, body };
}

const a_call = JSON.stringify({
  type: "mailbox.unread",
  timestamp: "2026-11-28T12:00:00.000Z",
  data: {
    mailbox: "https://wharf.example/api/mailbox",
    name: 'A"<b>&',
    unread: 3,
    kinds: { "room.mention": 3 },
    through: 9,
  },
});

const lacks_node = lacks("the relay for webhooks", "bash", "node");

describe.skipIf(lacks_node)("the relay", () => {
  let who: Holder;
  let relay: Relay;
  beforeEach(async () => {
    directory = newDirectory();
    await Bun.write(join(directory, "token"), "0123456789\n");
    await Bun.write(join(directory, "slack-url"), `${stand_in.origin}/services/T0/B0/x\n`);
    who = await claim(service.url, `ada-${++claimed}`);
  });
  afterEach(async () => {
    await relay.stop();
    removeDirectory(directory);
  });

  async function started(to = "ntfy"): Promise<string> {
    relay = await startRelay(to);
    return set(who, relay);
  }

  const status = async (request: RequestInit) => (await fetch(relay.url, request)).status;

  /** What each receiver gets for one mention, and for a test. */
  const expected: Record<
    string,
    { path: string; headers: Record<string, string>; read: (text: string) => unknown }
  > = {
    ntfy: { path: "/wharf-5d1f09c2", headers: { title: "Wharf" }, read: (text) => text },
    slack: {
      path: "/services/T0/B0/x",
      headers: {},
      read: (text) => (JSON.parse(text) as { text: string }).text,
    },
    openclaw: {
      path: "/hooks/wake",
      headers: { authorization: "Bearer 0123456789" },
      read: (text) => {
        const { mode, text: said, ...more } = JSON.parse(text) as Record<string, string>;
        expect([mode, more]).toEqual(["now", {}]);
        return said;
      },
    },
    json: {
      path: "/runs",
      headers: { authorization: "Bearer 0123456789", "x-api-version": "2026-01-01" },
      read: (text) => {
        const { prompt, metadata } = JSON.parse(text) as Record<string, unknown>;
        expect(metadata).toEqual({ from: "wharf", unread: expect.stringMatching(/^[01]$/) });
        return prompt;
      },
    },
  };

  test.each(Object.entries(expected))("gives %s what it wants", async (to, { path, headers, read }) => {
    await started(to);
    expect(await testing(who)).toEqual({ delivered: true, status: 204 });
    await mention(who);
    await seen(who, ({ state }) => state === "called");
    expect(stand_in.messages.map(({ text }) => read(text))).toEqual([
      `A test of the webhook of ${who.name}.`,
      `Unread notes for ${who.name}: 1 room.mention. Read them at ${service.url}/api/mailbox`,
    ]);
    for (const message of stand_in.messages) {
      expect(message.path).toBe(path);
      expect(Object.fromEntries(message.headers)).toMatchObject(headers);
      expect(message.text).not.toMatch(/hello|secret words/);
    }
    expect(await relay.stop()).toBe("");
  });

  test("reads any of its settings from a file", async () => {
    await Bun.write(join(directory, "kind"), "slack\n");
    relay = await startRelay("slack", (lines) => lines.replace("RELAY_TO=slack", "RELAY_TO_FILE=kind"));
    await set(who, relay);
    expect(await testing(who)).toEqual({ delivered: true, status: 204 });
    expect(stand_in.messages.map(({ path }) => path)).toEqual([expected.slack!.path]);
  });

  test("starts a workflow of GitHub with the numbers of the call", async () => {
    stand_in.status = 204;
    await started("github");
    await mention(who);
    const { id } = await seen(who, ({ state }) => state === "called");
    expect(id).toStartWith("msg_");
    const [message, ...more] = stand_in.messages;
    expect(more).toEqual([]);
    expect(message!.path).toBe("/repos/ada/agent/dispatches");
    expect(message!.headers.get("authorization")).toBe("Bearer 0123456789");
    // api.github.com refuses requests without one.
    expect(message!.headers.get("user-agent")).toBe("wharf-relay");
    expect(JSON.parse(message!.text)).toEqual({
      event_type: "wharf",
      client_payload: {
        type: "mailbox.unread",
        mailbox: `${service.url}/api/mailbox`,
        name: who.name,
        unread: 1,
        kinds: { "room.mention": 1 },
        through: 1,
      },
    });
  });

  test("fails while its receiver does, and passes the repeated call on once", async () => {
    await started();
    stand_in.status = 503;
    await mention(who);
    const failed = await seen(who, ({ tries }) => tries === 1);
    expect(failed).toMatchObject({ state: "queued", failed: { because: "status", status: 502 } });
    stand_in.status = 302;
    service.clock.advance((Date.parse(failed.next_try_at!) - service.clock.now()) / 1000);
    const again = await seen(who, ({ tries }) => tries === 2);
    expect(again.failed).toEqual({ because: "status", status: 502 });
    stand_in.status = 200;
    service.clock.advance((Date.parse(again.next_try_at!) - service.clock.now()) / 1000);
    const called = await seen(who, ({ state }) => state === "called");
    expect([called.id, called.tries, stand_in.messages.length]).toEqual([failed.id, 3, 3]);
    expect(new Set(stand_in.messages.map(({ text }) => text)).size).toBe(1);
  });

  test("fails when nothing listens at the receiver, and logs neither its address nor a secret", async () => {
    await Bun.write(join(directory, "slack-url"), "http://127.0.0.1:1/services/T0/B0/x");
    const secret = await started("slack");
    expect(await testing(who)).toEqual({ delivered: false, status: 502, because: "status" });
    const text = await relay.stop();
    expect(text).toMatch(/^msg_[-0-9a-f]+: \w+\n$/);
    expect([text.includes("services"), text.includes(secret)]).toEqual([false, false]);
  });

  test("passes a call on once that comes again, at the same time and later", async () => {
    const secret = await started();
    const { promise, resolve } = Promise.withResolvers<void>();
    stand_in.onMessage = () => promise;
    const request = signed(secret, "msg_1", a_call);
    const both = Promise.all([status(request), status(request)]);
    while (stand_in.messages.length === 0) await Bun.sleep(1);
    resolve();
    expect(await both).toEqual([204, 204]);
    expect(await status(request)).toBe(204);
    // As the service repeats it: with another time.
    expect(await status(signed(secret, "msg_1", a_call, 60))).toBe(204);
    expect(stand_in.messages.length).toBe(1);
    expect(await status(signed(secret, "msg_2", a_call))).toBe(204);
    expect(stand_in.messages.length).toBe(2);
  });

  test("refuses what is not signed with the secret, is altered or is old", async () => {
    const secret = await started();
    const request = signed(secret, "msg_1", a_call);
    const headers = request.headers as Record<string, string>;
    const changed = (name: string, value: string) => ({ ...request, headers: { ...headers, [name]: value } });
    const signature = headers["webhook-signature"]!;
    const challenge = '{"type":"verification","challenge":"x"}';
    const refused: Record<string, RequestInit> = {
      "no headers": { method: "POST", body: a_call },
      "another secret": signed(`whsec_${Buffer.alloc(32, 7).toString("base64")}`, "msg_1", a_call),
      "a changed body": { ...request, body: a_call.replace("3", "4") },
      "a changed id": changed("webhook-id", "msg_2"),
      "a changed time": changed("webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)),
      "a time that is no number": changed("webhook-timestamp", "soon"),
      "no signature": changed("webhook-signature", ""),
      "an empty signature": changed("webhook-signature", "v1,"),
      "another version": changed("webhook-signature", signature.replace("v1,", "v2,")),
      "an old time": signed(secret, "msg_1", a_call, 310),
      "a future time": signed(secret, "msg_1", a_call, -310),
      "a challenge without a signature": { method: "POST", body: challenge },
    };
    for (const [what, request] of Object.entries(refused))
      expect([what, await status(request)]).toEqual([what, 401]);
    expect(await status({ method: "GET" })).toBe(405);
    expect(stand_in.messages).toEqual([]);
    // Two secrets sign while one replaces the other.
    expect(await status(changed("webhook-signature", `v1,${"A".repeat(43)}= ${signature}`))).toBe(204);
  });

  test("answers challenges only until it has a secret, and later those that are signed", async () => {
    relay = await startRelay("ntfy");
    expect(await status(signed(`whsec_${"A".repeat(43)}=`, "msg_1", a_call))).toBe(503);
    const before = await set(who, relay);
    expect(await testing(who)).toMatchObject({ delivered: true });
    // The challenge is signed with the secret before, too.
    const after = await set(who, relay);
    expect(after).not.toBe(before);
    expect(await testing(who)).toMatchObject({ delivered: true });
    expect(stand_in.messages.length).toBe(2);

    await call("DELETE", webhook(), undefined, who.pair);
    const again = await call<{ because: string }>("PUT", webhook(), { url: relay.url }, who.pair);
    expect([again.status, again.body.because]).toEqual([422, "status"]);
    rmSync(join(directory, "secret"));
    await set(who, relay);
    expect(await testing(who)).toMatchObject({ delivered: true });
  });

  test.each(["slack", "json"])("cannot be led by a value to another message of %s", async (to) => {
    const secret = await started(to);
    expect(await status(signed(secret, "msg_1", a_call))).toBe(204);
    const { text, prompt } = JSON.parse(stand_in.messages[0]!.text) as Record<string, string>;
    const name = to === "slack" ? 'A"&lt;b&gt;&amp;' : 'A"<b>&';
    expect(text ?? prompt).toBe(
      `Unread notes for ${name}: 3 room.mention. Read them at https://wharf.example/api/mailbox`,
    );
  });
});

test.skipIf(lacks_node).each([
  ["a receiver that it does not know", { RELAY_TO: "fax" }, "RELAY_TO must be"],
  ["no address", { RELAY_URL: "" }, "Invalid URL"],
  ["a secret that is none", { WEBHOOK_SECRET: "whsec_AAAA" }, "WEBHOOK_SECRET is no secret"],
  ["a template that is no JSON", { RELAY_TO: "json", RELAY_TEMPLATE: "{text}" }, "SyntaxError"],
])("the relay does not start with %s", (_, environment, said) => {
  const { exitCode, stderr } = Bun.spawnSync(["node", join(recipes, "relay.mjs")], {
    env: { ...process.env, PORT: "0", RELAY_TO: "ntfy", RELAY_URL: stand_in.origin, ...environment },
  });
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining(said)]);
});
