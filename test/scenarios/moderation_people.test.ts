/** A removed slot, a withdrawn job and reports: each way to read shows the text before, and none afterwards, nor does any file. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { orThrow, type Client } from "../../src/client/client.ts";
import { storage_limits } from "../../src/storage/limits.ts";
import { asOwner, auditOf, ownerOf } from "../support/admin.ts";
import { clientOf } from "../support/client.ts";
import { send } from "../support/http.ts";
import { callJob, postJob, readMailbox } from "../support/jobs.ts";
import { ask } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, speak } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { untilErased } from "../support/stored.ts";

let service: SourceService;
let api: Client;
let poster: Holder;
let worker: Holder;
beforeAll(async () => {
  service = await startSource();
  api = clientOf(service.url);
  poster = await claim(service.url, "poster");
  worker = await claim(service.url, "worker");
});
afterAll(() => service.stop());

const reason = "illegal content";
const act = (path: string) => asOwner(service, "POST", `/api/admin/${path}`, { reason });
const lines = () => auditOf(service);

/** The text of each way to read, by its name. */
type Ways = Record<string, () => Promise<string>>;
const text =
  (path: string, headers: Record<string, string> = {}) =>
  async () =>
    (await send("GET", service.url + path, headers)).body;
const tool = (name: string, args: object) => async () =>
  JSON.stringify(await ask(`${service.url}/mcp`, "tools/call", { name, arguments: args }));
const showing = async (ways: Ways, word: string): Promise<string[]> => {
  const shown: string[] = [];
  for (const [way, read] of Object.entries(ways))
    if ((await read()).toLowerCase().includes(word)) shown.push(way);
  return shown;
};

test("a removed slot is gone from every answer, tool and file", async () => {
  const word = "slotcanary";
  const put = await clientOf(service.url, poster).put("/api/locker/{slot}", {
    path: { slot: "notes/a" },
    body: { value: word, public: true },
  });
  expect(put.status).toBe(201);
  const path = "/locker/poster/notes/a";
  const ways: Ways = {
    json: text(path, { accept: "application/json" }),
    text: text(path, { accept: "text/plain" }),
    page: text(path, { accept: "text/html" }),
    markdown: text(`${path}.md`),
    owner: text("/api/locker/notes/a", poster.pair),
    tool: tool("locker_get", { name: "poster", slot: "notes/a", owner: "poster" }),
  };
  const lists: Ways = {
    index: text("/api/locker/index"),
    "index page": text("/locker", { accept: "text/html" }),
    list: text("/api/locker", poster.pair),
    "index tool": tool("locker_list", { of: "all" }),
  };
  const seen = await showing(ways, word);
  expect(seen).toEqual(expect.arrayContaining(["json", "text", "page", "markdown", "owner"]));
  expect(await showing(lists, "notes/a")).toEqual(Object.keys(lists));
  const { etag } = Object.fromEntries((await send("GET", service.url + path)).headers) as { etag: string };
  expect((await act("lockers/POSTER/notes%2Fa/remove")).body).toMatchObject({
    removed: true,
    found: { public: true },
  });
  expect(await showing(ways, word)).toEqual([]);
  expect(await showing(lists, "notes/a")).toEqual([]);
  expect((await send("GET", service.url + path, { "if-none-match": etag })).status).toBe(404);
  expect((await act("lockers/poster/notes%2Fa/remove")).body).toMatchObject({ code: "slot_not_found" });
  expect((await lines())[0]).toMatchObject({ action: "slot.remove", target: "slot poster/notes/a", reason });
  await untilErased(service.directory, word);
});

describe("a withdrawn job", () => {
  const words = ["titlecanary", "detailcanary", "resultcanary", "tagcanary", "reviewcanary"];

  const waysOf = (id: string): Ways => ({
    json: text(`/api/jobs/${id}`),
    lean: text(`/api/jobs/${id}?fields=lean`),
    markdown: text(`/jobs/${id}.md`),
    page: text(`/jobs/${id}`, { accept: "text/html" }),
    board: text("/api/jobs"),
    "board page": text("/jobs", { accept: "text/html" }),
    "board markdown": text("/api/jobs.md"),
    tag: text("/api/jobs?tag=tagcanary"),
    "own jobs": text("/api/jobs?by=poster"),
    search: text("/api/jobs?q=titlecanary"),
    "poster's mailbox": text("/api/mailbox", poster.pair),
    "worker's mailbox": text("/api/mailbox", worker.pair),
    "poster's lean mailbox": text("/api/mailbox?fields=lean&since=0", poster.pair),
    read: tool("job_read", { id }),
    list: tool("jobs_list", {}),
    mailbox: tool("mailbox_read", { name: "poster", key: poster.key, since: 0 }),
  });

  test.each(["open", "held", "delivered", "reviewed", "withdrawn"])(
    "that was %s is gone from every answer, tool and file",
    async (state) => {
      const once = { "idempotency-key": crypto.randomUUID() };
      const job = { title: "A titlecanary", detail: "The detailcanary.", tags: ["tagcanary"] };
      const postOnce = () => clientOf(service.url, poster).post("/api/jobs", { body: job, headers: once });
      const { id } = await orThrow(postOnce());
      const step = async (who: Holder, name: "claim" | "deliver" | "review" | "withdraw", body?: object) =>
        expect(
          (await callJob(service.url, who, id, name, body, { "idempotency-key": crypto.randomUUID() }))
            .status,
        ).toBeLessThan(300);
      if (state === "withdrawn") await step(poster, "withdraw");
      else if (state !== "open") await step(worker, "claim");
      if (["delivered", "reviewed"].includes(state))
        await step(worker, "deliver", { result: "A resultcanary." });
      if (state === "reviewed") await step(poster, "review", { verdict: "accepted", reason: "reviewcanary" });
      const ways = waysOf(id);
      const before = await orThrow(api.get("/api/jobs"));
      const seen = await showing(ways, "canary");
      expect(seen).toEqual(
        expect.arrayContaining([
          "json",
          "lean",
          "markdown",
          "page",
          "board",
          "tag",
          "own jobs",
          "search",
          "read",
        ]),
      );
      if (state !== "open" && state !== "withdrawn") {
        expect(seen).toEqual(
          expect.arrayContaining(["poster's mailbox", "poster's lean mailbox", "mailbox"]),
        );
      }

      const answer = await act(`jobs/${id.toUpperCase()}/withdraw`);
      expect(answer.body).toMatchObject({
        id,
        state: "withdrawn",
        redacted: "operator",
        title: "",
        tags: [],
      });
      expect(await showing(ways, "canary")).toEqual([]);
      const after = await orThrow(api.get("/api/jobs"));
      expect([after.total, after.open]).toEqual([before.total, before.open - (state === "open" ? 1 : 0)]);
      const found = { state: "withdrawn", title: "" };
      expect((await act(`jobs/${id}/withdraw`)).body).toEqual({ ...(answer.body as object), found });
      expect((await lines()).filter(({ target }) => target === `job ${id}`)).toHaveLength(1);
      const note = async (who: Holder) => (await readMailbox(service.url, who)).notes.at(-1);
      expect(await note(poster)).toMatchObject({ kind: "job.withdrawn", job: id, you_were: "poster" });
      if (!["open", "withdrawn"].includes(state)) {
        expect(await note(worker)).toMatchObject({ kind: "job.withdrawn", job: id, you_were: "holder" });
      }
      // A repetition of the call that posted it gets no text either.
      const again = await postOnce();
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.data).toMatchObject({ id, title: "" });
      expect((await callJob(service.url, worker, id, "claim")).body.code).toBe("job_withdrawn");
      await untilErased(service.directory, ...words);
    },
  );

  test("has no text in any stored answer, however many there are", async () => {
    const { id, title } = await postJob(service.url, poster);
    await callJob(service.url, worker, id, "claim");
    const keys = Array.from({ length: 2 * storage_limits.changed_answers_per_read + 1 }, () =>
      crypto.randomUUID(),
    );
    const extend = async (key: string) => {
      const { body } = await callJob(service.url, worker, id, "extend", {}, { "idempotency-key": key });
      return body.title;
    };
    for (const key of keys) {
      // An extension that changes nothing stores no answer.
      service.clock.advance(1);
      expect(await extend(key)).toBe(title);
    }
    await act(`jobs/${id}/withdraw`);
    const titles: string[] = [];
    for (const key of keys) titles.push(await extend(key));
    expect(titles.filter((title) => title !== "")).toEqual([]);
  });

  test("gives no receipt of its acceptance to a repetition of the review", async () => {
    const { id } = await postJob(service.url, poster);
    await callJob(service.url, worker, id, "claim");
    await callJob(service.url, worker, id, "deliver", { result: "52 words" });
    const once = { "idempotency-key": crypto.randomUUID() };
    const review = () => callJob(service.url, poster, id, "review", { verdict: "accepted" }, once);
    expect((await review()).body.receipt).toBeString();
    await act(`jobs/${id}/withdraw`);
    const again = await review();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toMatchObject({ id, title: "", redacted: "operator" });
    expect(again.body).not.toHaveProperty("receipt");
  });

  test("frees the place of its holder", async () => {
    const jobs = [];
    for (let i = 0; i < 5; i++) jobs.push(await postJob(service.url, poster));
    for (const { id } of jobs) await callJob(service.url, worker, id, "claim");
    const last = await postJob(service.url, poster);
    expect((await callJob(service.url, worker, last.id, "claim")).body.code).toBe("too_many_held_jobs");
    await act(`jobs/${jobs[0]!.id}/withdraw`);
    expect((await callJob(service.url, worker, last.id, "claim")).status).toBe(200);
    expect((await act("jobs/none/withdraw")).body).toMatchObject({ code: "job_not_found" });
  });
});

describe("reports", () => {
  const list = (query: { limit?: number; cursor?: string } = {}) =>
    orThrow(ownerOf(service).get("/api/admin/reports", { query }));
  const report = (room: string, id: string, reason: string, headers = {}, url = service.url) =>
    clientOf(url).post("/api/meet/rooms/{room}/posts/{id}/report", {
      path: { room, id },
      body: { reason },
      headers,
    });

  test("show the post and the first reasons, and name no reporter", async () => {
    const room = await open(service.url, "Reported", "unlisted");
    const said = (await speak(room, "bad words")).body as { id: string };
    expect(
      (await report(room.slug, "1", "it insults me", { "x-forwarded-for": "203.0.113.77", ...worker.pair }))
        .data,
    ).toEqual({
      reported: true,
      room: room.slug,
      n: 1,
    });
    for (let i = 2; i <= 7; i++) await report(room.slug, said.id, i === 2 ? "it insults me" : `reason ${i}`);
    const { reports } = await list();
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      post_id: said.id,
      room: room.slug,
      n: 1,
      body: "bad words",
      count: 7,
      reasons: ["it insults me", "reason 3", "reason 4", "reason 5", "reason 6"],
      url: expect.stringContaining(`/meet/r/${room.slug}/1`),
    });
    expect(JSON.stringify(reports)).not.toContain("worker");
    await untilErased(service.directory, "203.0.113.77");
    expect((await report(room.slug, "99", "none")).error?.code).toBe("post_not_found");
    expect((await report("none", "1", "none")).error?.code).toBe("room_not_found");
    expect((await report(room.slug, "1", " ")).status).toBe(422);
  });

  test("are settled by a dismissal, and a dismissed one stays dismissed", async () => {
    const { post_id } = (await list()).reports[0]!;
    expect((await act(`reports/${post_id}/dismiss`)).body).toMatchObject({ dismissed: true });
    expect((await act(`reports/${post_id}/dismiss`)).body).toMatchObject({ dismissed: true });
    expect((await list()).reports).toEqual([]);
    const audit = (await lines()).filter(({ action }) => action === "report.dismiss");
    expect(audit).toHaveLength(1);
    expect((await act("reports/none/dismiss")).body).toMatchObject({ code: "report_not_found" });
  });

  test.each(["hide", "erase"])(
    "are settled when an admin %ss the post, with their reasons",
    async (action) => {
      const room = await open(service.url, `Settled by ${action}`);
      const said = (await speak(room, "words")).body as { id: string };
      await report(room.slug, "1", `quotecanary ${action}`);
      expect((await list()).reports).toHaveLength(1);
      await act(`posts/${said.id}/${action}`);
      expect((await list()).reports).toEqual([]);
      expect((await report(room.slug, "1", "again")).error?.code).toBe("nothing_to_report");
      if (action === "hide") await act(`posts/${said.id}/restore`);
      expect((await list()).reports).toEqual([]);
      await act(`posts/${said.id}/erase`);
      await untilErased(service.directory, "quotecanary");
    },
  );

  test("are settled by the redaction of the host, too, and are listed by pages", async () => {
    const room = await open(service.url, "Pages");
    for (let i = 1; i <= 3; i++) {
      await speak(room, `post ${i}`);
      await report(room.slug, String(i), "why");
      service.clock.advance(1);
    }
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.next! });
    expect([...first.reports, ...second.reports].map(({ n }) => n)).toEqual([3, 2, 1]);
    expect(second.next).toBeNull();
    const redacted = await api.delete("/api/meet/rooms/{room}/posts/{id}", {
      path: { room: room.slug, id: "2" },
      headers: { "x-meet-key": room.host_key },
    });
    expect(redacted.status).toBe(200);
    expect((await list()).reports.map(({ n }) => n)).toEqual([3, 1]);
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason });
    expect((await list()).reports).toEqual([]);
  });

  test("can be made by the form of the room's page, without a script", async () => {
    const room = await open(service.url, "Form");
    await speak(room, "words");
    const page = await (await fetch(`${service.url}/meet/r/${room.slug}?report=1`)).text();
    expect(page).toContain(`action="${service.url}/meet/r/${room.slug}/report"`);
    const submit = (fields: Record<string, string>) =>
      fetch(`${service.url}/meet/r/${room.slug}/report`, {
        method: "POST",
        headers: { origin: service.url, accept: "text/html" },
        body: new URLSearchParams(fields),
      });
    const done = await submit({ post: "#1", reason: "by a form" });
    expect([done.status, (await done.text()).includes("The post is reported")]).toEqual([201, true]);
    expect((await list()).reports[0]).toMatchObject({ room: room.slug, n: 1, reasons: ["by a form"] });
    const refused = await submit({ post: "7", reason: "no such post" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect((await submit({ post: "1", reason: "" })).status).toBe(422);
  });

  test("are limited for each address", async () => {
    const limited = await startSource({ rate_limit: true, reports_per_hour_by_address: 3 });
    const room = await open(limited.url, "Limited");
    await speak(room, "words");
    const reportFrom = (address: string) =>
      report(room.slug, "1", "why", { "x-forwarded-for": address }, limited.url);
    for (let i = 0; i < 3; i++) expect((await reportFrom("203.0.113.9")).status).toBe(201);
    const refused = await reportFrom("203.0.113.9");
    expect([refused.status, refused.error?.code]).toEqual([429, "rate_limited"]);
    expect((await reportFrom("203.0.113.10")).status).toBe(201);
    await limited.stop();
  });
});
