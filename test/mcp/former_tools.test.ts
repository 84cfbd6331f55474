/** Tools of earlier releases: they work as before, and no list, document or hint names them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hintsOfInstance } from "../../src/app/general_hints.ts";
import { declared } from "../../src/app/commands.ts";
import { default_config } from "../../src/core/settings.ts";
import { callJob, postJob, readJob } from "../support/jobs.ts";
import { ask, handshake } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";

const former = ["job_extend", "job_release", "job_withdraw", "locker_index"];
const named_in = (text: string) => former.filter((name) => new RegExp(`\\b${name}\\b`).test(text));

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  for (const who of [ada, bob])
    await call("locker_put", { slot: "card", value: "Hello.", public: true }, who);
});
afterAll(() => service.stop());

const call = (name: string, args: object, who?: Holder) => callTool(url, name, args, who?.pair);
async function held(): Promise<string> {
  const { id } = await postJob(url, ada);
  await callJob(url, bob, id, "claim");
  return id;
}
const once = "0123456789abcdef0123456789abcdef";

test("no list, no document, no hint and no answer to a wrong name has one", async () => {
  const texts: [string, string][] = [["tools/list", JSON.stringify(await toolsOf(url))]];
  for (const [method, params] of [
    ["initialize", handshake],
    ["prompts/list", {}],
    ["tools/call", { name: "job_extended", arguments: {} }],
    ["tools/call", { name: "nothing_like_it", arguments: {} }],
  ] as const)
    texts.push([method, JSON.stringify((await ask(`${url}/mcp`, method, params)).body)]);
  for (const path of ["/mcp.md", "/llms.txt", "/SKILL.md", "/api.md", "/api/docs/mcp.md", "/openapi.json"])
    texts.push([path, await (await fetch(url + path)).text()]);
  for (const { name } of JSON.parse(texts[0]![1]) as { name: string }[])
    expect(texts.find(([what]) => what === "/mcp.md")![1]).toContain(name);
  const policy = { ...default_config, claims: "open", contact: null } as Parameters<
    typeof hintsOfInstance
  >[1];
  texts.push(["hints", JSON.stringify(hintsOfInstance(declared.hints, policy).tool)]);
  const docs = join(import.meta.dir, "../../docs");
  for (const file of readdirSync(docs, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".md")) texts.push([file, readFileSync(join(docs, file), "utf8")]);
  expect(texts.map(([what, text]) => [what, named_in(text)])).toEqual(texts.map(([what]) => [what, []]));
});

test("a name that is close to one, or means the same, is answered with the tool that replaces it", async () => {
  for (const name of ["release_job", "extend_job", "jobs_withdraw", "cancel_job"]) {
    const { body } = await ask(`${url}/mcp`, "tools/call", { name, arguments: {} });
    expect([name, body.error!.message]).toEqual([name, "There is no such tool. Did you mean job_update?"]);
  }
});

test("job_extend extends the lease of a job, by its id or its address", async () => {
  const id = await held();
  service.clock.advance(60);
  const { structuredContent, content } = await call("job_extend", { id: `${url}/jobs/${id}.md` }, bob);
  const { until } = structuredContent as { until: string };
  expect(structuredContent).toEqual({ id, claim_no: 1, until });
  expect(content).toEqual([{ type: "text", text: `id: ${id}\nclaim_no: 1\nuntil: ${until}` }]);
  expect((await readJob(url, id)).until).toBe(until);
});

test("job_release gives a job back, once with once", async () => {
  const args = { id: await held(), once };
  const released = { id: args.id, released: true } as const;
  expect((await call("job_release", args, bob)).structuredContent).toEqual(released);
  expect((await readJob(url, args.id)).state).toBe("open");
  expect((await call("job_release", args, bob)).structuredContent).toEqual({ ...released, replayed: true });
});

test("job_withdraw takes a job back, with the key as an argument", async () => {
  const { id } = await postJob(url, ada);
  const { structuredContent } = await call("job_withdraw", { id, key: ada.key });
  expect(structuredContent).toEqual({ id, state: "withdrawn" });
  expect((await readJob(url, id)).state).toBe("withdrawn");
});

test("locker_index lists all lockers in pages, also for a caller that sends a name alone", async () => {
  const page = async (args: object) =>
    (await call("locker_index", { limit: 1, ...args })).structuredContent as { next_cursor?: string };
  const first = await page({ name: "Ada" });
  const of = (name: string) => [{ name, slots: [{ slot: "card", bytes: 6, public: true }] }];
  const cursor = first.next_cursor;
  expect(first).toMatchObject({ lockers: of("Ada"), next_cursor: expect.any(String) });
  const last = await page({ cursor });
  expect(last).toMatchObject({ lockers: of("Bob") });
  expect(last.next_cursor).toBeUndefined();
});

test("arguments are checked as before, and refusals name the tool that was called", async () => {
  for (const [name, args, says] of [
    [
      "job_extend",
      {},
      "Refused (invalid_fields): id: is required\nNext: Correct what is named and call job_extend again.",
    ],
    [
      "locker_index",
      { limit: 101 },
      "limit: must be a whole number from 1 to 100\nNext: Correct what is named and call locker_index again.",
    ],
    ["locker_index", { of: "own" }, "Ignored arguments: of."],
  ] as const)
    expect((await call(name, args, bob)).content[0]!.text).toContain(says);
  const id = await held();
  const released = await call("job_release", { id, do: "withdraw" }, bob);
  expect(released.structuredContent).toEqual({ id, released: true, ignored_arguments: ["do"] });
});

test("one once is one call of job_update: with another do it is refused", async () => {
  const args = { id: await held(), once };
  service.clock.advance(60);
  expect(codeOf(await call("job_update", { ...args, do: "extend" }, bob))).toBeNull();
  expect(codeOf(await call("job_update", { ...args, do: "release" }, bob))).toBe("idempotency_key_reused");
  expect((await readJob(url, args.id)).state).toBe("held");
});
