/**
 * `kill -9` of the service and of `wharf watch` while notes come: every note is covered by a completed run or still unread, and
 * there are never two runs at once. WHARF_TEST_OPERATIONS: how many notes; WHARF_TEST_KILLS: how often each is killed.
 */

import { afterAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, orThrow } from "../../src/client/client.ts";
import { freePort } from "../support/free_port.ts";
import { postJob, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { environmentOf, savedPosition, startWatch } from "../support/watchers.ts";

const notes_count = Number(process.env.WHARF_TEST_OPERATIONS ?? 3_000);
const kills_count = Number(process.env.WHARF_TEST_KILLS ?? 8);
const workers = 8;
/** A mailbox has at most 1,000 notes of jobs. Those who make notes wait when so many are not covered. */
const uncovered_max = 600;

const root = newDirectory();
const home = join(root, "home");
mkdirSync(home);
afterAll(() => removeDirectory(root));

/**
 * The command. It writes a line when it begins and one when it ends, with what it covers. It takes up to a quarter of a second, and
 * fails sometimes.
 */
const recorder = `#!/bin/sh
cd "$HOME" || exit 9
echo "begin $$" >>runs.log
news=$(cat)
set -- $(od -An -N2 -tu1 /dev/urandom)
sleep "0.$((100 + $1 / 2))"
if [ "$2" -lt 8 ]; then
  echo "failed $$" >>runs.log
  exit 1
fi
case $news in *dropped_through*) echo "dropped $$" >>runs.log ;; esac
echo "end $$ $WHARF_NOTES" >>runs.log
`;

interface Log {
  /** The seqs of the notes that completed runs covered, with the number of runs. */
  covered: Map<number, number>;
  /** All notes up to this one are covered. */
  through: number;
  runs: number;
  failed: number;
  dropped: number;
  /** The process of the run that is under way. */
  under_way: string | null;
}

/** Reads the log of the command. Fails if a run began before the one before it was over. */
function readLog(): Log {
  const file = join(home, "runs.log");
  const log: Log = { covered: new Map(), through: 0, runs: 0, failed: 0, dropped: 0, under_way: null };
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [""];
  for (const line of lines.slice(0, -1)) {
    const [what, pid, ...seqs] = line.split(" ") as [string, string, ...string[]];
    expect([line, log.under_way]).toEqual([line, what === "begin" ? null : pid]);
    if (what === "dropped") log.dropped++;
    else log.under_way = what === "begin" ? pid : null;
    if (what === "failed") log.failed++;
    if (what !== "end") continue;
    log.runs++;
    for (const seq of seqs) log.covered.set(Number(seq), (log.covered.get(Number(seq)) ?? 0) + 1);
  }
  while (log.covered.has(log.through + 1)) log.through++;
  return log;
}

test(`covers ${notes_count} notes, one run after the other, although both sides are killed ${kills_count} times`, async () => {
  const { below } = testRandom("kills of the service and of a watcher");
  const settings = { data_dir: join(root, "data"), port: await freePort() };
  let service = await startBinary(settings);
  const { url } = service;
  const [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  const program = join(root, "record");
  await Bun.write(program, recorder);
  chmodSync(program, 0o755);
  const start = () => startWatch(environmentOf(home, url, ada), "--inbox", "--ack", "--exec", program);
  let watcher = start();

  /** The seq of the latest note. */
  const latest = async (): Promise<number> =>
    (await readMailbox(url, ada, "?since=999999999&wait_seconds=0")).next_since;
  const load = { made: 0, covered_through: 0 };
  const kills = { service: 0, watcher: 0, with_run: 0 };
  /** Notes are made in step with the kills. */
  const allowed = () =>
    Math.min(
      load.covered_through + uncovered_max,
      notes_count * Math.min(1, (kills.service + kills.watcher + 1) / (2 * kills_count)),
    );
  /** Claims and releases a job again and again: two notes for its poster. */
  async function work(id: string, who: Holder): Promise<void> {
    const client = createClient({
      url,
      key: who.key,
      fetch: (to, init) => fetch(to, { ...init, keepalive: false }),
    });
    for (let claims = true; load.made < notes_count;) {
      if (load.made >= allowed()) {
        await Bun.sleep(20);
        continue;
      }
      const path = { id };
      const call = claims
        ? client.post("/api/jobs/{id}/claim", { path })
        : client.post("/api/jobs/{id}/release", { path });
      const done = await orThrow<Awaited<typeof call>>(call).then(
        () => true,
        () => false,
      );
      if (done) load.made++;
      // After a call without an answer nobody knows which of the two is next: the other one is tried if it is refused.
      claims = !claims;
    }
  }
  const jobs = await Promise.all(Array.from({ length: workers }, () => postJob(url, ada)));
  const making = Promise.all(jobs.map(({ id }) => work(id, bob)));

  const looking = (async () => {
    while (load.made < notes_count) {
      load.covered_through = readLog().through;
      await Bun.sleep(100);
    }
  })();

  while (load.made < notes_count) {
    await Bun.sleep(200 + below(1_500));
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
      // The position is never ahead of what completed runs covered.
      const { cursors } = savedPosition(home) ?? { cursors: {} };
      const log = readLog();
      if (log.under_way !== null) kills.with_run++;
      expect(log.through).toBeGreaterThanOrEqual(cursors.mailbox ?? 0);
      watcher = start();
    }
    if (what !== 0) service = await startBinary(settings);
  }
  await Promise.all([making, looking]);
  const last = await latest();
  while (readLog().through < last && watcher.process.exitCode === null) await Bun.sleep(100);
  watcher.process.kill("SIGTERM");
  expect([await watcher.ended, watcher.process.signalCode]).toEqual([0, null]);

  const log = readLog();
  expect([...log.covered.keys()].filter((seq) => seq > last)).toEqual([]);
  expect([log.through, log.covered.size, log.under_way, log.dropped]).toEqual([last, last, null, 0]);
  expect(last).toBeGreaterThanOrEqual(notes_count);
  expect((await readMailbox(url, ada)).unread).toBe(0);
  const again = [...log.covered.values()].filter((runs) => runs > 1).length;
  console.log(
    `MEASURED: ${last} notes in ${log.runs} completed runs, ${again} of them more than once; ${log.failed} failed runs; ` +
      `kills: ${kills.service} of the service, ${kills.watcher} of the watcher, ${kills.with_run} of them during a run`,
  );
  await service.stop();
}, 3_600_000);
