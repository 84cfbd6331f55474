/**
 * Idle connections are closed: slow or partial requests, and connections left open after a wait or a stream. Bun's idle
 * timeout runs in real time, so each of these tests takes about 12 seconds.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { get as getJson, keepNoConnections, post } from "../support/http.ts";
import { beginSession, message } from "../support/mcp_messages.ts";
import { closeRoom, open, speak, type Opened } from "../support/rooms.ts";
import { ways, type TestService } from "../support/service.ts";

/** A connection, the bytes it has received, and its end. */
interface Line {
  socket: Socket;
  text(): string;
  /** Resolves when `words` have been received. */
  until(words: string): Promise<void>;
  closed: Promise<void>;
}

function dial(url: string): Line {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let seen = "";
  const waiting = new Set<() => void>();
  socket.on("data", (bytes: Buffer) => {
    seen += bytes.toString("latin1");
    for (const look of waiting) look();
  });
  // The service disconnects this socket on purpose.
  socket.on("error", () => {});
  return {
    socket,
    text: () => seen,
    until: (words) =>
      new Promise((resolve) => {
        const look = () => seen.includes(words) && resolve();
        waiting.add(look);
        look();
      }),
    closed: new Promise((resolve) => socket.once("close", () => resolve())),
  };
}

const head = (method: string, path: string, headers: Record<string, string> = {}) =>
  [`${method} ${path} HTTP/1.1`, "Host: localhost", ...Object.entries(headers).map((pair) => pair.join(": "))]
    .map((line) => `${line}\r\n`)
    .join("");

const get = (path: string, headers?: Record<string, string>) => `${head("GET", path, headers)}\r\n`;

/** A POST of JSON to an MCP address. */
function call(body: object, headers: Record<string, string> = {}): string {
  const text = JSON.stringify(body);
  const framing = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  return `${head("POST", "/mcp", { ...framing, ...headers })}\r\n${text}`;
}

/** Sends `text` at once, then one byte of `drips` at a time until the connection is closed. */
function drip(line: Line, text: string, drips: string): void {
  line.socket.write(text);
  let sent = 0;
  const timer = setInterval(() => line.socket.write(drips[sent++ % drips.length]!), 300);
  void line.closed.then(() => clearInterval(timer));
}

describe.each(ways)("idle connections (%s)", (_way, start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
    // `fetch` could reuse a connection just when the service closes it as idle.
    keepNoConnections(Number(new URL(service.url).port));
  });
  afterAll(() => service.stop());

  test.concurrent(
    "closes a connection whose head or body is sent in part or byte by byte",
    async () => {
      const room = await open(service.url, "Slow senders");
      const path = `/api/meet/rooms/${room.slug}`;
      const posting = (headers: Record<string, string>) =>
        `${head("POST", `${path}/posts`, { "content-type": "application/json", ...headers })}\r\n`;
      const sized = posting({ "content-length": "1000" });
      const chunked = posting({ "transfer-encoding": "chunked" });
      const slow: [text: string, drips: string][] = [
        ["", ""],
        [head("GET", path), ""],
        [head("GET", path), "X-Slow: yes\r\n"],
        [`${head("GET", path)}X-Slow: `, "a"],
        [`${sized}{"name":"Ada`, ""],
        [`${sized}{"name":"Ada`, "a"],
        [chunked, "1\r\na\r\n"],
        [get(path, { "content-length": "1000" }), "a"],
      ];
      const lines = slow.map(([text, drips]) => {
        const line = dial(service.url);
        if (drips === "") line.socket.write(text);
        else drip(line, text, drips);
        return line;
      });
      await Promise.all(lines.map(({ closed }) => closed));
      for (const line of lines) expect(line.text()).not.toContain("HTTP/1.1 201");
      expect((await post(`${room.api}/posts`, { name: "Ada", body: "still here" })).status).toBe(201);
    },
    60_000,
  );

  test.concurrent(
    "closes an idle connection after a wait or a stream as soon as any other",
    async () => {
      const rooms = await Promise.all(
        ["Waited for", "Followed", "Streamed"].map((goal) => open(service.url, goal)),
      );
      const [waited, followed, streamed] = rooms as [Opened, Opened, Opened];
      const session = await beginSession(`${service.url}/mcp`);
      const reads = (room: Opened) => `/api/meet/rooms/${room.slug}`;
      const { next_since: since } = (await getJson<{ next_since: string }>(waited.api)).body;
      const waiting = message("tools/call", {
        name: "meet_read",
        arguments: { room: waited.slug, since, wait_seconds: 50 },
      });
      const both = { accept: "application/json, text/event-stream" };
      const requests = [
        get(`${reads(waited)}?since=${since}&wait_seconds=50`),
        get(`${reads(waited)}?since=nonsense&wait_seconds=50`),
        call(waiting),
        call(waiting, { ...both, ...session }),
        get(`${reads(followed)}/stream`),
      ];
      const lines = requests.map((request) => {
        const line = dial(service.url);
        line.socket.write(request);
        return line;
      });
      const stays = dial(service.url);
      stays.socket.write(get(`${reads(streamed)}/stream`));
      // The post answers the waits, also those that begin after it.
      await Promise.all([lines.at(-1)!.until(": following"), stays.until(": following")]);
      await speak(waited, "here it is");
      await closeRoom(followed);
      await Promise.all(lines.map((line) => line.until("HTTP/1.1 ")));
      // Half a head after the answer must not keep the connection open.
      for (const { socket } of lines) socket.write("GET /half");
      await Promise.all(lines.map(({ closed }) => closed));
      expect(lines.map((line) => /HTTP\/1.1 (\d+)/.exec(line.text())?.[1])).toEqual([
        "200",
        "422",
        "200",
        "200",
        "200",
      ]);
      // Active requests stay open while they are idle.
      await speak(streamed, "after a long silence");
      await stays.until("after a long silence");
      stays.socket.destroy();
    },
    60_000,
  );
});
