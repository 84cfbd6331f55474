/** Receivers that answer the challenge and calls as no receiver should: what the holder sees, and that the service goes no further. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { WebhookTested } from "../../../src/api/webhooks.ts";
import {
  answering,
  honest,
  repeated,
  startRawReceiver,
  startTraps,
  type RawReceiver,
  type Serve,
  type Trap,
} from "../../support/hostile_receivers.ts";
import { flood } from "../../support/flood.ts";
import { freePort } from "../../support/free_port.ts";
import { call, get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let port: number;
/** Nothing may connect to it. */
let trap: Trap;
const receivers: RawReceiver[] = [];
let claimed = 0;
beforeAll(async () => {
  service = await startSource({ webhooks: true, fetch_allow: ["127.0.0.1/32"] });
  port = await freePort();
  trap = await startTraps(port, ["127.0.0.1", "127.0.0.2"]);
});
afterAll(async () => {
  await service.stop();
  for (const receiver of receivers) receiver.stop();
  trap.stop();
});

const path = () => `${service.url}/api/mailbox/webhook`;
async function started(serve: Serve): Promise<{ who: Holder; receiver: RawReceiver }> {
  const receiver = await startRawReceiver(serve);
  receivers.push(receiver);
  return { who: await claim(service.url, `agent-${++claimed}`), receiver };
}

interface Refused {
  code: string;
  because: string;
  status: number;
  detail: string;
}
/** Sets a webhook at a receiver. Returns why it was refused; null if it was not. */
async function challenged(serve: Serve): Promise<object | null> {
  const { who, receiver } = await started(serve);
  const { status, body } = await call<Refused>("PUT", path(), { url: receiver.url }, who.pair);
  expect(receiver.requests.length).toBe(1);
  const is_stored = (await get(path(), who.pair)).status === 200;
  expect(is_stored).toBe(status === 200);
  if (status === 200) return null;
  expect([status, body.code]).toEqual([422, "webhook_refused"]);
  expect(JSON.stringify(body)).not.toContain("secret-word");
  return { because: body.because };
}

/** Calls a receiver that has answered its challenge for a test. */
async function tested(serve: Serve): Promise<WebhookTested> {
  const { who, receiver } = await started(honest);
  expect((await call("PUT", path(), { url: receiver.url }, who.pair)).status).toBe(200);
  receiver.serve = serve;
  // Without a body, as the program sends it: Bun counts the time since the head.
  const { status, body } = await post<WebhookTested>(`${path()}/test`, undefined, who.pair);
  expect(status).toBe(200);
  return body;
}

const flooding =
  (head: string, bytes: string): Serve =>
  (socket) => {
    socket.write(head);
    flood(socket, bytes);
  };
const drip =
  (head: string): Serve =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("a")), 20);
  };
const text =
  (bytes: string): Serve =>
  (socket) =>
    void socket.end(bytes);
/** The right answer in another form. */
const altered =
  (alter: (answer: string) => string | Buffer, headers = ""): Serve =>
  (socket, request) =>
    answering(200, alter(repeated(request)), headers)(socket, request);

describe("an answer to the challenge", () => {
  test.each<[string, Serve]>([
    ["as it must be", honest],
    ["with status 201", (socket, request) => answering(201, repeated(request))(socket, request)],
    ["with other members beside it", altered((answer) => `{"a":[1],${answer.slice(1)}`)],
    ["with another type", altered((answer) => answer, "Content-Type: text/html\r\n")],
    ["with spaces around it", altered((answer) => `\n ${answer} \n`)],
    [
      "in chunks",
      (socket, request) => {
        const answer = repeated(request);
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (const char of answer) socket.write(`1\r\n${char}\r\n`);
        socket.end("0\r\n\r\n");
      },
    ],
  ])("%s is accepted", async (_title, serve) => expect(await challenged(serve)).toBeNull());

  test.each<[string, Serve, string]>([
    ["without a body", answering(200, ""), "no_challenge"],
    ["with status 204", answering(204, ""), "no_challenge"],
    ["with another challenge", answering(200, `{"challenge":"${"0".repeat(64)}"}`), "no_challenge"],
    ["that is no JSON", answering(200, "secret-word"), "no_challenge"],
    [
      "that is a page",
      answering(200, "<html>secret-word</html>", "Content-Type: text/html\r\n"),
      "no_challenge",
    ],
    ["that is null", answering(200, "null"), "no_challenge"],
    ["that is a number", answering(200, "1"), "no_challenge"],
    [
      "with the challenge alone",
      altered((answer) => JSON.stringify((JSON.parse(answer) as { challenge: string }).challenge)),
      "no_challenge",
    ],
    ["in a list", altered((answer) => `[${answer}]`), "no_challenge"],
    ["below another member", altered((answer) => `{"data":${answer}}`), "no_challenge"],
    ["whose challenge is a list", altered((answer) => answer.replace(/:(.*)\}/, ":[$1]}")), "no_challenge"],
    [
      "in upper case",
      altered((answer) => answer.replace(/"[0-9a-f]{64}"/, (found) => found.toUpperCase())),
      "no_challenge",
    ],
    ["with a character more", altered((answer) => answer.replace('"}', '0"}')), "no_challenge"],
    [
      "that is the body of the request",
      (socket, request) =>
        answering(200, request.body.replace('"challenge"', '"Challenge"'))(socket, request),
      "no_challenge",
    ],
    ["nested deeply", answering(200, "[".repeat(4_000)), "no_challenge"],
    ["nested deeply, closed", answering(200, "[".repeat(2_000) + "]".repeat(2_000)), "no_challenge"],
    ["with a broken encoding", answering(200, Buffer.from([0xff, 0xfe, 0x7b])), "no_challenge"],
    [
      "compressed with gzip",
      altered((answer) => gzipSync(answer), "Content-Encoding: gzip\r\n"),
      "no_challenge",
    ],
    [
      "that is a bomb of gzip",
      answering(200, gzipSync(Buffer.alloc(3_000_000)), "Content-Encoding: gzip\r\n"),
      "no_challenge",
    ],
    [
      "that is a bomb of deflate",
      answering(200, deflateSync(Buffer.alloc(3_000_000)), "Content-Encoding: deflate\r\n"),
      "no_challenge",
    ],
    [
      "that is a bomb of br",
      answering(200, brotliCompressSync(Buffer.alloc(3_000_000)), "Content-Encoding: br\r\n"),
      "no_challenge",
    ],
    [
      "that is a bomb of zstd",
      answering(200, zstdCompressSync(Buffer.alloc(3_000_000)), "Content-Encoding: zstd\r\n"),
      "no_challenge",
    ],
    ["that is too long", altered((answer) => answer + " ".repeat(4_096)), "too_large"],
    [
      "that declares too much",
      flooding("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "a".repeat(65_536)),
      "too_large",
    ],
    ["that never ends", flooding("HTTP/1.1 200 OK\r\n\r\n", "a".repeat(65_536)), "too_large"],
    [
      "in endless chunks",
      flooding("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", `1000\r\n${"a".repeat(4096)}\r\n`),
      "too_large",
    ],
    ["with status 400", altered400(400), "status"],
    ["with status 401", altered400(401), "status"],
    ["with status 404", altered400(404), "status"],
    ["with status 410", altered400(410), "status"],
    ["with status 500", altered400(500), "status"],
    ["with status 999", text("HTTP/1.1 999 Some\r\nContent-Length: 0\r\n\r\n"), "invalid_answer"],
    ["of another protocol", text("SSH-2.0-secret-word\r\n"), "invalid_answer"],
    [
      "with headers of megabytes",
      text(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(3_000_000)}\r\n\r\n`),
      "invalid_answer",
    ],
    [
      "with a hundred thousand headers",
      text(`HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(100_000)}\r\n`),
      "invalid_answer",
    ],
    [
      "with two lengths",
      text("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok"),
      "invalid_answer",
    ],
    ["that is a closed connection", text(""), "unreachable"],
    ["that is reset", (socket) => void socket.resetAndDestroy(), "unreachable"],
  ])("%s is refused", async (_title, serve, because) => {
    expect(await challenged(serve)).toEqual({ because });
  });

  test("of a receiver that nobody listens as is refused", async () => {
    const who = await claim(service.url, `agent-${++claimed}`);
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect((await call("PUT", path(), { url }, who.pair)).body).toMatchObject({ because: "unreachable" });
  });
});

function altered400(status: number): Serve {
  return (socket, request) => answering(status, repeated(request))(socket, request);
}

describe("a redirect", () => {
  const targets = () => [
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.2:${port}/`,
    `https://127.0.0.2:${port}/`,
    `//127.0.0.2:${port}/`,
    `http://[::1]:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "/hook",
  ];
  test.each([300, 301, 302, 303, 304, 305, 307, 308])("with status %d leads nowhere", async (status) => {
    for (const target of targets()) {
      const serve = answering(status, "", `Location: ${target}\r\nRefresh: 0; url=${target}\r\n`);
      expect(await challenged(serve)).toEqual({ because: "redirect" });
      expect(await tested(serve)).toEqual({ delivered: false, because: "redirect" });
    }
    expect(trap.connections).toBe(0);
  });

  test("in the headers of a success leads nowhere", async () => {
    const headers = `Location: http://127.0.0.1:${port}/\r\nRefresh: 0; url=http://127.0.0.1:${port}/\r\nLink: <http://127.0.0.1:${port}/>; rel=preload\r\n`;
    expect(await challenged(altered((answer) => answer, headers))).toBeNull();
    expect(await tested(answering(200, "", headers))).toEqual({ delivered: true, status: 200 });
    expect(trap.connections).toBe(0);
  });
});

describe("an answer to a call", () => {
  test.each<[string, Serve]>([
    ["is too long", flooding("HTTP/1.1 200 OK\r\n\r\n", "a".repeat(65_536))],
    [
      "declares too much",
      flooding("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "a".repeat(65_536)),
    ],
    ["is a bomb", answering(200, gzipSync(Buffer.alloc(50_000_000)), "Content-Encoding: gzip\r\n")],
    ["ends too early", text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok")],
  ])("that %s is a success by its status", async (_title, serve) => {
    expect(await tested(serve)).toEqual({ delivered: true, status: 200 });
  });

  test.each<[string, Serve, object]>([
    ["status 404", altered400(404), { because: "status", status: 404 }],
    [
      "status 503 and an absurd Retry-After",
      answering(503, "", "Retry-After: 99999999999999999999\r\n"),
      { because: "status", status: 503 },
    ],
    ["another protocol", text("220 mail.example ESMTP\r\n\r\n"), { because: "invalid_answer" }],
    [
      "headers of megabytes",
      text(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(3_000_000)}\r\n\r\n`),
      { because: "invalid_answer" },
    ],
    ["nothing", text(""), { because: "unreachable" }],
  ])("with %s is a failure", async (_title, serve, failed) => {
    expect(await tested(serve)).toEqual({ delivered: false, ...failed } as WebhookTested);
  });
});

test("after 15 seconds a receiver that does not end its answer has failed, or has succeeded by its status", async () => {
  const endless: [Serve, object | null, WebhookTested][] = [
    [() => {}, { because: "timeout" }, { delivered: false, because: "timeout" }],
    [drip("HTTP/1.1 200 OK\r\nX-A: "), { because: "timeout" }, { delivered: false, because: "timeout" }],
    [
      flooding("", "HTTP/1.1 100 Continue\r\n\r\n"),
      { because: "timeout" },
      { delivered: false, because: "timeout" },
    ],
    [
      drip("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n"),
      { because: "timeout" },
      { delivered: true, status: 200 },
    ],
  ];
  /** Its server never answers the greeting of TLS. */
  const silent = async () => {
    const { who, receiver } = await started(() => {});
    const url = receiver.url.replace("http:", "https:");
    expect((await call("PUT", path(), { url }, who.pair)).body).toMatchObject({ because: "timeout" });
  };
  await Promise.all([
    silent(),
    ...endless.flatMap(([serve, refused, result]) => [
      challenged(serve).then((found) => expect(found).toEqual(refused)),
      tested(serve).then((found) => expect(found).toEqual(result)),
    ]),
  ]);
});
