/** The tools of jobs and mailboxes: both forms of every result, every refusal with the next call, and the life of a job. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeanJob } from "../../src/api/jobs/jobs.ts";
import type { LeanNote } from "../../src/api/mailbox.ts";
import { callJob, payloadOf, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { testCalls, type GoodCall, type RefusedCall } from "../support/tool_calls.ts";
import { callTool, codeOf } from "../support/tools.ts";
import { job_limits } from "../../src/api/limits.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
let carol: Holder;
beforeAll(async () => {
  service = await startSource({ held_jobs_by_name: 1_000 });
  url = service.url;
  [ada, bob, carol] = [await claim(url, "Ada"), await claim(url, "Bob"), await claim(url, "Carol")];
});
afterAll(() => service.stop());

/** A job of Ada's up to `state`: held by Bob, delivered by him, reviewed by her. */
async function jobIn(state: "open" | "held" | "delivered" | "reviewed" | "withdrawn"): Promise<string> {
  const { id } = await postJob(url, ada, { tags: ["words"] });
  if (state === "open") return id;
  if (state === "withdrawn") await callJob(url, ada, id, "withdraw");
  else await callJob(url, bob, id, "claim");
  if (state === "delivered" || state === "reviewed")
    await callJob(url, bob, id, "deliver", { result: "52 ```words```" });
  if (state === "reviewed")
    await callJob(url, ada, id, "review", { verdict: "accepted", reason: "Well\ndone." });
  return id;
}

const text = { title: "Count the words", detail: "In the\npreamble." };

const good_calls: GoodCall[] = [
  ["jobs_list", async () => [{}], null],
  ["jobs_list", async () => [{ state: "withdrawn", limit: 100 }], null],
  [
    "jobs_list",
    async () => (
      await jobIn("open"),
      [{ state: "open", by: "ada", tag: "words", query: "preamble", limit: 1, max_tokens: 1 }]
    ),
    null,
  ],
  ["jobs_list", async () => (await jobIn("held"), [{ held_by: "BOB", max_tokens: 100 }]), null],
  ["jobs_list", async () => [{ by: "Nobody", sort: "oldest", cursor: null }], null],
  ["job_read", async () => [{ id: await jobIn("open") }], null],
  ["job_read", async () => [{ id: await jobIn("held") }], null],
  ["job_read", async () => [{ id: await jobIn("delivered") }], null],
  ["job_read", async () => [{ id: await jobIn("reviewed") }], null],
  ["job_read", async () => [{ id: await jobIn("withdrawn") }], null],
  ["job_read", async () => [{ id: `${url}/jobs/${await jobIn("open")}.md` }], null],
  ["job_post", async () => [text, carol], null],
  ["job_post", async () => [{ ...text, tags: ["a", "b"], receipt: true }, carol], null],
  ["job_claim", async () => [{ id: await jobIn("open") }, bob], null],
  ["job_update", async () => [{ id: await jobIn("held"), do: "extend" }, bob], null],
  ["job_update", async () => [{ id: await jobIn("held"), do: "release" }, bob], null],
  ["job_deliver", async () => [{ id: await jobIn("held"), result: "52", claim_no: 1 }, bob], null],
  ["job_update", async () => [{ id: await jobIn("open"), do: "withdraw" }, ada], null],
  [
    "job_review",
    async () => [{ id: await jobIn("delivered"), verdict: "disputed", reason: "51." }, ada],
    null,
  ],
  ["job_review", async () => [{ id: await jobIn("delivered"), verdict: "accepted" }, ada], null],
  ["mailbox_read", async () => [{}, bob], /^mailbox_ack {"through":\d+}$/],
  ["mailbox_read", async () => [{ limit: 1 }, bob], /^mailbox_ack {"through":1}$/],
  ["mailbox_read", async () => [{ receipt: true }, bob], /^mailbox_ack {"through":\d+}$/],
  ["mailbox_read", async () => [{}, carol], null],
  ["mailbox_ack", async () => [{ through: 1 }, bob], null],
  ["mailbox_ack", async () => [{ through: 0 }, carol], null],
];

const long = "x".repeat(job_limits.job_result_chars_max + 1);
const nowhere = "00000000-0000-7000-8000-000000000000";

const refused_calls: RefusedCall[] = [
  [
    "jobs_list",
    "invalid_fields",
    async () => [{ limit: 101 }],
    /limit: must be a whole number from 1 to 100/,
  ],
  ["jobs_list", "invalid_fields", async () => [{ state: "lost" }], /state: must be "open" or "held" or/],
  ["jobs_list", "invalid_fields", async () => [{ cursor: "?" }], /cursor: .*\nNext: Correct what is named/],
  [
    "jobs_list",
    "unknown_credential",
    async () => [{ key: "wfk_x" }],
    /Next: The key's checksum does not fit/,
  ],
  ["job_read", "invalid_fields", async () => [{}], /id: is required\nNext: Correct/],
  ["job_read", "job_not_found", async () => [{ id: nowhere }], /Next: jobs_list/],
  ["job_read", "job_not_found", async () => [{ id: `${url}/jobs` }], /Next: jobs_list/],
  ["job_post", "credential_required", async () => [text], /Next: .*name_claim/],
  ["job_post", "invalid_fields", async () => [{}, ada], /title: is required; detail: is required/],
  [
    "job_post",
    "invalid_fields",
    async () => [{ ...text, tags: ["A"] }, ada],
    /tags\/0: must have 1 to 32 characters: a-z/,
  ],
  [
    "job_post",
    "contains_key",
    async () => [{ ...text, detail: `My key is ${carol.key}` }, ada],
    /Next: Take the key out/,
  ],
  ["job_claim", "credential_required", async () => [{ id: nowhere }], /Next: .*name_claim/],
  ["job_claim", "job_not_found", async () => [{ id: nowhere }, bob], /Next: jobs_list/],
  [
    "job_claim",
    "job_held",
    async () => [{ id: await jobIn("held") }, carol],
    /until 2026.*\nNext: jobs_list/,
  ],
  ["job_claim", "job_delivered", async () => [{ id: await jobIn("delivered") }, bob], /Next: job_read/],
  ["job_claim", "job_withdrawn", async () => [{ id: await jobIn("withdrawn") }, bob], /Next: jobs_list/],
  ["job_claim", "own_job", async () => [{ id: await jobIn("open") }, ada], /Next: jobs_list/],
  [
    "job_update",
    "not_holder",
    async () => [{ id: await jobIn("open"), do: "extend" }, bob],
    /Next: job_read .*job_claim/,
  ],
  ["job_update", "credential_required", async () => [{ id: nowhere, do: "extend" }], /Next: .*name_claim/],
  [
    "job_update",
    "not_holder",
    async () => [{ id: await jobIn("held"), do: "release" }, carol],
    /Next: job_read/,
  ],
  [
    "job_update",
    "job_delivered",
    async () => [{ id: await jobIn("delivered"), do: "release" }, bob],
    /Next: job_read/,
  ],
  [
    "job_deliver",
    "not_holder",
    async () => [{ id: await jobIn("open"), result: "1" }, bob],
    /Next: job_read/,
  ],
  [
    "job_deliver",
    "stale_claim",
    async () => [{ id: await jobIn("held"), result: "1", claim_no: 9 }, bob],
    /present claim is number 1.*\nNext: job_read shows .* send its claim_no/,
  ],
  [
    "job_deliver",
    "invalid_fields",
    async () => [{ id: nowhere, result: long, claim_no: 0 }, bob],
    /result: is 8001 characters long.*claim_no: must be/,
  ],
  [
    "job_deliver",
    "contains_key",
    async () => [{ id: nowhere, result: bob.key }, bob],
    /Next: Take the key out/,
  ],
  [
    "job_deliver",
    "job_delivered",
    async () => [{ id: await jobIn("delivered"), result: "53" }, bob],
    /Next: job_read/,
  ],
  [
    "job_update",
    "not_your_job",
    async () => [{ id: await jobIn("open"), do: "withdraw" }, bob],
    /Next: Its poster/,
  ],
  [
    "job_update",
    "job_held",
    async () => [{ id: await jobIn("held"), do: "withdraw" }, ada],
    /Next: jobs_list/,
  ],
  [
    "job_update",
    "invalid_fields",
    async () => [{ id: await jobIn("held"), do: "deliver" }, bob],
    /do: must be "extend" or "release" or "withdraw"\nNext: Correct what is named and call job_update/,
  ],
  ["job_update", "invalid_fields", async () => [{}, bob], /id: is required; do: is required/],
  [
    "job_review",
    "not_delivered",
    async () => [{ id: await jobIn("held"), verdict: "accepted" }, ada],
    /Next: mailbox_read {"wait_seconds":50}/,
  ],
  [
    "job_review",
    "already_reviewed",
    async () => [{ id: await jobIn("reviewed"), verdict: "disputed" }, ada],
    /Next: Do nothing more. job_read/,
  ],
  [
    "job_review",
    "not_your_job",
    async () => [{ id: await jobIn("delivered"), verdict: "accepted" }, bob],
    /poster/,
  ],
  [
    "job_review",
    "invalid_fields",
    async () => [{ id: nowhere, verdict: "good" }, ada],
    /"accepted" or "disputed"/,
  ],
  ["mailbox_read", "credential_required", async () => [{}], /Next: .*name_claim/],
  [
    "mailbox_read",
    "invalid_fields",
    async () => [{ wait_seconds: 281 }, bob],
    /wait_seconds: must be a whole/,
  ],
  ["mailbox_ack", "credential_required", async () => [{ through: 1 }], /Next: .*name_claim/],
  [
    "mailbox_ack",
    "invalid_fields",
    async () => [{ through: 999 }, carol],
    /through: is beyond the latest note/,
  ],
];

testCalls(() => service, /^job|^mailbox/, good_calls, refused_calls);

describe("a job, by tools", () => {
  let jobs: SourceService;
  let poster: Holder;
  let worker: Holder;
  const call = async (name: string, args: object, who?: Holder) => {
    const answer = await callTool(jobs.url, name, args, who?.pair);
    return { ...answer, code: codeOf(answer), result: answer.structuredContent as never };
  };
  beforeAll(async () => {
    jobs = await startSource();
    [poster, worker] = [await claim(jobs.url, "Poster"), await claim(jobs.url, "Worker")];
  });
  afterAll(() => jobs.stop());

  interface JobList {
    jobs: LeanJob[];
    more?: number;
    next_cursor?: string;
  }
  interface Mail {
    notes: LeanNote[];
    more?: number;
    next_since: number;
  }
  const read = async (args: object, who: Holder): Promise<Mail> =>
    (await call("mailbox_read", args, who)).result;
  const open = async (): Promise<string> => {
    const posted = await call("job_post", text, poster);
    return (posted.result as { id: string }).id;
  };

  test("notifies a waiting reader of the claim, ends the lease by the clock, and refuses a late delivery", async () => {
    const id = await open();
    const waiting = read({ wait_seconds: 50 }, poster);
    await jobs.clock.timerAt(50);
    const claimed: { claim_no: number } = (await call("job_claim", { id }, worker)).result;
    const { notes, next_since } = await waiting;
    expect(notes.map(({ kind, job }) => [kind, job])).toEqual([["job.claimed", id]]);

    jobs.clock.advance(3_600);
    const { notes: news } = await read({ since: next_since }, poster);
    expect(news.map(({ kind }) => kind)).toEqual(["job.lapsed"]);
    const late = { id, result: "late", claim_no: claimed.claim_no };
    expect((await call("job_deliver", late, worker)).code).toBe("not_holder");
    await call("job_claim", { id }, worker);
    expect((await call("job_deliver", late, worker)).code).toBe("stale_claim");
  });

  test("extends a lease to 24 hours and no further", async () => {
    const id = await open();
    await call("job_claim", { id }, worker);
    for (let hours = 0.5; hours <= 23; hours += 0.5) {
      jobs.clock.advance(1_800);
      expect((await call("job_update", { id, do: "extend" }, worker)).code).toBeNull();
    }
    jobs.clock.advance(1_800);
    const spent = await call("job_update", { id, do: "extend" }, worker);
    expect(spent.code).toBe("lease_spent");
    expect(spent.content[0]!.text).toContain("Next: Deliver before the lock ends");
  });

  test("returns the same receipt for a repeated delivery, and sends the deliverer another on acceptance", async () => {
    const id = await open();
    await call("job_claim", { id }, worker);
    const deliver = async () =>
      ((await call("job_deliver", { id, result: "52" }, worker)).result as { receipt: string }).receipt;
    const receipt = await deliver();
    expect(await deliver()).toBe(receipt);
    const { next_since } = await read({ limit: 200 }, worker);
    const reviewed = await call("job_review", { id, verdict: "accepted" }, poster);
    expect((await read({ since: next_since }, worker)).notes[0]).toMatchObject({ has_receipt: true });
    const { notes } = await read({ since: next_since, receipt: true }, worker);
    expect(reviewed.result).toEqual({ id, verdict: "accepted", receipt: notes[0]!.receipt } as never);
    expect(payloadOf(notes[0]!.receipt!)).toMatchObject({
      act: "job.accept",
      sub: "Worker",
      ref: id,
    });
  });

  test("refuses the eleventh open job, and names the call that makes room", async () => {
    for (;;) {
      const posted = await call("job_post", text, poster);
      if (posted.code === null) continue;
      expect(posted.code).toBe("too_many_open_jobs");
      expect(posted.content[0]!.text).toContain('Next: job_update {"do":"withdraw"}');
      break;
    }
    const page = await call("jobs_list", { state: "open", by: "poster", limit: 100 });
    expect((page.result as JobList).jobs).toHaveLength(job_limits.open_jobs_per_name);
  });

  test("returns everything once by next_since and by next_cursor", async () => {
    const all = await read({ limit: 200 }, poster);
    const seqs: number[] = [];
    for (
      let page = await read({ limit: 2 }, poster);
      ;
      page = await read({ limit: 2, since: page.next_since }, poster)
    ) {
      seqs.push(...page.notes.map(({ seq }) => seq));
      if (!page.more) break;
    }
    expect(seqs).toEqual(all.notes.map(({ seq }) => seq));
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page: JobList = (await call("jobs_list", { limit: 3, cursor: cursor ?? null })).result;
      ids.push(...page.jobs.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    const whole: JobList = (await call("jobs_list", { limit: 100 })).result;
    expect(ids).toEqual(whole.jobs.map(({ id }) => id));
  });

  test("lists whole jobs within max_tokens, one at least, and says how many more there are", async () => {
    const whole: JobList = (await call("jobs_list", { limit: 8 })).result;
    const lengths = whole.jobs.map(
      ({ title, detail, result = "" }) => 160 + (title + detail + result).length,
    );
    const three = Math.ceil(lengths.slice(0, 3).reduce((sum, length) => sum + length) / 4);
    for (const [max_tokens, count] of [
      [1, 1],
      [three, 3],
      [1_000_000, 8],
    ] as const) {
      const {
        jobs: listed,
        more,
        next_cursor,
      }: JobList = (await call("jobs_list", { limit: 8, max_tokens })).result;
      expect([listed, more]).toEqual([whole.jobs.slice(0, count), count === 8 ? undefined : 8 - count]);
      const after: JobList = (await call("jobs_list", { limit: 8 - count || 1, cursor: next_cursor })).result;
      expect(after.jobs.slice(0, 8 - count)).toEqual(whole.jobs.slice(count));
    }
  });

  test("lists the jobs that a name holds, until it no longer holds them", async () => {
    const held = async () =>
      ((await call("jobs_list", { held_by: "WORKER" })).result as JobList).jobs.map(({ id }) => id);
    for (const id of await held()) await call("job_update", { id, do: "release" }, worker);
    expect(await held()).toEqual([]);
    const [first, second] = ((await call("jobs_list", { state: "open", limit: 2 })).result as JobList).jobs;
    for (const job of [first!, second!]) await call("job_claim", { id: job.id }, worker);
    expect(await held()).toEqual([first!.id, second!.id]);
    expect((await call("jobs_list", { held_by: "Worker", state: "open" })).result).toMatchObject({
      jobs: [],
    });
    expect((await call("jobs_list", { held_by: "Poster" })).result).toMatchObject({ jobs: [] });
    await call("job_deliver", { id: first!.id, result: "done" }, worker);
    expect(await held()).toEqual([second!.id]);
    const { next_since } = await read({}, poster);
    jobs.clock.advance(3_600);
    expect(await held()).toEqual([]);
    const { notes } = await read({ since: next_since, wait_seconds: 20 }, poster);
    expect(notes).toMatchObject([{ kind: "job.lapsed", job: second!.id }]);
  });

  test("says where reading continues after the mailbox was cleared", async () => {
    await fetch(`${jobs.url}/api/mailbox`, { method: "DELETE", headers: poster.pair });
    const { notes, next_since } = await read({}, poster);
    expect(notes).toEqual([]);
    expect((await call("mailbox_read", { since: next_since }, poster)).code).toBeNull();
    const lost = await call("mailbox_read", { since: next_since - 1 }, poster);
    expect(lost.code).toBe("notes_pruned");
    expect(lost.content[0]!.text).toContain(`Next: Go on with since=${next_since}`);
  });
});
