/**
 * `kill -9` of the service and of `wharf watch` while notes come: every note is covered by a completed run or still unread, and
 * there are never two runs at once. WHARF_TEST_OPERATIONS: how many notes; WHARF_TEST_KILLS: how many kills.
 */

import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { createClient, orThrow } from "../../src/client/client.ts";
import { freePort } from "../support/free_port.ts";
import { postJob, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { environmentOf, savedPosition, startWatch } from "../support/watchers.ts";

const notes_count = Number(process.env.WHARF_TEST_OPERATIONS ?? 3_000);
const kills_count = Number(process.env.WHARF_TEST_KILLS ?? 16);
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

/** What the command has written so far. */
class RunLog {
  /** The seqs of the notes that completed runs covered, with the number of runs. */
  readonly covered = new Map<number, number>();
  /** All notes up to this one are covered. */
  through = 0;
  runs = 0;
  failed = 0;
  dropped = 0;
  /** The process of the run that is under way. */
  under_way: string | null = null;
  #unread = "";
  readonly #file = openSync(join(home, "runs.log"), "a+");
  readonly #buffer = Buffer.alloc(1 << 16);

  /** Reads what is new. Throws if a run began before the one before it was over. */
  read(): this {
    for (let length; (length = readSync(this.#file, this.#buffer)) > 0;) {
      const lines = (this.#unread + this.#buffer.toString("latin1", 0, length)).split("\n");
      this.#unread = lines.pop()!;
      for (const line of lines) this.#add(line.split(" ") as [string, string, ...string[]]);
    }
    while (this.covered.has(this.through + 1)) this.through++;
    return this;
  }

  #add([what, pid, ...seqs]: [string, string, ...string[]]): void {
    if (this.under_way !== (what === "begin" ? null : pid))
      throw new Error(`${what} of run ${pid} while run ${this.under_way} is under way`);
    if (what === "dropped") this.dropped++;
    else this.under_way = what === "begin" ? pid : null;
    if (what === "failed") this.failed++;
    if (what !== "end") return;
    this.runs++;
    for (const seq of seqs) this.covered.set(Number(seq), (this.covered.get(Number(seq)) ?? 0) + 1);
  }
}

test(`covers ${notes_count} notes, one run after the other, through ${kills_count} kills of either side or of both`, async () => {
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
  const log = new RunLog();
  const load = { made: 0, allowed: 0, stopped: false };
  const may_make = () => load.made < Math.min(load.allowed, log.through + uncovered_max);
  /** Claims and releases a job again and again: two notes for its poster. */
  async function work(id: string, who: Holder): Promise<void> {
    const client = createClient({
      url,
      key: who.key,
      fetch: (to, init) => fetch(to, { ...init, keepalive: false }),
    });
    for (let claims = true; !load.stopped;) {
      if (!may_make()) {
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

  const kills = { service: 0, watcher: 0, with_run: 0 };
  for (let kill = 1; kill <= kills_count; kill++) {
    // A share of the notes is made before the kill, and the next one may be made during it and the restarts.
    const share = notes_count / kills_count;
    load.allowed = share * (kill + 1);
    while (load.made < share * kill) {
      log.read();
      await Bun.sleep(20);
    }
    await Bun.sleep(below(500));
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
      if (log.read().under_way !== null) kills.with_run++;
      expect(log.through).toBeGreaterThanOrEqual(cursors.mailbox ?? 0);
      watcher = start();
    }
    if (what !== 0) service = await startBinary(settings);
  }
  load.stopped = true;
  await making;
  const last = await latest();
  // A run ends after its last line: a watcher that is stopped between the two stops the run, too, and saves nothing.
  while ((savedPosition(home)?.cursors.mailbox ?? 0) < last && watcher.process.exitCode === null) {
    log.read();
    await Bun.sleep(100);
  }
  watcher.process.kill("SIGTERM");
  expect([await watcher.ended, watcher.process.signalCode]).toEqual([0, null]);

  log.read();
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
