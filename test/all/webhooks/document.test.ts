/** docs/waking.md, "In a cloud": its lines, its receiver and its example of a call. And how a relay gets its secret. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Webhook, WebhookTested } from "../../../src/api/webhooks.ts";
import { lacks_binary } from "../../support/binary.ts";
import { cannot_run, runBlocks } from "../../support/examples.ts";
import { freePort } from "../../support/free_port.ts";
import { call, get, post } from "../../support/http.ts";
import { claim } from "../../support/names.ts";
import { lacks } from "../../support/programs.ts";
import { linesOf } from "../../support/python.ts";
import { open } from "../../support/rooms.ts";
import { startBinary, type TestService } from "../../support/service.ts";
import { calling, startReceiver } from "../../support/webhook_receivers.ts";

const root = join(import.meta.dir, "../../..");
const document = readFileSync(join(root, "docs/waking.md"), "utf8");
const readme = readFileSync(join(root, "docs/recipes/webhooks/README.md"), "utf8");
const [section] = /^## In a cloud[^]*?(?=^## )/m.exec(document)!;

/** The indented blocks of the section. Empty lines within one belong to it. */
const blocks = Array.from(section.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))?)+/gm), ([block]) =>
  block.replace(/^ {4}/gm, ""),
);
const blockWith = (text: string): string => {
  const found = blocks.filter((block) => block.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return found[0]!;
};

const written_receiver = "https://agent.example/wharf";
const written_base = "http://127.0.0.1:4273";

describe.skipIf(cannot_run || lacks_binary || lacks("the receiver of docs/waking.md", "node"))(
  "docs/waking.md",
  () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startBinary({ ...calling, rate_limit: true });
    });
    afterAll(() => service.stop());

    const inTest = (block: string, receiver: string): string =>
      block.replaceAll(written_receiver, receiver).replaceAll(written_base, service.url);

    test("its lines set a webhook, test it and show it", async () => {
      const receiver = startReceiver();
      const ran = await runBlocks([
        `wharf login --url ${service.url}\nwharf name claim cloudy`,
        inTest(blockWith("wharf webhook set"), receiver.url),
      ]);
      // A test is not the latest call.
      expect([ran.faults, ran.exit_code]).toEqual(["wharf: there is no call to show.", 0]);
      expect(ran.outputs[1]).toMatch(/\bwhsec_[A-Za-z0-9+/]{43}=/);
      expect(receiver.calls.map(({ body }) => body.type)).toEqual(["test"]);

      const bob = await claim(service.url, "bob");
      const set = inTest(blockWith("curl -X PUT"), receiver.url);
      const sent = await runBlocks([`WHARF_KEY='${bob.key}'\n${set}`]);
      expect([sent.faults, sent.calls.map(({ status }) => status)]).toEqual(["", [200]]);
      const { body } = await get<Webhook>(`${service.url}/api/mailbox/webhook`, bob.pair);
      expect(body).toMatchObject({ url: receiver.url, kinds: ["room.mention", "job.claimed"] });

      // As the README of the relay has it.
      const [, line] = /`(wharf webhook set [^`]+ secret)`/.exec(readme)!;
      const saved = await runBlocks([
        `wharf login --url ${service.url}\nwharf name claim relayed`,
        `${line!.replace("https://relay.example/ada", receiver.url)}\ncat secret`,
      ]);
      expect([saved.faults, saved.outputs[1]]).toEqual(["", expect.stringMatching(/^whsec_\S{44}\n$/)]);
      await receiver.stop();
    });

    test("its receiver agrees to be called, verifies calls and looks once", async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/wharf`;
      const holder = await claim(service.url, "receiving");
      const start = async (secret: string) => {
        const child = Bun.spawn(["node", "--input-type=module", "-e", blockWith("createServer")], {
          cwd: root,
          env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "inherit",
        });
        const lines = linesOf(child.stdout);
        expect((await lines.next()).value).toBe("listening");
        return {
          next: async () => (await lines.next()).value,
          async stop() {
            child.kill();
            await child.exited;
          },
        };
      };
      const webhook = `${service.url}/api/mailbox/webhook`;
      const testing = async () => (await post<WebhookTested>(`${webhook}/test`, {}, holder.pair)).body;

      const without_secret = await start("");
      const { status, body } = await call<{ secret: string }>("PUT", webhook, { url }, holder.pair);
      expect(status).toBe(200);
      expect(await testing()).toEqual({ delivered: false, status: 503, because: "status" });
      await without_secret.stop();

      const receiver = await start(body.secret);
      expect(await testing()).toEqual({ delivered: true, status: 204 });
      const { api } = await open(service.url, "Calling");
      await post(`${api}/posts`, { name: "stranger", body: "@receiving hello" });
      expect(await receiver.next()).toBe("look: 1");
      expect((await fetch(url, { method: "POST", body: '{"type":"mailbox.unread"}' })).status).toBe(401);

      // A client that leaves in the middle of a body does it no harm.
      const leaving = Promise.withResolvers<void>();
      await Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open(socket) {
            socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx");
            socket.end();
          },
          data() {},
          close: () => leaving.resolve(),
        },
      });
      await leaving.promise;
      expect((await fetch(url, { method: "POST", body: "x".repeat(20_000) })).status).toBe(413);

      // The same call again is accepted, and causes no other look.
      const send = (id: string, unread: number) => {
        const text = JSON.stringify({ type: "mailbox.unread", data: { unread } });
        const time = Math.floor(Date.now() / 1000);
        const key = Buffer.from(body.secret.slice("whsec_".length), "base64");
        const signature = createHmac("sha256", key).update(`${id}.${time}.${text}`).digest("base64");
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": String(time),
          "webhook-signature": `v1,${signature}`,
        };
        return fetch(url, { method: "POST", headers, body: text });
      };
      for (const [id, unread] of [
        ["msg_1", 2],
        ["msg_1", 2],
        ["msg_2", 3],
      ] as const)
        expect((await send(id, unread)).status).toBe(204);
      expect([await receiver.next(), await receiver.next()]).toEqual(["look: 2", "look: 3"]);
      await receiver.stop();
    });

    test("its example of a call has the members of a call", async () => {
      const receiver = startReceiver();
      const { promise: called, resolve } = Promise.withResolvers<undefined>();
      receiver.answering = () => {
        resolve(undefined);
        return undefined;
      };
      const holder = await claim(service.url, "exemplary");
      await call("PUT", `${service.url}/api/mailbox/webhook`, { url: receiver.url }, holder.pair);
      const { api } = await open(service.url, "Calling");
      await post(`${api}/posts`, { name: "stranger", body: "@exemplary hello" });
      await called;
      interface Example {
        data: { kinds: Record<string, number> };
      }
      const shapeOf = ({ data: { kinds, ...data }, ...more }: Example) => [
        ...Object.entries({ ...more, ...data }).map(([name, value]) => [name, typeof value]),
        ["kinds", [...new Set(Object.values(kinds).map((value) => typeof value))]],
      ];
      const example = JSON.parse(inTest(blockWith('mailbox.unread",'), receiver.url)) as Example;
      const real = JSON.parse(receiver.calls[0]!.text) as Example & { data: { mailbox: string } };
      expect(shapeOf(example)).toEqual(shapeOf(real));
      expect(example.data).toMatchObject({ mailbox: real.data.mailbox });
      await receiver.stop();
    });
  },
);
