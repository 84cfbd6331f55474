/** Many waiting calls of meet_read: the time until one post has answered them all, their memory, and what remains after. */

import { memoryOf } from "../test/support/process_memory.ts";
import { compileEntry } from "./load.ts";
import { median } from "./rounds.ts";
import { toolRequest } from "./rpc.ts";
import { a_post, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { whole, type Row } from "./table.ts";

export const waits = 2_000;
const rounds = 5;
const room = "waited-for";

/** The memory of a process, in MiB. */
const memoryMib = (server: Server): number => memoryOf(server) / 1024 ** 2;

interface Waiters {
  /** Resolves when all are answered. */
  answered: Promise<void>;
  answers(): number;
}

/** Sends the same request over `waits` connections. Resolves when all are sent. An answer closes its connection. */
async function wait(address: string, request: string): Promise<Waiters> {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(address);
  let answers = 0;
  const connect = () =>
    Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(request),
        data(socket, chunk) {
          if (!chunk.toString("latin1").includes("HTTP/1.1 200")) return;
          if (++answers === waits) resolve();
          socket.end();
        },
      },
    });
  for (let i = 0; i < waits; i += 100) await Promise.all(Array.from({ length: 100 }, connect));
  return { answered, answers: () => answers };
}

interface Woken {
  /** From sending the post to the last answer. */
  took_ms: number;
  waiting_mib: number;
  left_mib: number;
}

async function wakeAll(server: Server, request: string, wake: () => Promise<Response>): Promise<Woken> {
  const before_mib = memoryMib(server);
  const waiters = await wait(server.url, request);
  // Wait until the server has read all of them, and check that none is answered.
  await Bun.sleep(1_000);
  if (waiters.answers() > 0) throw new Error("Some did not wait.");
  const waiting_mib = memoryMib(server) - before_mib;
  const from = performance.now();
  const [response] = await Promise.all([wake(), waiters.answered]);
  const took_ms = performance.now() - from;
  if (!response.ok) throw new Error(await response.text());
  await Bun.sleep(2_000);
  return { took_ms, waiting_mib, left_mib: memoryMib(server) - before_mib };
}

/** The medians of several rounds. A round before them is not counted: it brings each server's memory to its full size. */
async function middleOf(run: () => Promise<Woken>): Promise<Woken> {
  await run();
  const seen: Woken[] = [];
  for (let i = 0; i < rounds; i++) seen.push(await run());
  const middle = (pick: (woken: Woken) => number) => median(seen.map(pick));
  return {
    took_ms: middle((woken) => woken.took_ms),
    waiting_mib: middle((woken) => woken.waiting_mib),
    left_mib: middle((woken) => woken.left_mib),
  };
}

/** Waits for a post in this room at one server, and posts at another: they have one database. */
const wokenByPost = (writing: Server, waiting: Server, slug: string): Promise<Woken> =>
  middleOf(async () => {
    const posts = `/api/meet/rooms/${slug}`;
    const { next_since: since } = (await (await fetch(`${waiting.url}${posts}`)).json()) as {
      next_since: string;
    };
    const call = { tool: "meet_read", args: { room: slug, since, wait_seconds: 50 } };
    return wakeAll(waiting, toolRequest(`${waiting.url}/mcp`, call), () =>
      fetch(`${writing.url}${posts}/posts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(a_post),
      }),
    );
  });

/** Milliseconds from a post at one node until all waits at the other are answered. */
export const wakeOnOther = async (writing: Server, waiting: Server, slug: string): Promise<number> =>
  (await wokenByPost(writing, waiting, slug)).took_ms;

export async function benchWaits(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const by_hand = await start([compileEntry("json_rpc.ts")]);
  try {
    await openRoom(service.url, room, 1);
    const ours = await wokenByPost(service, service, room);
    const theirs = await middleOf(() =>
      wakeAll(by_hand, toolRequest(by_hand.url, { tool: "wait", args: {} }), () =>
        fetch(by_hand.url, { method: "PUT", body: a_post.body }),
      ),
    );
    const row = (what: string, unit: string, pick: (woken: Woken) => number): Row => ({
      what,
      value: `${whole(pick(ours))} ${unit}`,
      compared: `${whole(pick(theirs))} ${unit} a hand-written JSON-RPC handler`,
    });
    return [
      row(
        `one post wakes ${whole(waits)} waiting meet_read: until the last is answered`,
        "ms",
        (w) => w.took_ms,
      ),
      row(`memory that ${whole(waits)} waiting meet_read take`, "MiB", (w) => w.waiting_mib),
      row("memory that is left of them 2 s after they were answered", "MiB", (w) => w.left_mib),
    ];
  } finally {
    await service.stop();
    await by_hand.stop();
  }
}
