/** Names that are called while the nodes of the service and their receiver are killed. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mailbox } from "../../src/api/mailbox.ts";
import { clientOf } from "./client.ts";
import { freePort } from "./free_port.ts";
import { get, post } from "./http.ts";
import { started } from "./leftovers.ts";
import { claim, type Holder } from "./names.ts";
import { open } from "./rooms.ts";
import { testRandom } from "./seed.ts";
import { startBinary, type TestSettings } from "./service.ts";
import { acknowledge, setWebhook } from "./webhook_names.ts";
import type { CallLine } from "./webhook_receiver.ts";
import { calling } from "./webhook_receivers.ts";

type Node = Awaited<ReturnType<typeof startBinary>>;

const names_count = 40;
const mentions_per_post = 10;
const writers = 4;
/** The owners of these read sometimes. */
const reads_every = 5;
/** Kills come within this time after their share of the notes. */
const kill_ms_max = 2_000;
/** Between two posts of a writer. */
const pause_ms_max = 40;

interface Settings {
  root: string;
  /** The settings of each node: one, or two with the same database. */
  nodes: TestSettings[];
  notes: number;
  kills: number;
}

export interface CalledCourse {
  notes: number;
  calls: number;
  /** Calls that the receiver has accepted more than once. */
  repeated: number;
  overlapping: number;
  kills: { service: number; caller: number; receiver: number };
  /** Between the kill of the node that made the calls and the first call of another, in milliseconds. */
  taken_over_ms: number[];
  /** How many times another node began to make calls although the one before was not killed. */
  changed_without_kill: number;
  /** How many times a node reported that it makes no calls any more. */
  given_over: number;
}

interface Killed {
  host: string;
  /** Unix milliseconds. */
  at: number;
}

async function startReceiver(port: number, file: string): Promise<Bun.Subprocess> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "webhook_receiver.ts"), `${port}`, file], {
    stdout: "pipe",
    stderr: "inherit",
  });
  started.push(child);
  await child.stdout.getReader().read();
  return child;
}

/** What the receiver has written. A kill may have left the last line of a start unfinished. */
export function readCalls(file: string): CallLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const at = line.lastIndexOf('{"id"');
      return at >= 0 && line.endsWith("}") ? [JSON.parse(line.slice(at)) as CallLine] : [];
    });
}

const mailboxOf = async (url: string, who: Holder): Promise<Mailbox> =>
  (await get<Mailbox>(`${url}/api/mailbox?since=999999999&wait_seconds=0`, who.pair)).body;

/** Makes notes through kills. Throws unless each note is covered by a call or read, and each id has one body. */
export async function callThroughKills({ root, nodes, notes, kills }: Settings): Promise<CalledCourse> {
  const { below } = testRandom("kills of nodes and of a receiver of webhooks");
  const file = join(root, "calls.jsonl");
  const receiver_port = await freePort();
  let receiver = await startReceiver(receiver_port, file);
  const settings = await Promise.all(
    nodes.map(async (node) => ({ ...calling, ...node, port: await freePort() })),
  );
  const running: Node[] = [];
  for (const one of settings) running.push(await startBinary(one));
  const urlOf = (i: number): string => running[i % running.length]!.url;
  const hosts = running.map(({ url }) => new URL(url).host);

  const holders: Holder[] = [];
  for (let i = 0; i < names_count; i++) {
    const who = await claim(
      urlOf(i),
      `called-${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`,
    );
    const set = await setWebhook(urlOf(i), who, { url: `http://127.0.0.1:${receiver_port}/` });
    if (set.status !== 200) throw new Error(JSON.stringify(set.body));
    holders.push(who);
  }
  const { slug } = await open(urlOf(0), "Who is called?");

  const load = { made: 0, allowed: 0, ended: false };
  async function write(writer: number): Promise<void> {
    for (let n = writer; !load.ended; n += writers) {
      while (!load.ended && load.made >= load.allowed) await Bun.sleep(10);
      const first = (n * mentions_per_post) % names_count;
      const mentioned = holders.slice(first, first + mentions_per_post).map(({ name }) => `@${name}`);
      try {
        await Bun.sleep(below(pause_ms_max));
        const path = `${urlOf(n)}/api/meet/rooms/${slug}/posts`;
        const sent = await post(path, { name: "stranger", body: `${mentioned.join(" ")} ${n}` });
        if (sent.status === 201) load.made += mentioned.length;
        else await Bun.sleep(20);
        if (n % 50 === 0) {
          const who = holders[(below(names_count / reads_every) * reads_every) % names_count]!;
          await acknowledge(urlOf(n), who, (await mailboxOf(urlOf(n), who)).next_since);
        }
      } catch {
        // The node was killed.
        await Bun.sleep(20);
      }
    }
  }
  const writing = Array.from({ length: writers }, (_, i) => write(i));

  const course: CalledCourse = {
    ...{ notes: 0, calls: 0, repeated: 0, overlapping: 0, taken_over_ms: [] },
    ...{ changed_without_kill: 0, given_over: 0 },
    kills: { service: 0, caller: 0, receiver: 0 },
  };
  const killed: Killed[] = [];
  const ended: Node[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    const share = Math.ceil(notes / (kills + 1));
    // The next share may be made during the kill and the restart.
    load.allowed = share * (kill + 1);
    while (load.made < share * kill) await Bun.sleep(5);
    await Bun.sleep(below(kill_ms_max));
    if (kill % 2 === 0) {
      receiver.kill("SIGKILL");
      await receiver.exited;
      course.kills.receiver++;
      receiver = await startReceiver(receiver_port, file);
      continue;
    }
    const latest = readCalls(file).at(-1)?.node;
    // Mostly the node that makes the calls.
    const caller = hosts.indexOf(latest ?? "");
    const victim = caller >= 0 && below(4) > 0 ? caller : below(running.length);
    running[victim]!.process.kill("SIGKILL");
    await running[victim]!.process.exited;
    ended.push(running[victim]!);
    killed.push({ host: hosts[victim]!, at: Date.now() });
    course.kills.service++;
    if (hosts[victim] === latest) course.kills.caller++;
    running[victim] = await startBinary(settings[victim]!);
  }
  load.allowed = notes;
  while (load.made < notes) await Bun.sleep(10);
  load.ended = true;
  await Promise.all(writing);

  // What failed is tried again now, not in minutes: a test that is accepted wakes a webhook.
  const lasts = new Map<string, { last: number; read: number }>();
  for (const who of holders) {
    const { next_since: last, unread } = await mailboxOf(urlOf(0), who);
    lasts.set(who.name, { last, read: unread === 0 ? last : 0 });
    course.notes += last;
  }
  for (;;) {
    const through = coveredBy(readCalls(file));
    const open = holders.filter(
      ({ name }) => Math.max(through.get(name) ?? 0, lasts.get(name)!.read) < lasts.get(name)!.last,
    );
    if (open.length === 0) break;
    for (const who of open) await clientOf(urlOf(0), who).post("/api/mailbox/webhook/test", {});
    await Bun.sleep(500);
  }
  for (const node of running) await node.stop();
  receiver.kill("SIGKILL");
  await receiver.exited;

  const calls = readCalls(file);
  const bodies = new Map<string, CallLine>();
  for (const line of calls) {
    const first = bodies.get(line.id);
    if (first && first.hash !== line.hash) throw new Error(`Call ${line.id} had two bodies.`);
    if (first) course.repeated++;
    else bodies.set(line.id, line);
  }
  course.calls = bodies.size;
  course.overlapping = calls.filter(({ overlaps }) => overlaps).length;
  takeOvers(calls, killed, course);
  const outputs = [...ended, ...running].map((node) => node.output());
  course.given_over = outputs.join("\n").split("webhooks.given_over").length - 1;
  return course;
}

/** The latest note of each name that a call has covered. Throws if a later call covers less. */
function coveredBy(calls: CallLine[]): Map<string, number> {
  const through = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, name, through: now } of calls) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (now <= (through.get(name) ?? 0)) throw new Error(`Call ${id} covers nothing new.`);
    through.set(name, now);
  }
  return through;
}

/** Counts how often another node began to make calls: after a kill of the one before, or without. */
function takeOvers(calls: CallLine[], killed: Killed[], course: CalledCourse): void {
  let caller: { node: string; since: number } | undefined;
  for (const { node, made } of calls.toSorted((one, other) => one.made - other.made)) {
    if (caller?.node === node) continue;
    const kill = killed.findLast(({ host, at }) => host === caller?.node && at < made);
    if (caller && kill && kill.at >= caller.since) course.taken_over_ms.push(made - kill.at);
    else if (caller) course.changed_without_kill++;
    caller = { node, since: made };
  }
}

/** A line for the results of a soak. */
export const measured = (engine: string, course: CalledCourse): string => {
  const { notes, calls, repeated, overlapping, kills, taken_over_ms } = course;
  const over =
    taken_over_ms.length > 0
      ? `; another node took over ${taken_over_ms.length} times, after ${(Math.max(...taken_over_ms) / 1000).toFixed(1)} s at most`
      : "";
  return (
    `MEASURED: ${engine}: ${notes} notes, all covered by ${calls} calls or read; ${repeated} calls accepted again with the same body, ` +
    `${overlapping} beside another of the name; kills: ${kills.service} of the service (${kills.caller} while it made the calls), ` +
    `${kills.receiver} of the receiver${over}`
  );
};
