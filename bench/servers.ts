/** Starts and stops the measured servers, each a separate process with its own directory. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const wharf = join(import.meta.dir, "../dist/wharf");

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The running servers, and their directories. */
const running = new Set<Server>();
const directories: string[] = [];

/** Starts a server that prints its URL. Throws an error with its output if it ends without one. */
export async function start(command: string[], environment: Record<string, string> = {}): Promise<Server> {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "inherit",
  });
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    const url = /serving at (http:\/\/[^/\s]+)/.exec(output)?.[1];
    if (!url) continue;
    const server: Server = {
      url,
      pid: child.pid,
      async stop() {
        running.delete(server);
        child.kill("SIGTERM");
        await child.exited;
      },
    };
    running.add(server);
    return server;
  }
  throw new Error(`${command[0]} does not serve: ${output}`);
}

/** Waits until all servers are idle, so that the background work of one does not disturb another. */
export async function allAtRest(): Promise<void> {
  const ends = Date.now() + 60_000;
  for (let before = cpuTicks(); Date.now() < ends; before = cpuTicks()) {
    await Bun.sleep(200);
    if (cpuTicks() - before <= 1) return;
  }
  throw new Error("A server that nobody calls has not come to rest in a minute.");
}

/** The unit of processor times (proc_pid_stat(5)): a hundredth of a second. */
export const tick_us = 10_000;

/** CPU time of these servers, all by default, in hundredths of a second (proc_pid_stat(5), fields 14 and 15). */
export function cpuTicks(servers: Iterable<Server> = running): number {
  let ticks = 0;
  for (const { pid } of servers) {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    ticks += Number(user) + Number(system);
  }
  return ticks;
}

/** The processor time of a server for each request that `send` sends, with the work that follows the answers, in microseconds. */
export async function costOfRequests_us(
  server: Server,
  send: () => Promise<{ answers: number }>,
): Promise<number> {
  const before = cpuTicks([server]);
  const { answers } = await send();
  await allAtRest();
  return ((cpuTicks([server]) - before) * tick_us) / answers;
}

/** A size in the status of a process (proc_pid_status(5)), in KiB. */
const statusKib = (pid: number, what: string): number =>
  Number(new RegExp(`^${what}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

/** Resident memory of a process, in KiB: now, and at most since its start. */
export const residentKib = (pid: number): number => statusKib(pid, "VmRSS");
export const mostResidentKib = (pid: number): number => statusKib(pid, "VmHWM");

/** The command line of the service. */
export const serveCommand = (directory: string, program: string[] = [wharf]): string[] => [
  ...program,
  ...["serve", "--port", "0", "--no-rate-limit", "--data-dir", directory],
];

/** Creates a directory that `cleanUp` deletes. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "wharf-bench-"));
  directories.push(directory);
  return directory;
}

/** Stops all servers and deletes all directories. Call it after a failure, too. */
export async function cleanUp(): Promise<void> {
  for (const server of running) await server.stop();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

const body =
  "A post of the size that agents write: one or two sentences that say what was found, and what is still to be done.";

/** The body of every measured post. */
export const a_post = { name: "Bench", body };

async function postJson(url: string, value: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(value) });
  if (!response.ok) throw new Error(await response.text());
}

/** Opens a room with this slug (as its goal) and some posts. */
export async function openRoom(url: string, slug: string, posts = 0): Promise<void> {
  const rooms = `${url}/api/meet/rooms`;
  await postJson(rooms, { goal: slug, name: "Bench" });
  for (let i = 0; i < posts; i++) await postJson(`${rooms}/${slug}/posts`, a_post);
}
