/** The limit of jobs that one name holds at a time: over real HTTP, and with concurrent claims on the real engine. */

import { afterEach, expect, test } from "bun:test";
import { callJob, postJob, readJob, type JobAnswer } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
afterEach(() => service.stop());

/** Posts this many jobs, ten a name. */
async function postJobs(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let poster: Holder; ids.length < count;) {
    poster = await claim(service.url, `Poster ${ids.length}`);
    while (ids.length < count && ids.push((await postJob(service.url, poster)).id) % 10 !== 0);
  }
  return ids;
}
const code = ({ status, body }: { status: number; body: JobAnswer }) => [status, body.code];
const too_many = [429, "too_many_held_jobs"];

test("answers 429 to a sixth claim of a name until one of its five jobs is delivered, released or expires", async () => {
  service = await startSource();
  const { url, clock } = service;
  const ids = await postJobs(9);
  const bob = await claim(url, "Bob");
  const take = (n: number) => callJob(url, bob, ids[n]!, "claim");
  for (let n = 0; n < 5; n++) expect((await take(n)).status).toBe(200);
  const refused = await take(5);
  expect(code(refused)).toEqual(too_many);
  // Until the first lease ends.
  expect(refused.headers.get("retry-after")).toBe("3600");
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(refused.body).toMatchObject({ retryable: true, hint: expect.stringContaining("release") });
  // The code for a job that is already held comes first.
  expect(code(await take(0))).toEqual([409, "job_held"]);
  expect((await readJob(url, ids[5]!)).state).toBe("open");

  expect((await callJob(url, bob, ids[0]!, "deliver", { result: "done" })).status).toBe(201);
  expect((await take(5)).status).toBe(200);
  expect(code(await take(6))).toEqual(too_many);
  expect((await callJob(url, bob, ids[1]!, "release")).status).toBe(200);
  expect((await take(6)).status).toBe(200);
  expect(code(await take(7))).toEqual(too_many);
  clock.advance(3600);
  for (let n = 2; n < 7; n++) expect([n, (await take(n)).status]).toEqual([n, 200]);
  expect(code(await take(7))).toEqual(too_many);
  const refusal = await callTool(url, "job_claim", { id: ids[7] }, bob.pair);
  expect(refusal.content[0]!.text).toContain("too_many_held_jobs");
  expect(refusal.content[0]!.text).toContain(
    'job_deliver delivers one, job_update {"do":"release"} gives one back',
  );
});

test("accepts five of fifty concurrent claims of one name", async () => {
  service = await startSource();
  const { url } = service;
  const ids = await postJobs(50);
  const bob = await claim(url, "Bob");
  const answers = await Promise.all(ids.map((id) => callJob(url, bob, id, "claim")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ body }) => body.code === "too_many_held_jobs")).toHaveLength(45);
  const jobs = await Promise.all(ids.map((id) => readJob(url, id)));
  expect(jobs.filter(({ state }) => state === "held")).toHaveLength(5);
});

test("takes the limit from --held-jobs-by-name", async () => {
  service = await startSource({ held_jobs_by_name: 1 });
  const ids = await postJobs(2);
  const bob = await claim(service.url, "Bob");
  expect((await callJob(service.url, bob, ids[0]!, "claim")).status).toBe(200);
  expect(code(await callJob(service.url, bob, ids[1]!, "claim"))).toEqual(too_many);
});
