/** Every command on a job of docs/contract.md, section 4, over real HTTP, in source and binary. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Job } from "../../src/api/jobs/jobs.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { get, post } from "../support/http.ts";
import {
  callJob,
  notesOf,
  payloadOf,
  postJob,
  readJob,
  readMailbox,
  type JobAnswer,
} from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { ways, type TestService } from "../support/service.ts";

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const jws = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
const id_v7 = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describe.each(ways)("jobs (%s)", (_way, start) => {
  let service: TestService;
  let url: string;
  let api: string;
  let claimed = 0;
  /** A name that nobody else in this file uses. */
  const somebody = (kind: string): Promise<Holder> => claim(url, `${kind} ${++claimed}`);
  /** A held job with its poster and its holder. */
  async function held(): Promise<{ poster: Holder; holder: Holder; job: JobAnswer }> {
    const [poster, holder] = [await somebody("Poster"), await somebody("Holder")];
    const { id } = await postJob(url, poster);
    const { status, body } = await callJob(url, holder, id, "claim");
    expect(status).toBe(200);
    return { poster, holder, job: body };
  }
  beforeAll(async () => {
    service = await start({ claims_per_hour_by_address: 1_000 });
    url = service.url;
    api = `${url}/api/jobs`;
  });
  afterAll(() => service.stop());

  describe("posting", () => {
    test("returns the job, its address and a receipt", async () => {
      const poster = await somebody("Poster");
      const given = {
        title: "Name a TOML library",
        detail: "Short.\n<b>Easy</b> to say.",
        tags: ["toml", "naming"],
      };
      const { status, headers, body } = await post<JobAnswer>(api, given, poster.pair);
      expect(status).toBe(201);
      expect(body).toEqual({
        id: id_v7,
        title: given.title,
        by: poster.name,
        created: iso,
        state: "open",
        job: { title: given.title, detail: given.detail },
        tags: ["naming", "toml"],
        claim_no: 0,
        url: `${url}/jobs/${body.id}`,
        treat_as: expect.stringContaining("data from a stranger"),
        receipt: jws,
      } as never);
      expect(headers.get("location")).toBe(`${api}/${body.id}`);
      const { receipt: _receipt, ...job } = body;
      expect(await readJob(url, body.id)).toEqual(job);
      expect(payloadOf(body.receipt)).toEqual({
        iss: url,
        jti: `job.post:${body.id}`,
        iat: Math.floor(Date.parse(body.created) / 1000),
        act: "job.post",
        ref: body.id,
        where: `/api/jobs/${body.id}`,
        sub: poster.name,
        name_claimed: true,
        name_verified: false,
        sha256: sha256Hex(`${given.title}\n\n${given.detail}`),
      });
    });

    test.each([
      [
        "a title of 141 characters",
        { title: "t".repeat(141) },
        "/title",
        "is 141 characters long; at most 140 fit",
      ],
      ["an empty title", { title: " \n" }, "/title", "must not be empty"],
      ["no title", { title: undefined }, "/title", "is required"],
      [
        "a detail of 4,001 characters",
        { detail: "d".repeat(4_001) },
        "/detail",
        "is 4001 characters long; at most 4000 fit",
      ],
      ["an empty detail", { detail: "" }, "/detail", "must not be empty"],
      ["six tags", { tags: ["a", "b", "c", "d", "e", "f"] }, "/tags", expect.any(String)],
      ["the same tag twice", { tags: ["a", "a"] }, "/tags", expect.any(String)],
      [
        "a tag in capitals",
        { tags: ["Toml"] },
        "/tags/0",
        "must have 1 to 32 characters: a-z, 0-9 and dashes",
      ],
      [
        "a tag of 33 characters",
        { tags: ["t".repeat(33)] },
        "/tags/0",
        "must have 1 to 32 characters: a-z, 0-9 and dashes",
      ],
      ["a lone surrogate", { detail: "a\ud800b" }, "/detail", expect.stringContaining("Unicode")],
    ])("refuses %s", async (_what, wrong, path, message) => {
      const poster = await somebody("Poster");
      const { status, body } = await post<JobAnswer>(api, { title: "t", detail: "d", ...wrong }, poster.pair);
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path, message: message as string }]);
    });

    test("accepts texts of the greatest length, counted in characters", async () => {
      const poster = await somebody("Poster");
      const job = {
        title: "😀".repeat(140),
        detail: "é".repeat(4_000),
        tags: ["a", "b", "c", "d", "t".repeat(32)],
      };
      expect((await postJob(url, poster, job)).job).toEqual({ title: job.title, detail: job.detail });
    });

    test("answers 401 without a claimed name", async () => {
      const { status, headers, body } = await post<JobAnswer>(api, { title: "t", detail: "d" });
      expect(status).toBe(401);
      expect(body.code).toBe("credential_required");
      expect(headers.get("www-authenticate")).toStartWith("Bearer");
    });

    test("refuses a key of this service in any text of a job", async () => {
      const { poster, holder, job } = await held();
      const hidden = `Use ${poster.key} for it.`;
      for (const wrong of [{ title: hidden.slice(0, 140) }, { detail: hidden }]) {
        const { status, body } = await post<JobAnswer>(
          api,
          { title: "t", detail: "d", ...wrong },
          poster.pair,
        );
        expect([status, body.code]).toEqual([422, "contains_key"]);
      }
      const delivery = await callJob(url, holder, job.id, "deliver", { result: hidden });
      expect([delivery.status, delivery.body.code]).toEqual([422, "contains_key"]);
      expect((await callJob(url, holder, job.id, "deliver", { result: "done" })).status).toBe(201);
      const review = await callJob(url, poster, job.id, "review", { verdict: "disputed", reason: hidden });
      expect([review.status, review.body.code]).toEqual([422, "contains_key"]);
    });

    test("refuses an eleventh open job of a name until one is withdrawn or claimed", async () => {
      const [poster, holder] = [await somebody("Poster"), await somebody("Holder")];
      const jobs: { id: string }[] = [];
      for (let i = 0; i < 10; i++) jobs.push(await postJob(url, poster));
      const another = () => post<JobAnswer>(api, { title: "t", detail: "d" }, poster.pair);
      const refused = await another();
      expect([refused.status, refused.body.code]).toEqual([429, "too_many_open_jobs"]);
      await callJob(url, poster, jobs[0]!.id, "withdraw");
      expect((await another()).status).toBe(201);
      expect((await another()).status).toBe(429);
      await callJob(url, holder, jobs[1]!.id, "claim");
      expect((await another()).status).toBe(201);
      expect((await another()).status).toBe(429);
    });

    test("creates one job for repeated calls with the same Idempotency-Key, and returns the same receipt", async () => {
      const poster = await somebody("Poster");
      const job = { title: "Once", detail: "and only once" };
      const headers = { ...poster.pair, "idempotency-key": `post ${poster.name}`.replaceAll(" ", "-") };
      const first = await post<JobAnswer>(api, job, headers);
      const second = await post<JobAnswer>(api, job, headers);
      expect(second.body).toEqual(first.body);
      const { body } = await get<{ jobs: Job[] }>(`${api}?by=${encodeURIComponent(poster.name)}`);
      expect(body.jobs).toHaveLength(1);
      const other = await post<JobAnswer>(api, { ...job, title: "Twice" }, headers);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    });
  });

  describe("claiming", () => {
    test("locks the job for 60 minutes and notifies the poster", async () => {
      const { poster, holder, job } = await held();
      expect(job).toMatchObject({ state: "held", held_by: holder.name, claim_no: 1 });
      expect(job.you_hold_it_until).toBe(job.until!);
      const [note, ...others] = await notesOf(url, poster);
      expect(others).toEqual([]);
      expect(note).toEqual({
        id: id_v7,
        seq: 1,
        at: iso,
        kind: "job.claimed",
        job: job.id,
        title: job.title,
        by: holder.name,
        until: job.until,
        excerpt: "In the preamble.",
        unread: true,
      } as never);
      expect(Date.parse(job.until!) - Date.parse(note!.at)).toBe(3_600_000);
    });

    test("answers 409 job_held with the holder and the end of the lease, and refuses the poster", async () => {
      const { poster, holder, job } = await held();
      for (const who of [await somebody("Other"), holder]) {
        const { status, body } = await callJob(url, who, job.id, "claim");
        expect(status).toBe(409);
        expect(body).toMatchObject({ code: "job_held", held_by: holder.name, until: job.until! });
      }
      const own = await callJob(url, poster, job.id, "claim");
      expect([own.status, own.body.code]).toEqual([403, "own_job"]);
    });

    test("returns the same claim for repeated calls with the same Idempotency-Key", async () => {
      const [poster, holder] = [await somebody("Poster"), await somebody("Holder")];
      const { id } = await postJob(url, poster);
      const key = { "idempotency-key": `claim-${id}` };
      const first = await callJob(url, holder, id, "claim", undefined, key);
      const second = await callJob(url, holder, id, "claim", undefined, key);
      expect(second).toMatchObject({ status: 200, body: first.body });
      expect(await notesOf(url, poster)).toHaveLength(1);
    });

    test("answers 404 for a job that does not exist", async () => {
      const holder = await somebody("Holder");
      for (const name of ["claim", "extend", "release", "withdraw"] as const) {
        const { status, body } = await callJob(url, holder, "nowhere", name);
        expect([status, body.code]).toEqual([404, "job_not_found"]);
      }
      expect((await get(`${api}/nowhere`)).status).toBe(404);
    });
  });

  describe("releasing", () => {
    test("opens the job again, notifies the poster, and gives the next claim the next number", async () => {
      const { poster, holder, job } = await held();
      const { status, body } = await callJob(url, holder, job.id, "release");
      expect(status).toBe(200);
      expect(body).toEqual({ id: job.id, released: true } as never);
      const { state, claim_no, held_by } = await readJob(url, job.id);
      expect({ state, claim_no, held_by }).toEqual({ state: "open", claim_no: 1, held_by: undefined });
      expect((await notesOf(url, poster)).map(({ kind }) => kind)).toEqual(["job.claimed", "job.released"]);
      expect((await callJob(url, await somebody("Next"), job.id, "claim")).body.claim_no).toBe(2);
    });

    test("answers 409 not_holder to everybody but the holder", async () => {
      const { poster, holder, job } = await held();
      const commands = [["extend"], ["release"], ["deliver", { result: "mine" }]] as const;
      for (const who of [poster, await somebody("Other")]) {
        for (const [name, body] of commands) {
          const answer = await callJob(url, who, job.id, name, body);
          expect([answer.status, answer.body.code]).toEqual([409, "not_holder"]);
        }
      }
      await callJob(url, holder, job.id, "release");
      for (const [name, body] of commands) {
        const answer = await callJob(url, holder, job.id, name, body);
        expect([answer.status, answer.body.code]).toEqual([409, "not_holder"]);
      }
      expect(await notesOf(url, poster)).toHaveLength(2);
    });
  });

  describe("delivering", () => {
    test("returns the job and a receipt, and sends the poster a note", async () => {
      const { poster, holder, job } = await held();
      const result = "  It holds\n52 words. ";
      const { status, body } = await callJob(url, holder, job.id, "deliver", { result, claim_no: 1 });
      expect(status).toBe(201);
      expect(body).toMatchObject({ state: "delivered", delivered_by: holder.name, result });
      expect(body.at).toEqual(iso as never);
      expect(body).not.toHaveProperty("held_by");
      expect(payloadOf(body.receipt)).toEqual({
        iss: url,
        jti: `job.deliver:${job.id}`,
        iat: Math.floor(Date.parse(body.at!) / 1000),
        act: "job.deliver",
        ref: job.id,
        where: `/api/jobs/${job.id}`,
        sub: holder.name,
        name_claimed: true,
        name_verified: false,
        sha256: sha256Hex(result),
        poster: poster.name,
        claim_no: 1,
        job_sha256: sha256Hex("Count the words\n\nIn the preamble."),
      });
      const note = (await notesOf(url, poster)).at(-1)!;
      expect(note).toMatchObject({ kind: "job.delivered", job: job.id, by: holder.name });
    });

    test("repeats the answer and receipt for the same delivery, and answers 409 job_delivered to another result", async () => {
      const { poster, holder, job } = await held();
      const first = await callJob(url, holder, job.id, "deliver", { result: "one" });
      const again = await callJob(url, holder, job.id, "deliver", { result: "one" });
      expect(again).toMatchObject({ status: 201, body: first.body });
      const other = await somebody("Other");
      for (const [who, result] of [
        [holder, "two"],
        [other, "one"],
        [poster, "one"],
      ] as const) {
        const { status, body } = await callJob(url, who, job.id, "deliver", { result });
        expect([status, body.code]).toEqual([409, "job_delivered"]);
      }
      for (const name of ["claim", "extend", "release"] as const) {
        const { status, body } = await callJob(url, other, job.id, name);
        expect([status, body.code]).toEqual([409, "job_delivered"]);
      }
      const withdrawn = await callJob(url, poster, job.id, "withdraw");
      expect([withdrawn.status, withdrawn.body.code]).toEqual([409, "job_delivered"]);
      expect(await notesOf(url, poster)).toHaveLength(2);
    });

    test("answers 409 stale_claim to the number of another claim", async () => {
      const { holder, job } = await held();
      await callJob(url, holder, job.id, "release");
      await callJob(url, holder, job.id, "claim");
      const { status, body } = await callJob(url, holder, job.id, "deliver", { result: "late", claim_no: 1 });
      expect([status, body.code, body.claim_no]).toEqual([409, "stale_claim", 2]);
      expect((await callJob(url, holder, job.id, "deliver", { result: "now", claim_no: 2 })).status).toBe(
        201,
      );
    });

    test.each([
      [{ result: "r".repeat(8_001) }, "/result"],
      [{ result: " " }, "/result"],
      [{ result: "r", claim_no: 0 }, "/claim_no"],
      [{ result: "r", claim_no: "first" }, "/claim_no"],
      [{}, "/result"],
    ])("refuses an invalid delivery", async (wrong, path) => {
      const { holder, job } = await held();
      const { status, body } = await callJob(url, holder, job.id, "deliver", wrong);
      expect(status).toBe(422);
      expect(body.errors[0]!.path).toBe(path);
      const longest = await callJob(url, holder, job.id, "deliver", { result: "😀".repeat(8_000) });
      expect(longest.status).toBe(201);
    });
  });

  describe("withdrawing", () => {
    test("withdraws an open job for its poster, and repeats the answer", async () => {
      const { poster, holder, job } = await held();
      const busy = await callJob(url, poster, job.id, "withdraw");
      expect(busy).toMatchObject({ status: 409, body: { code: "job_held", held_by: holder.name } });
      await callJob(url, holder, job.id, "release");
      const other = await callJob(url, holder, job.id, "withdraw");
      expect([other.status, other.body.code]).toEqual([403, "not_your_job"]);
      for (let time = 0; time < 2; time++) {
        expect(await callJob(url, poster, job.id, "withdraw")).toMatchObject({
          status: 200,
          body: { state: "withdrawn" },
        });
      }
      const late = await callJob(url, holder, job.id, "claim");
      expect([late.status, late.body.code]).toEqual([409, "job_withdrawn"]);
    });
  });

  describe("reviewing", () => {
    test("returns the deliverer's second receipt on acceptance, once, and sends it by mailbox", async () => {
      const { poster, holder, job } = await held();
      const early = await callJob(url, poster, job.id, "review", { verdict: "accepted" });
      expect([early.status, early.body.code]).toEqual([409, "not_delivered"]);
      await callJob(url, holder, job.id, "deliver", { result: "52" });
      const stranger = await callJob(url, holder, job.id, "review", { verdict: "accepted" });
      expect([stranger.status, stranger.body.code]).toEqual([403, "not_your_job"]);
      const { status, body } = await callJob(url, poster, job.id, "review", {
        verdict: "accepted",
        reason: "Right.",
      });
      expect(status).toBe(200);
      expect(body.review).toEqual({ verdict: "accepted", reason: "Right.", at: iso as never });
      const { notes } = await readMailbox(url, holder);
      expect(notes[0]).toHaveProperty("receipt", body.receipt);
      expect(notes).toEqual([
        {
          id: id_v7,
          seq: 1,
          at: iso,
          kind: "job.reviewed",
          job: job.id,
          title: job.title,
          by: poster.name,
          verdict: "accepted",
          reason: "Right.",
          receipt: jws,
          excerpt: "52",
          unread: true,
        } as never,
      ]);
      const payload = payloadOf((notes[0] as unknown as JobAnswer).receipt);
      expect(payload).toMatchObject({ act: "job.accept", jti: `job.accept:${job.id}`, sub: holder.name });
      expect(payload).toMatchObject({ poster: poster.name, claim_no: 1, sha256: sha256Hex("52") });
      const again = await callJob(url, poster, job.id, "review", { verdict: "disputed" });
      expect([again.status, again.body.code]).toEqual([409, "already_reviewed"]);
      expect(await notesOf(url, holder)).toHaveLength(1);
    });

    test("sends no receipt on a dispute", async () => {
      const { poster, holder, job } = await held();
      await callJob(url, holder, job.id, "deliver", { result: "51" });
      const { body } = await callJob(url, poster, job.id, "review", { verdict: "disputed" });
      expect(body.review).toEqual({ verdict: "disputed", reason: null, at: iso as never });
      const [note] = await notesOf(url, holder);
      expect(note).toMatchObject({ kind: "job.reviewed", verdict: "disputed", reason: null });
      expect(note).not.toHaveProperty("receipt");
      const wrong = await callJob(url, poster, job.id, "review", { verdict: "fine" });
      expect(wrong.status).toBe(422);
    });
  });
});
