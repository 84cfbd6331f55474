/** Durable posts while backups are made one after another, against posts without backups, and against `VACUUM INTO`. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, newDirectory, openRoom } from "./servers.ts";
import { microseconds, type Row } from "./table.ts";

const rounds = 5;
const seconds = 6;
const database_seconds = 15;

interface Made {
  seconds: number;
  held_seconds: number;
  log_bytes: number;
}

/** The service with backups on command (baselines/backups.ts), as a process. */
async function startBackups() {
  const directory = newDirectory();
  const program = join(import.meta.dir, "baselines/backups.ts");
  const child = Bun.spawn(["bun", program, directory], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const lines = linesOf(child.stdout);
  const next = async () => (await lines.next()).value as string;
  const url = /(http:\S+)\/meet/.exec(await next())![1]!;
  return {
    url,
    async backUp(method: string): Promise<Made> {
      const file = join(directory, "made");
      await child.stdin.write(`${method} ${file}\n`);
      await child.stdin.flush();
      const made = JSON.parse(await next()) as Made;
      rmSync(file);
      return made;
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const parts = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = parts.pop()!;
    yield* parts;
  }
}

export async function benchBackup(): Promise<Row[]> {
  const server = await startBackups();
  const made: Record<string, Made[]> = { copy: [], vacuum: [] };
  const long_post = { name: "Bench", body: "A line of a longer post. ".repeat(100) };
  const posts = (post: object, seconds: number) =>
    load(server.url, {
      requests: [postRequest(server.url, "/api/meet/rooms/written/posts", post)],
      connections: 64,
      seconds,
    });

  /** The p99 of posts while backups are made one after another. */
  async function beside(method: string): Promise<number> {
    const state = { is_over: false };
    const backups = (async () => {
      while (!state.is_over) made[method]!.push(await server.backUp(method));
    })();
    const { p99_us } = await posts(a_post, seconds);
    state.is_over = true;
    await backups;
    return p99_us;
  }

  try {
    await openRoom(server.url, "written");
    await posts(long_post, database_seconds);
    const p99 = await sideBySide(rounds, {
      none: async () => (await posts(a_post, seconds)).p99_us,
      copy: () => beside("copy"),
      vacuum: () => beside("vacuum"),
    });
    return [
      {
        what: `durable posts during backups, 64 connections (p99); the log was held for ${heldBy(made.copy!)}`,
        value: microseconds(p99.copy),
        compared: `${microseconds(p99.none)} without`,
        ratio: p99.copy / p99.none,
        goal: { at_most: 3 },
      },
      {
        what: "durable posts during backups, 64 connections (p99)",
        value: microseconds(p99.copy),
        compared: `${microseconds(p99.vacuum)} with \`VACUUM INTO\`, which held the log for ${heldBy(made.vacuum!)}`,
        ratio: p99.copy / p99.vacuum,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** How long backups held the log at most, and how long that became. */
const heldBy = (made: Made[]): string =>
  `${Math.max(...made.map(({ held_seconds }) => held_seconds)).toFixed(1)} s, ` +
  `${Math.round(Math.max(...made.map(({ log_bytes }) => log_bytes)) / 1e6)} MB`;
