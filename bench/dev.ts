/** `wharf dev`: how long a suite waits for its start, a reset, a snapshot and a long advance. */

import { median } from "./rounds.ts";
import { wharf } from "./servers.ts";
import { machine, table, type Row } from "./table.ts";

export const heading = "## wharf dev";

const starts = 15;
const rounds = 15;
const posts = 10_000;
const rooms = 20;

const how = `The compiled binary, \`wharf dev --memory --port 0 --seed 1\`; medians of ${rounds}. A start lasts until the first line is printed.
The calls are measured by the client, one after the other, with ${posts.toLocaleString("en")} posts in ${rooms} rooms: each round restores a snapshot of them,
makes one, and resets the service.`;

interface Running {
  child: Bun.Subprocess;
  url: string;
  start_ms: number;
}

async function start(): Promise<Running> {
  const begun = performance.now();
  const command = [wharf, "dev", "--memory", "--port", "0", "--seed", "1", "--frozen"];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const start_ms = performance.now() - begun;
  return { child, url: Buffer.from(value!).toString().trim(), start_ms };
}

async function stop({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  await child.exited;
}

async function post<Answer>(url: string, body: object = {}): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url} is ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

async function timeOf(url: string, body?: object): Promise<number> {
  const begun = performance.now();
  await post(url, body);
  return performance.now() - begun;
}

async function fill(url: string): Promise<void> {
  const fillRoom = async (number: number) => {
    const goal = { goal: `Room ${number}`, name: "bench" };
    const { slug } = await post<{ slug: string }>(`${url}/api/meet/rooms`, goal);
    for (let i = 0; i < posts / rooms; i++) {
      const body = `Post ${i} of room ${number}: the quick brown fox jumps over the lazy dog.`;
      await post(`${url}/api/meet/rooms/${slug}/posts`, { name: "bench", body });
    }
  };
  await Promise.all(Array.from({ length: rooms }, (_, number) => fillRoom(number)));
}

const row = (what: string, values: number[], at_most_ms: number): Row => {
  const value = median(values);
  return {
    what,
    value: `${value.toFixed(1)} ms`,
    bound: { text: `≤ ${at_most_ms} ms`, is_met: value <= at_most_ms },
  };
};

export async function devSection(): Promise<string> {
  const where = machine();
  const start_ms: number[] = [];
  for (let i = 0; i < starts; i++) {
    const running = await start();
    start_ms.push(running.start_ms);
    await stop(running);
  }
  const running = await start();
  const { url } = running;
  await fill(url);
  const snapshot = { name: "full" };
  await post(`${url}/_dev/snapshots`, snapshot);
  const [restores, saves, resets]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    restores!.push(await timeOf(`${url}/_dev/snapshots/full/restore`));
    saves!.push(await timeOf(`${url}/_dev/snapshots`, snapshot));
    resets!.push(await timeOf(`${url}/_dev/reset`));
  }
  const month_ms = await timeOf(`${url}/_dev/clock`, { advance_seconds: 31 * 86_400 });
  await stop(running);
  const rows: Row[] = [
    row("start to first line", start_ms, 100),
    row("POST /_dev/reset", resets!, 20),
    row("POST /_dev/snapshots", saves!, 50),
    row("POST /_dev/snapshots/{name}/restore", restores!, 50),
    { what: "POST /_dev/clock, 31 days", value: `${(month_ms / 1000).toFixed(1)} s` },
  ];
  return `${heading}\n\n${where}\n\n${table(rows)}\n\n${how}`;
}
