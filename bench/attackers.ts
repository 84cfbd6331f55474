/**
 * Runs one attack on a service from 127.0.0.1: bun bench/attackers.ts NAME URL. Prints "begun" when the attack is under way,
 * and continues until it is killed, for at most a minute.
 */

import { connect, type Socket } from "node:net";
import { common_words, large_room, streamed_rooms, wide, wide_room } from "./attacked.ts";

const [name = "", url = ""] = process.argv.slice(2);
const api = `${url}/api/meet/rooms`;
const json = { "content-type": "application/json" };

/** Runs `run` in `count` endless loops. Ignores errors: an attacker expects them. */
function loops(count: number, run: (loop: number) => Promise<unknown>): void {
  for (let loop = 0; loop < count; loop++) {
    void (async () => {
      for (;;) await run(loop).catch(() => Bun.sleep(10));
    })();
  }
}

const drain = async (response: Promise<Response>): Promise<void> =>
  void (await (await response).arrayBuffer());

/** Connects and sends `text`. Resolves at the first byte of the answer, or with `is_mute` at once. `from`: the source address. */
async function dial(text: string, { is_mute = false, from = "127.0.0.1" } = {}): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
  const answered = new Promise<void>((resolve) =>
    socket.once("data", () => resolve()).once("close", resolve),
  );
  socket.write(text);
  if (!is_mute) await answered;
  return socket;
}

const getText = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html, */*\r\n\r\n`;

/** Reads `count` different pages, each as large as any can be, from so many addresses, and takes the beginning of each alone. */
async function readPages(count: number, addresses: number): Promise<void> {
  const page = async (n: number) => {
    const path = `/api/meet/rooms/${wide_room}${n % 2 === 0 ? "" : ".md"}?limit=1000&before=${wide.posts - n}`;
    const socket = await dial(getText(path), { from: `127.0.1.${1 + (n % addresses)}` });
    socket.pause();
  };
  await Promise.all(Array.from({ length: count }, (_, n) => page(n)));
}

/** Follows a room's stream; opens another when it ends. */
function follow(room: string): void {
  loops(1, async () => {
    const { body } = await fetch(`${api}/${room}/stream`);
    for await (const _ of body ?? []) continue;
  });
}

/** Sends half a request head; starts again when the connection is cut. Every other one sends a byte each second. */
async function holdHalfAHead(n: number): Promise<void> {
  const socket = await dial("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", { is_mute: true });
  const dripping = n % 2 === 0 ? setInterval(() => socket.write("a"), 1_000) : undefined;
  socket.resume().once("close", () => {
    clearInterval(dripping);
    void holdHalfAHead(n);
  });
}

const handshake = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "flood", version: "1" } },
};

const attacks: Record<string, () => Promise<void>> = {
  async searches() {
    const words = [8, 12].map((count) => encodeURIComponent(common_words.slice(0, count).join(" ")));
    const query = (count: number, limit: number) => `${api}?q=${words[count]}&limit=${limit}`;
    loops(4, async () => {
      await drain(fetch(query(0, 100)));
      await drain(fetch(query(1, 1_000)));
    });
  },

  async streams() {
    for (const room of streamed_rooms) follow(room);
    const post = JSON.stringify({ name: "Flood", body: "To everybody who follows." });
    const speak = (room: string) =>
      drain(fetch(`${api}/${room}/posts`, { method: "POST", headers: json, body: post }));
    loops(1, () => Promise.all(streamed_rooms.map(speak)));
  },

  async heads() {
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => holdHalfAHead(n)));
  },

  async stalled() {
    const paths = [
      `/api/meet/rooms/${large_room}?limit=1000`,
      `/api/meet/rooms/${large_room}.md?limit=1000`,
      `/api/meet/rooms/${large_room}/export.jsonl`,
      `/meet/r/${large_room}`,
    ];
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => (await dial(getText(paths[n % paths.length]!))).pause()),
    );
  },

  pages: () => readPages(250, 1),
  pages_of_many: () => readPages(250, 50),

  async flood() {
    loops(32, () => drain(fetch(`${api}/${streamed_rooms[0]}`)));
    loops(8, () =>
      drain(fetch(`${api}/${streamed_rooms[0]}?since=2999-01-01T00:00:00.000Z&wait_seconds=50`)),
    );
    loops(8, () =>
      drain(fetch(`${url}/mcp`, { method: "POST", headers: json, body: JSON.stringify(handshake) })),
    );
    loops(8, async (loop) => {
      const stream = await fetch(`${api}/${streamed_rooms[loop]}/stream`);
      // The stream stays open; the next iteration opens another.
      if (!stream.ok) await stream.arrayBuffer();
    });
  },
};

await attacks[name]!();
console.log("begun");
setTimeout(() => process.exit(), 60_000);
