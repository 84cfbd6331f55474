/** How one caller affects others: times of a victim's reads and durable posts, without and during each attack. */

import { join } from "node:path";
import { prepare } from "./attacked.ts";
import { getRequest, load, postRequest, type LoadResult } from "./load.ts";
import {
  a_post,
  allAtRest,
  newDirectory,
  mostResidentKib,
  openRoom,
  residentKib,
  start,
  wharf,
  type Server,
} from "./servers.ts";
import { whole, type Row } from "./table.ts";

interface Attack {
  what: string;
  /** Whether rate limits are on. If not, the attack is as strong as one from many addresses. */
  is_counted?: true;
  /** Bound of the service's memory at any moment, in MB. Restarts the service first, because writing takes memory, too. */
  memory_mb_max?: number;
}

const attacks: Record<string, Attack> = {
  searches: { what: "four loops of searches for common words" },
  streams: { what: "40 streams in 40 rooms with posts in each" },
  heads: { what: "1,000 half-sent heads" },
  stalled: { what: "1,000 stalled readers of a room of 64 MB", memory_mb_max: 200 },
  pages: {
    what: "250 stalled readers of different pages of 16 MB",
    is_counted: true,
    memory_mb_max: 250,
  },
  pages_of_many: {
    what: "250 such readers at 50 addresses",
    is_counted: true,
    memory_mb_max: 250,
  },
  flood: { what: "a flood of reads, streams, waits and sessions from one address", is_counted: true },
};

const attack_seconds = 20;
const idle_seconds = 10;
const p99_ms_max = 50;
const times_idle_max = 5;

// The victim has another address and stays within the limits of one address.
const victim = "127.0.0.2";
const ratesOf = ({ is_counted }: Attack) =>
  is_counted ? { reads: 30, posts: 10 } : { reads: 100, posts: 50 };

const many_writes = ["--writes-by-name", "--writes-by-address", "--rooms-by-address"];
const limitsOf = ({ is_counted }: Attack): string[] =>
  is_counted ? [...many_writes.flatMap((flag) => [flag, "1000000"]), "--pace", "off"] : ["--no-rate-limit"];

interface Times {
  read: LoadResult;
  post: LoadResult;
}

/** Times of the victim's reads and posts, sent at fixed rates, each on one connection. */
async function victimTimes({ url }: Server, attack: Attack, seconds: number): Promise<Times> {
  const rates = ratesOf(attack);
  const options = { connections: 1, seconds, warm_seconds: 1, from: victim };
  const requests = {
    read: getRequest(url, "/api/meet/rooms/read"),
    post: postRequest(url, "/api/meet/rooms/written/posts", a_post),
  };
  const [read, post] = await Promise.all([
    load(url, { ...options, requests: [requests.read], rate: rates.reads }),
    load(url, { ...options, requests: [requests.post], rate: rates.posts }),
  ]);
  return { read, post };
}

/** Runs `during` while an attack is under way. */
async function beside<Result>(name: string, url: string, during: () => Promise<Result>): Promise<Result> {
  const attacker = Bun.spawn(["bun", join(import.meta.dir, "attackers.ts"), name, url], {
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    for await (const chunk of attacker.stdout) if (Buffer.from(chunk).includes("begun")) break;
    return await during();
  } finally {
    attacker.kill("SIGKILL");
    await attacker.exited;
  }
}

const megabytes = (kib: number): number => (kib * 1024) / 1e6;

async function measure(name: string, attack: Attack): Promise<Row[]> {
  const directory = newDirectory();
  const command = [wharf, "serve", "--port", "0", "--data-dir", directory, ...limitsOf(attack)];
  const { memory_mb_max } = attack;
  let server = await start(command);
  try {
    await openRoom(server.url, "read", 50);
    await openRoom(server.url, "written");
    await prepare[name]!(server.url);
    await allAtRest();
    if (memory_mb_max !== undefined) {
      await server.stop();
      server = await start(command);
    }
    const idle = await victimTimes(server, attack, idle_seconds);
    const idle_mb = megabytes(residentKib(server.pid));
    const [attacked, memory_mb] = await beside(name, server.url, async () => {
      const times = await victimTimes(server, attack, attack_seconds);
      return [times, megabytes(mostResidentKib(server.pid))] as const;
    });
    const rows = (["read", "post"] as const).map((kind) => rowOf(attack, kind, idle[kind], attacked[kind]));
    if (memory_mb_max === undefined) return rows;
    return [
      ...rows,
      {
        what: `most memory (RSS) beside ${attack.what}`,
        value: `${whole(memory_mb)} MB`,
        compared: `${whole(idle_mb)} MB without it`,
        bound: { text: `< ${memory_mb_max} MB`, is_met: memory_mb < memory_mb_max },
      },
    ];
  } finally {
    await server.stop();
  }
}

const shown = ({ p50_us, p99_us }: LoadResult): string =>
  `${(p50_us / 1000).toFixed(2)} / ${(p99_us / 1000).toFixed(2)} ms`;

const rowOf = ({ what }: Attack, kind: string, idle: LoadResult, attacked: LoadResult): Row => ({
  what: `a ${kind} beside ${what} (p50 / p99)`,
  value: shown(attacked),
  compared: `${shown(idle)} without it`,
  ratio: attacked.p99_us / idle.p99_us,
  goal: { at_most: times_idle_max },
  bound: { text: `< ${p99_ms_max} ms`, is_met: attacked.p99_us < p99_ms_max * 1000 },
});

/** Runs the attacks one after another, each on its own service. */
export async function benchAttacks(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    console.error(`attacking: ${attack.what} …`);
    rows.push(...(await measure(name, attack)));
  }
  return rows;
}
