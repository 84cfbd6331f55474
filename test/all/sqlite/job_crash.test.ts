/** `kill -9` between a command and its note: the state of a job and the notes about it never differ. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Job } from "../../../src/api/jobs/jobs.ts";
import { freePort } from "../../support/free_port.ts";
import { callJob, postJob } from "../../support/jobs.ts";
import { claim, type Holder } from "../../support/names.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 40);
const workers = 16;

type Command = Parameters<typeof callJob>[3];

interface StoredJob {
  id: string;
  state: Job["state"];
  claim_no: number;
  verdict: string | null;
}

/** The notes that a job in this state must have: kind → count. */
function expectedNotes({ state, claim_no, verdict }: StoredJob, released: number): Record<string, number> {
  const over = state === "held" || state === "delivered" ? claim_no - 1 : claim_no;
  expect(released).toBe(over);
  return {
    ...(claim_no > 0 && { "job.claimed": claim_no }),
    ...(over > 0 && { "job.released": over }),
    ...(state === "delivered" && { "job.delivered": 1 }),
    ...(verdict && { "job.reviewed": 1 }),
  };
}

/** Compares every job in the file of the killed process with its notes. Returns the number of both. */
function compare(directory: string): { jobs: number; notes: number } {
  const database = new Database(join(directory, "wharf.db"), { readonly: true });
  const jobs = database.query("SELECT id, state, claim_no, verdict FROM jobs").all() as StoredJob[];
  const rows = database
    .query("SELECT content ->> 'job' AS job, kind, COUNT(*) AS count FROM notes GROUP BY job, kind")
    .all() as { job: string; kind: string; count: number }[];
  const gaps = database
    .query(
      "SELECT owner FROM mailboxes WHERE last_seq <> (SELECT COUNT(*) FROM notes WHERE owner = mailboxes.owner)",
    )
    .all();
  database.close();
  const notes_of = new Map<string, Record<string, number>>();
  for (const { job, kind, count } of rows) notes_of.set(job, { ...notes_of.get(job), [kind]: count });
  for (const job of jobs) {
    const notes = notes_of.get(job.id) ?? {};
    expect({ ...job, notes }).toEqual({ ...job, notes: expectedNotes(job, notes["job.released"] ?? 0) });
  }
  expect(gaps).toEqual([]);
  return { jobs: jobs.length, notes: rows.reduce((sum, { count }) => sum + count, 0) };
}

test(`keeps jobs and notes consistent on kill -9 between them, ${kills} times`, async () => {
  const { below, oneOf } = testRandom("kill -9 between command and note");
  const data_dir = newDirectory();
  const port = await freePort();
  let service = await startBinary({ data_dir, port });
  const { url } = service;
  let seen = { jobs: 0, notes: 0 };
  let killed_under_way = 0;

  for (let kill = 0; kill < kills; kill++) {
    // New names for each kill, so that no mailbox reaches its limit of 1,000 notes.
    const people: Holder[] = [];
    for (let n = 0; n < 4; n++) people.push(await claim(url, `Person ${kill} ${n}`));
    const load = { stopped: false, commands: 0 };
    const reached = Promise.withResolvers<void>();
    const enough = 1 + below(120);
    async function does(who: Holder, id: string, ...[name, body]: [Command, object?]): Promise<void> {
      const { status } = await callJob(url, who, id, name, body);
      expect(status).toBeLessThan(300);
      if (++load.commands === enough) reached.resolve();
    }

    /** Posts jobs and calls every command on them, until the service is killed. */
    async function work(poster: Holder, worker: Holder): Promise<void> {
      while (!load.stopped) {
        const { id } = await postJob(url, poster);
        for (let releases = below(3); releases > 0; releases--) {
          await does(worker, id, "claim");
          await does(worker, id, "release");
        }
        await does(worker, id, "claim");
        await does(worker, id, "deliver", { result: "done" });
        await does(poster, id, "review", { verdict: oneOf(["accepted", "disputed"]) });
      }
    }
    const working = Array.from({ length: workers }, (_, n) =>
      work(people[n % 4]!, people[(n + 1) % 4]!).catch((error: unknown) => {
        if (!load.stopped) throw error;
        killed_under_way++;
      }),
    );
    await reached.promise;
    load.stopped = true;
    service.process.kill("SIGKILL");
    await service.process.exited;
    await Promise.all(working);
    const found = compare(data_dir);
    expect(found.jobs).toBeGreaterThanOrEqual(seen.jobs);
    seen = found;
    service = await startBinary({ data_dir, port });
  }
  console.log(`${kills} kills, ${killed_under_way} calls under way; ${seen.jobs} jobs, ${seen.notes} notes`);
  expect(killed_under_way).toBeGreaterThan(kills);
  await service.stop();
  removeDirectory(data_dir);
}, 600_000);
