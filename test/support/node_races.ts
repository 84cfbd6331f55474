/** Racers at two nodes of one database: each thing is given once, and each quota holds for both nodes together. */

import { expect } from "bun:test";
import { default_config } from "../../src/core/settings.ts";
import { call, post } from "./http.ts";
import { callJob, postJob } from "./jobs.ts";
import { claim } from "./names.ts";
import { job_limits, locker_limits } from "../../src/api/limits.ts";

const racers = 64;
const numbers = Array.from({ length: racers }, (_, i) => i);

/** Expects `given` of the calls to succeed, and the others to be refused. */
function expectGiven(answers: { status: number }[], given: number): void {
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(given);
  expect(statuses.filter((status) => status >= 400 && status < 500)).toHaveLength(answers.length - given);
}

/** Expects each job to go to one racer, a name to one, and each slot of a locker to be written once. `urlOf`: the node of racer `i`. */
export async function expectOneWinner(urlOf: (i: number) => string): Promise<void> {
  const people = await Promise.all(numbers.map((i) => claim(urlOf(i), `racer ${i}`)));
  const poster = await claim(urlOf(0), "poster");
  for (let n = 0; n < 5; n++) {
    const { id } = await postJob(urlOf(n), poster);
    const answers = await Promise.all(people.map((who, i) => callJob(urlOf(i + n), who, id, "claim")));
    expectGiven(answers, 1);
  }
  const taken = await Promise.all(numbers.map((i) => post(`${urlOf(i)}/api/name`, { name: "the one name" })));
  expectGiven(taken, 1);
  for (let version = 0; version < 5; version++) {
    const written = await Promise.all(
      numbers.map((i) =>
        call(
          "PUT",
          `${urlOf(i)}/api/locker/counter`,
          { value: String(i), expected_version: version },
          poster.pair,
        ),
      ),
    );
    expectGiven(written, 1);
  }
}

/** Expects the quotas of a name to hold: jobs that it holds, jobs that it has open, slots and bytes of its locker. */
export async function expectQuotas(urlOf: (i: number) => string): Promise<void> {
  const [poster, holder] = [await claim(urlOf(0), "another poster"), await claim(urlOf(1), "holder")];
  const posted = await Promise.all(
    numbers.map((i) =>
      post<{ id: string }>(`${urlOf(i)}/api/jobs`, { title: `Job ${i}`, detail: "Do it." }, poster.pair),
    ),
  );
  expectGiven(posted, job_limits.open_jobs_per_name);
  const jobs = posted.filter(({ status }) => status === 201);
  const held = await Promise.all(jobs.map(({ body }, i) => callJob(urlOf(i), holder, body.id, "claim")));
  expectGiven(held, default_config.held_jobs_by_name);

  const put = (i: number, who: typeof holder, size: number) =>
    call("PUT", `${urlOf(i)}/api/locker/slot-${i}`, { value: "x".repeat(size) }, who.pair);
  const bytes = 30_000;
  const large = await Promise.all(numbers.map((i) => put(i, poster, bytes)));
  expectGiven(large, Math.floor(locker_limits.locker_bytes_max / bytes));
  // Two racers too many.
  const small = await Promise.all([...numbers, racers, racers + 1].map((i) => put(i, holder, 1)));
  expectGiven(small, locker_limits.slots_per_locker);
}
