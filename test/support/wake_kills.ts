/** An idle agent that `wharf watch` starts for each mention, while the watcher and the service are killed. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { clientOf } from "./client.ts";
import { freePort } from "./free_port.ts";
import { readMailbox } from "./jobs.ts";
import { claim, type Holder } from "./names.ts";
import { testRandom } from "./seed.ts";
import { startBinary } from "./service.ts";
import { agentHome, mentionIn, type AgentHome } from "./stand_in_hosts.ts";
import { startWatch } from "./watchers.ts";

/** Records when it begins and ends. What is between must answer, and sets `status`. */
export const recorded = (answer: string): string => `echo "begin $$ $PPID" >>"$HOME/runs.log"
${answer}
echo "end $$ $status" >>"$HOME/runs.log"
exit $status`;

export interface Course {
  rounds: number;
  /** Programs of the agent that ended, and those of them that failed. */
  runs: number;
  failed: number;
  /** Answers to the mentions. Each has at least one. */
  answers: number;
  kills: Kills;
}

interface Kills {
  service: number;
  watcher: number;
  /** Of the program that a killed watcher had started, and that had started the agent. */
  starter: number;
}

interface Settings {
  root: string;
  rounds: number;
  /** Kills come within this time after a mention. */
  kill_ms_max: number;
  /** Puts the host on the PATH. */
  prepare(agent: AgentHome, ada: Holder, url: string): void;
  /** The words after `wharf wake start`. */
  host: string;
  /** Called for each mention before it is made, with the room once it is known. */
  mentioned?(room: string): void;
}

/** Throws if a mention is not answered, or if a run began before the one before it was over. */
export async function runThroughKills(settings: Settings): Promise<Course> {
  const { root, rounds, kill_ms_max, prepare, host, mentioned } = settings;
  const { below } = testRandom("kills of a watcher and of the service");
  const serving = { data_dir: join(root, "data"), port: await freePort(), rate_limit: false };
  let service = await startBinary(serving);
  const { url } = service;
  const [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  const agent = agentHome(join(root, "home"), url, ada);
  prepare(agent, ada, url);
  const words = ["--inbox", "--ack", "--", "wharf", "wake", "start", host];
  let watcher = startWatch(agent.environment, ...words);
  const kills: Kills = { service: 0, watcher: 0, starter: 0 };
  const rooms: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const room = await mentionIn(url, bob, ada.name);
    rooms.push(room);
    mentioned?.(room);
    await Bun.sleep(below(kill_ms_max));
    const what = below(3);
    if (what !== 0) {
      service.process.kill("SIGKILL");
      await service.process.exited;
      kills.service++;
    }
    if (what !== 1) {
      watcher.process.kill("SIGKILL");
      await watcher.process.exited;
      kills.watcher++;
      if (below(2) === 0 && killStarter(agent)) kills.starter++;
      watcher = startWatch(agent.environment, ...words);
    }
    if (what !== 0) service = await startBinary(serving);
    while ((await answersIn(url, room, ada)) === 0) {
      if (watcher.process.exitCode !== null) throw new Error(watcher.reports());
      await Bun.sleep(200);
    }
  }
  // The last run may still be under way when its answer is there.
  while ((await readMailbox(url, ada)).unread > 0) await Bun.sleep(200);
  watcher.process.kill("SIGTERM");
  // One that has just begun is ended by the signal itself.
  if ((await watcher.ended) !== 0 && watcher.process.signalCode !== "SIGTERM")
    throw new Error(watcher.reports());
  const answers = await Promise.all(rooms.map((room) => answersIn(url, room, ada)));
  await service.stop();
  return { rounds, ...runsIn(agent), answers: answers.reduce((sum, one) => sum + one, 0), kills };
}

async function answersIn(url: string, room: string, who: Holder): Promise<number> {
  const { posts } = await orThrow(clientOf(url).get("/api/meet/rooms/{room}", { path: { room } }));
  return posts.filter(({ name, claimed }) => claimed && name === who.name).length;
}

/** Kills what has started the agent that runs. Returns false if none runs. */
function killStarter({ home }: AgentHome): boolean {
  const [what, , starter] = linesOf(home).at(-1)?.split(" ") ?? [];
  if (what !== "begin") return false;
  try {
    return process.kill(Number(starter), "SIGKILL");
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

function linesOf(home: string): string[] {
  const file = join(home, "runs.log");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

function runsIn({ home }: AgentHome): Pick<Course, "runs" | "failed"> {
  let under_way: string | null = null;
  let [runs, failed] = [0, 0];
  for (const line of linesOf(home)) {
    const [what, pid, status] = line.split(" ");
    if (under_way !== (what === "begin" ? null : pid))
      throw new Error(`${what} of run ${pid} while run ${under_way} is under way`);
    under_way = what === "begin" ? pid! : null;
    if (what === "begin") continue;
    runs++;
    if (status !== "0") failed++;
  }
  if (under_way !== null) throw new Error(`run ${under_way} has not ended`);
  return { runs, failed };
}

/** A line for the results of a soak. */
export const measured = ({ rounds, runs, failed, answers, kills }: Course): string =>
  `MEASURED: ${rounds} mentions, ${answers} answers by ${runs} runs, ${failed} of which failed; ` +
  `kills: ${kills.service} of the service, ${kills.watcher} of the watcher, ` +
  `${kills.starter} of them with what it had started`;
