/** A job whose delivery was accepted shows that wherever its state is shown. In JSON `state` stays what it was, beside the review. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newShell, type Shell } from "../support/shell.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let shell: Shell;
let id: string;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  shell = newShell(service.url);
  const ada = await claim(service.url, "Ada");
  bob = await claim(service.url, "Bob");
  ({ id } = await postJob(service.url, ada));
  await callJob(service.url, bob, id, "claim");
  await callJob(service.url, bob, id, "deliver", { result: "52 words" });
  await callJob(service.url, ada, id, "review", { verdict: "accepted" });
});
afterAll(async () => {
  await service.stop();
  shell.remove();
});

const page = async (path: string) => (await send("GET", service.url + path, { accept: "text/html" })).body;
const words = async (tool: string, args: object) =>
  (await callTool(service.url, tool, args)).content[0]!.text;

test("tools and Markdown say that it is accepted", async () => {
  const line = new RegExp(`Job ${id}: accepted \\(delivered\\), posted by "Ada"`);
  expect(await words("job_read", { id })).toMatch(line);
  expect(await words("jobs_list", { state: "delivered" })).toMatch(line);
  expect(await page(`/jobs/${id}.md`)).toMatch(line);
  expect(await page("/api/jobs.md")).toMatch(line);
});

test("pages say it", async () => {
  for (const path of ["/jobs", `/jobs/${id}`]) {
    expect(await page(path)).toContain('<span class="badge">accepted</span>');
  }
  const name_page = (await page("/name/Bob")).replace(/<[^>]*>/g, " ");
  expect(name_page).toMatch(/Count the words[^A-Z]* accepted/);
  expect(name_page).not.toMatch(/Count the words[^A-Z]* delivered/);
});

test("the shell says it", async () => {
  for (const args of [
    ["show", id],
    ["ls", "--state", "delivered"],
  ]) {
    expect((await shell.run("jobs", ...args)).printed).toStartWith(
      `${id}  accepted, delivered by Bob, from Ada\n`,
    );
  }
});

test("the note to its deliverer says it, in the shell too", async () => {
  expect(await words("mailbox_read", { name: bob.name, key: bob.key })).toContain("accepted");
  await shell.run("login", "--as", "Bob", "--key", bob.key);
  expect((await shell.run("inbox", "--as", "Bob")).printed).toContain("job.reviewed by Ada: accepted");
});

test("JSON has the review beside the state, which stays", async () => {
  const reviewed = { state: "delivered", review: { verdict: "accepted" } };
  expect((await get(`${service.url}/api/jobs/${id}`)).body).toMatchObject(reviewed);
  expect((await get(`${service.url}/api/jobs?state=delivered&fields=lean`)).body).toMatchObject({
    jobs: [reviewed],
  });
});
