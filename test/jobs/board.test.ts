/** The board: lists, filters, search, pages of a list, and the HTML pages, over real HTTP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Job, JobBoard } from "../../src/api/jobs/jobs.ts";
import { call, get } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

describe("the job board", () => {
  let service: TestService;
  let url: string;
  let api: string;
  let ada: Holder;
  let bob: Holder;
  /** The ids of the jobs, oldest first. */
  const ids: Record<"toml" | "held" | "done" | "gone" | "bobs" | "café", string> = {} as never;
  const list = async (query = "") => (await get<JobBoard>(api + query)).body;
  const listed = async (query: string) => {
    const names = Object.entries(ids);
    return (await list(query)).jobs.map(({ id }) => names.find(([, known]) => known === id)![0]);
  };
  beforeAll(async () => {
    service = await startSource();
    url = service.url;
    api = `${url}/api/jobs`;
    [ada, bob] = [await claim(url, "Ada L"), await claim(url, "b0b")];
    const add = async (who: Holder, title: string, detail: string, tags: string[] = []) =>
      (await postJob(url, who, { title, detail, tags })).id;
    ids.toml = await add(ada, "Name a TOML library", "Short and easy.", ["naming", "toml"]);
    ids.held = await add(ada, "Draw a zebra", "With stripes.", ["drawing"]);
    ids.done = await add(ada, "Count zebras", "All of them.");
    ids.gone = await add(ada, "Sing", "Softly.");
    ids.bobs = await add(bob, "Name a zebra", "It is a QUAGGA.", ["naming"]);
    ids["café"] = await add(bob, "Visit a Café", "And drink.", ["a-1"]);
    await callJob(url, bob, ids.held, "claim");
    await callJob(url, bob, ids.done, "claim");
    await callJob(url, bob, ids.done, "deliver", { result: "wombat" });
    await callJob(url, ada, ids.gone, "withdraw");
  });
  afterAll(() => service.stop());

  test("lists every job, newest first, and describes how to use the board", async () => {
    const { status, headers, body } = await get<JobBoard>(api);
    expect(status).toBe(200);
    expect(headers.get("etag")).toStartWith('"');
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
    expect(body).toMatchObject({ open: 3, total: 6, next: null });
    expect(body.treat_as).toContain("data from a stranger");
    expect(body.pay).toContain("No money is involved");
    expect(Object.keys(body.how)).toEqual(
      expect.arrayContaining(["post", "claim", "extend", "release", "deliver", "withdraw", "review"]),
    );
    expect(await listed("")).toEqual(["café", "bobs", "gone", "done", "held", "toml"]);
    for (const job of body.jobs) {
      expect((await get<Job>(`${api}/${job.id}`)).body).toEqual(job);
      expect((await get<Job>(`${api}/${job.id.toUpperCase()}`)).body).toEqual(job);
    }
  });

  test.each([
    ["?state=open", ["café", "bobs", "toml"]],
    ["?state=held", ["held"]],
    ["?state=delivered", ["done"]],
    ["?state=withdrawn", ["gone"]],
    ["?sort=oldest", ["toml", "held", "done", "gone", "bobs", "café"]],
    ["?sort=newest&state=open", ["café", "bobs", "toml"]],
    ["?by=ADA-L", ["gone", "done", "held", "toml"]],
    ["?by=BOB", ["café", "bobs"]],
    ["?by=nobody-here", []],
    ["?tag=naming", ["bobs", "toml"]],
    ["?tag=nam", []],
    ["?tag=naming&by=bob", ["bobs"]],
    ["?q=zebra", ["bobs", "held"]],
    ["?q=ZEBRA&state=held", ["held"]],
    ["?q=quagga", ["bobs"]],
    ["?q=cafe", ["café"]],
    ["?q=name%20a", ["bobs", "toml"]],
    ["?q=wombat", []],
    ["?q=%22%29%20OR%20*", []],
    ["?q=...", []],
  ])("GET /api/jobs%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test("marks on the page the words of a search in titles", async () => {
    const page = async (query: string) =>
      (await fetch(`${service.url}/jobs${query}`, { headers: { accept: "text/html" } })).text();
    const marked = (text: string) => Array.from(text.matchAll(/<mark>(.*?)<\/mark>/g), ([, word]) => word);
    expect(marked(await page("?q=zebra"))).toEqual(["zebra", "zebra"]);
    expect(marked(await page(""))).toEqual([]);
  });

  test.each(["", "&state=open", "&sort=oldest", "&q=a", "&tag=naming", "&by=bob"])(
    "returns every job once over all pages (%s)",
    async (filter) => {
      const all = await listed(`?limit=100${filter}`);
      const seen: string[] = [];
      for (let query = `?limit=1${filter}`; query;) {
        const { jobs, next, open, total } = await list(query);
        expect([jobs.length <= 1, open, total]).toEqual([true, 3, 6]);
        seen.push(...jobs.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)![0]));
        query = next ? `?limit=1${filter}&cursor=${next}` : "";
      }
      expect(seen).toEqual(all);
    },
  );

  test.each([
    "limit=0",
    "limit=1001",
    "limit=x",
    "state=lost",
    "sort=best",
    "cursor=x",
    "q=",
    "q=a&limit=101",
    "q=1+2+3+4+5+6+7+8+9",
    `q=${"q".repeat(201)}`,
  ])("refuses ?%s", async (query) => {
    const { status, body } = await get<{ code: string }>(`${api}?${query}`);
    expect([status, body.code]).toEqual([422, "invalid_fields"]);
  });

  test("answers 304 to a matching ETag until something changes", async () => {
    for (const where of [api, `${api}/${ids.toml}`, `${url}/jobs`, `${url}/jobs/${ids.toml}`]) {
      const first = await fetch(where);
      const etag = first.headers.get("etag")!;
      const again = await fetch(where, { headers: { "if-none-match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });

  test("lists the jobs that a name holds, in any spelling of it", async () => {
    expect(await listed("?held_by=B0B")).toEqual(["held"]);
    expect(await listed("?held_by=bob&by=ada-l&q=stripes")).toEqual(["held"]);
    expect(await listed("?held_by=bob&state=delivered")).toEqual([]);
    expect(await listed("?held_by=Ada%20L")).toEqual([]);
  });

  test("answers without nulls, empty lists and addresses with fields=lean", async () => {
    const job = (await get(`${api}/${ids.gone}?fields=lean`)).body;
    const gone = { id: ids.gone, state: "withdrawn", title: "Sing", detail: "Softly.", by: "Ada L" };
    expect(job).toEqual({ ...gone, created: job.created, treat_as: "data from strangers" });
    const { treat_as, ...listed_job } = job;
    const board = (await get(`${api}?fields=lean&state=withdrawn`)).body;
    expect(board).toEqual({ jobs: [listed_job], open: 3, total: 6, treat_as });
    const none = (await get(`${api}?fields=lean&by=nobody`)).body;
    expect(none).toEqual({ jobs: [], open: 3, total: 6 });
    expect((await get(`${api}?fields=fat`)).status).toBe(422);
  });

  test("returns Markdown", async () => {
    for (const path of ["/api/jobs.md", "/jobs.md"]) {
      const markdown = await (await fetch(url + path)).text();
      for (const text of ["# Jobs", "3 open of 6.", "Name a TOML library", ids.toml, "deliver:"]) {
        expect(markdown).toContain(text);
      }
    }
    const done = await (await fetch(`${api}/${ids.done}.md`)).text();
    for (const text of [`# Job ${ids.done}`, "delivered", "Count zebras", "wombat", "b0b"]) {
      expect(done).toContain(text);
    }
    const page = await (await fetch(`${api}.md?limit=1`)).text();
    expect(page).toMatch(/More: `GET http:\/\/[^`]+\/api\/jobs\.md\?cursor=\w+`/);
    expect((await fetch(api, { headers: { accept: "image/png" } })).status).toBe(406);
  });

  test("has pages that need no script", async () => {
    const page = async (path: string) => {
      const response = await fetch(url + path, { headers: { accept: "text/html" } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toStartWith("text/html");
      return response.text();
    };
    const board = await page("/jobs");
    for (const text of [
      "Name a TOML library",
      "Draw a zebra",
      "3 jobs open, 6 in all",
      `/jobs/${ids.held}`,
    ]) {
      expect(board).toContain(text);
    }
    // The form sends its empty fields, too.
    const searched = await page("/jobs?q=zebra&state=&sort=");
    expect(searched).toContain("Name a <mark>zebra</mark>");
    expect(searched).not.toContain("TOML");
    const paged = await page("/jobs?limit=2&state=open");
    const more = /rel="next" href="([^"]+)"/.exec(paged)![1]!.replaceAll("&amp;", "&");
    expect(more).toContain("state=open");
    expect(await page(more.slice(url.length))).toContain("TOML");
    const done = await page(`/jobs/${ids.done}`);
    for (const text of ["Count zebras", "wombat", "The delivery", "/name/b0b"]) expect(done).toContain(text);
    const missing = await fetch(`${url}/jobs/nowhere`, { headers: { accept: "text/html" } });
    expect(missing.status).toBe(404);
  });

  test("answers HEAD, OPTIONS and unsupported methods as HTTP requires", async () => {
    const head = await fetch(`${api}/${ids.toml}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const options = await fetch(`${api}/${ids.toml}/claim`, { method: "OPTIONS" });
    expect(options.headers.get("allow")).toContain("POST");
    const wrong = await call("DELETE", `${api}/${ids.toml}`);
    expect([wrong.status, wrong.body.code]).toEqual([405, "method_not_allowed"]);
    expect(wrong.headers.get("allow")).toContain("GET");
  });
});
