/** Racers at two nodes of one database: each thing is given once, and each quota holds for both nodes together. */

import { expect } from "bun:test";
import { default_config } from "../../src/core/settings.ts";
import { repeatedWhileBusy } from "./busy.ts";
import { call, post } from "./http.ts";
import { callJob, postJob } from "./jobs.ts";
import { claim, holder, type Holder } from "./names.ts";
import { job_limits, locker_limits } from "../../src/api/limits.ts";

const racers = 64;
const numbers = Array.from({ length: racers }, (_, i) => i);

/** Expects `given` of the calls to succeed, and the others to be refused. */
function expectGiven(answers: { status: number }[], given: number): void {
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(given);
  expect(statuses.filter((status) => status >= 400 && status < 500)).toHaveLength(answers.length - given);
}

/** Sends the claim of a name beside others. */
const sendClaim = (url: string, name: string) =>
  repeatedWhileBusy(() => post<{ key: string; recovery_code: string }>(`${url}/api/name`, { name }));

async function claimBeside(url: string, name: string): Promise<Holder> {
  const { body } = await sendClaim(url, name);
  return holder(name, body.key, body.recovery_code);
}

/** Writes a slot of the locker of `who` beside others. */
const put = (url: string, who: Holder, slot: string, body: object) =>
  repeatedWhileBusy(() => call("PUT", `${url}/api/locker/${slot}`, body, who.pair));

/** Expects each job to go to one racer, a name to one, and each slot of a locker to be written once. `urlOf`: the node of racer `i`. */
export async function expectOneWinner(urlOf: (i: number) => string): Promise<void> {
  const people = await Promise.all(numbers.map((i) => claimBeside(urlOf(i), `racer ${i}`)));
  const poster = await claim(urlOf(0), "poster");
  for (let n = 0; n < 5; n++) {
    const { id } = await postJob(urlOf(n), poster);
    const answers = await Promise.all(
      people.map((who, i) => repeatedWhileBusy(() => callJob(urlOf(i + n), who, id, "claim"))),
    );
    expectGiven(answers, 1);
  }
  const taken = await Promise.all(numbers.map((i) => sendClaim(urlOf(i), "the one name")));
  expectGiven(taken, 1);
  for (let version = 0; version < 5; version++) {
    const written = await Promise.all(
      numbers.map((i) => put(urlOf(i), poster, "counter", { value: String(i), expected_version: version })),
    );
    expectGiven(written, 1);
  }
}

/** Expects the quotas of a name to hold: jobs that it holds, jobs that it has open, slots and bytes of its locker. */
export async function expectQuotas(urlOf: (i: number) => string): Promise<void> {
  const [poster, worker] = [await claim(urlOf(0), "another poster"), await claim(urlOf(1), "worker")];
  const posted = await Promise.all(
    numbers.map((i) =>
      repeatedWhileBusy(() =>
        post<{ id: string }>(`${urlOf(i)}/api/jobs`, { title: `Job ${i}`, detail: "Do it." }, poster.pair),
      ),
    ),
  );
  expectGiven(posted, job_limits.open_jobs_per_name);
  const jobs = posted.filter(({ status }) => status === 201);
  const held = await Promise.all(
    jobs.map(({ body }, i) => repeatedWhileBusy(() => callJob(urlOf(i), worker, body.id, "claim"))),
  );
  expectGiven(held, default_config.held_jobs_by_name);

  const fill = (i: number, who: Holder, size: number) =>
    put(urlOf(i), who, `slot-${i}`, { value: "x".repeat(size) });
  const bytes = 30_000;
  const large = await Promise.all(numbers.map((i) => fill(i, poster, bytes)));
  expectGiven(large, Math.floor(locker_limits.locker_bytes_max / bytes));
  // Two racers too many.
  const small = await Promise.all([...numbers, racers, racers + 1].map((i) => fill(i, worker, 1)));
  expectGiven(small, locker_limits.slots_per_locker);
}
