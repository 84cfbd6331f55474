/** A life under a name beyond ASCII, over HTTP, by tools, by pages and on the command line: every surface shows the name as it is. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { startMcp } from "../support/bridge.ts";
import { clientOf } from "../support/client.ts";
import { get, post, send } from "../support/http.ts";
import { callJob, notesOf, payloadOf, postJob, readJob } from "../support/jobs.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newShell } from "../support/shell.ts";
import { signedIn } from "../support/sign_in.ts";
import { callTool, expectBothForms, toolsOf, wordsOf } from "../support/tools.ts";

/** A name, another spelling of it, and a name in another script that its holder works with. */
const lives = [
  ["Ünal", "ÜNAL".normalize("NFD")],
  ["はるか", "はるか"],
  ["نور", "نور"],
  ["Ольга Ив", "ОЛЬГА_ИВ"],
] as const;

let service: SourceService;
let url: string;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  bob = await claim(url, "bob");
});
afterAll(() => service.stop());

describe.each(lives)("%s", (name, spelling) => {
  let who: Holder;
  let room: Opened;
  const part = encodeURIComponent(name);
  beforeAll(async () => {
    who = await claim(url, name);
    room = await open(url, `A room for ${name}`);
  });
  /** The page at a path, without its marks. */
  const pageOf = async (path: string, headers: Record<string, string> = {}) =>
    (await send("GET", url + path, { accept: "text/html", ...headers })).body;

  test("is found by another spelling, at an address and by a tool, and nobody else can claim it", async () => {
    for (const sent of [name, spelling]) {
      const found = await get(`${url}/api/name/${encodeURIComponent(sent)}`);
      expect(found).toMatchObject({ status: 200, body: { name } });
      const tool = await callTool(url, "name_lookup", { name: sent });
      expect(tool.structuredContent).toMatchObject({ name });
      const again = await post(`${url}/api/name`, { name: sent });
      expect([409, 422]).toContain(again.status);
      const taken = await post(`${room.api}/posts`, { name: sent.normalize("NFC"), body: "I am not" });
      expect(taken).toMatchObject({ status: 403, body: { code: "name_is_claimed" } });
    }
    // An address may have the letters themselves, as a person types them: clients encode them.
    expect((await fetch(`${url}/api/name/${name}`)).status).toBe(200);
  });

  test("posts over HTTP and by a tool, answers, and is mentioned", async () => {
    const first = await post<{ n: number; name: string; claimed: boolean }>(
      `${room.api}/posts`,
      { name, body: "By HTTP" },
      who.pair,
    );
    expect(first.body).toMatchObject({ name, claimed: true });
    const said = await callTool(url, "meet_speak", {
      room: room.slug,
      name,
      key: who.key,
      body: "By a tool, @bob",
    });
    expect(said.structuredContent).toMatchObject({ mentions: [{ name: "bob", notified: true }] });
    const mention = `@${name.replaceAll(" ", "_")}`;
    const answer = await post(`${room.api}/posts`, { name: "bob", body: `${mention}, look` }, bob.pair);
    expect(answer.body.mentions).toEqual([{ name: mention.slice(1), claimed: true, notified: true }]);
    await post(`${room.api}/posts`, { name: "bob", body: "An answer", in_reply_to: first.body.n }, bob.pair);
    expect((await notesOf(url, who)).at(-1)).toMatchObject({ kind: "room.reply", by: "bob" });
    expect((await notesOf(url, bob)).at(-1)).toMatchObject({ kind: "room.mention", by: name });
    const inbox = await callTool(url, "mailbox_read", { key: bob.key });
    expect(wordsOf(inbox)).toContain(name);
    const others = await get<{ posts: { name: string }[] }>(`${room.api}?not_by=${part}`);
    expect(new Set(others.body.posts.map((one) => one.name))).toEqual(new Set(["bob"]));
    const spelled = { name: spelling.normalize("NFC"), body: "In another spelling" };
    expect((await post(`${room.api}/posts`, spelled, who.pair)).body).toMatchObject({ claimed: true });
  });

  test("stands in pages within an element of its own, in feeds, and in Markdown", async () => {
    const page = await pageOf(`/meet/r/${room.slug}`);
    expect(page).toContain(`<bdi>${name}</bdi>`);
    expect(page).toContain(`href="${url}/name/${part}"`);
    for (const path of [`/meet/r/${room.slug}.md`, `/name/${part}.md`])
      expect((await send("GET", url + path)).body).toContain(name);
    expect(await pageOf(`/name/${part}`)).toContain(`<bdi>${name}</bdi>`);
    expect((await send("GET", `${room.api}/feed.atom`)).body).toContain(`<name>${name}</name>`);
    expect((await get<{ items: object[] }>(`${room.api}/feed.json`)).body.items).toContainEqual(
      expect.objectContaining({ authors: [{ name }] }),
    );
    const twin = (await send("GET", `${url}/name/${part}`, { accept: "text/html" })).headers.get("link");
    expect(twin).toContain(`<${url}/name/${part}.md>; rel="alternate"`);
  });

  test("works on a job, whose receipts have it and verify", async () => {
    const job = await postJob(url, who, { title: `For ${name}`, tags: ["script"] });
    await callJob(url, bob, job.id, "claim");
    const delivered = await callJob(url, bob, job.id, "deliver", { result: "Done" });
    const reviewed = await callJob(url, who, job.id, "review", { verdict: "accepted" });
    expect(payloadOf(job.receipt)).toMatchObject({ sub: name, name_claimed: true });
    expect(payloadOf(delivered.body.receipt)).toMatchObject({ sub: "bob", poster: name });
    for (const receipt of [job.receipt, delivered.body.receipt, reviewed.body.receipt])
      expect((await post(`${url}/receipt/verify`, { receipt })).body).toMatchObject({ verdict: "valid" });
    expect(await readJob(url, job.id)).toMatchObject({ by: name });
    for (const sent of [name, spelling]) {
      const { jobs } = (await get<{ jobs: object[] }>(`${url}/api/jobs?by=${encodeURIComponent(sent)}`)).body;
      expect(jobs.length).toBe(1);
    }
    expect(await pageOf(`/jobs?by=${part}`)).toContain(`<bdi>${name}</bdi>`);
    expect(await pageOf(`/jobs/${job.id}`)).toContain(`<bdi>${name}</bdi>`);
    const checked = await send(
      "POST",
      `${url}/receipt`,
      { "content-type": "application/x-www-form-urlencoded", origin: url },
      new URLSearchParams({ receipt: job.receipt }).toString(),
    );
    expect(checked.body).toContain(`<bdi>${name}</bdi>`);
  });

  test("has a locker, whose public slots lead to their addresses", async () => {
    const client = clientOf(url, who);
    const slot = "notes/today";
    await orThrow(client.put("/api/locker/{slot}", { path: { slot }, body: { value: "…", public: true } }));
    const { lockers } = (
      await get<{ lockers: { name: string; slots: { url: string }[] }[] }>(`${url}/api/locker/index`)
    ).body;
    const found = lockers.find((one) => one.name === name)!.slots[0]!;
    expect(found.url).toBe(`${url}/locker/${part}/${slot}`);
    expect((await get(found.url, { accept: "application/json" })).body).toMatchObject({ owner: name });
    expect(await pageOf(`/locker/${encodeURIComponent(spelling)}/${slot}`)).toContain(`<bdi>${name}</bdi>`);
    const tool = await callTool(url, "locker_get", { slot, key: who.key });
    expect(tool.isError).toBeUndefined();
  });

  test("holds a path, and others see who does", async () => {
    await post(`${room.api}/leases`, { paths: ["docs"], ttl_seconds: 60 }, who.pair);
    const held = await post(`${room.api}/leases`, { paths: ["docs"], ttl_seconds: 60 }, bob.pair);
    expect(held).toMatchObject({ status: 409, body: { code: "lease_held", holder: name } });
    expect(await pageOf(`/meet/r/${room.slug}`)).toContain(`<bdi>${name}</bdi>`);
  });

  test("signs in by a page in any spelling, posts there, and comes back to where it was", async () => {
    const browser = await signedIn(url, { name: spelling, key: who.key });
    expect((await browser.get("/me")).body).toContain(`<bdi>${name}</bdi>`);
    const posted = await browser.post(`/meet/r/${room.slug}`, { body: "By a page" });
    expect(posted.status).toBe(303);
    expect((await browser.get(`/meet/r/${room.slug}`)).body).toContain("By a page");
    const back = await browser.post("/signin", { name, key: who.key, next: `/name/${name}` });
    expect(back.headers.get("location")).toBe(`${url}/name/${part}`);
    const exported = await browser.get("/api/name/export");
    expect(exported.headers.get("content-disposition") ?? "").toMatch(/^[ -~]*$/);
    expect(JSON.parse(exported.body.split("\n")[0]!)).toMatchObject({ name });
  });

  test("is in the results of tools in both forms", async () => {
    const tools = new Map((await toolsOf(url)).map((tool) => [tool.name, tool]));
    for (const [tool, args] of [
      ["name_lookup", { name: spelling }],
      ["meet_read", { room: room.slug }],
      ["jobs_list", { state: "delivered", by: name }],
      ["locker_list", { of: "all" }],
    ] as const) {
      const answer = await callTool(url, tool, args);
      expectBothForms(tools.get(tool)!, answer);
      expect(JSON.stringify(answer.structuredContent)).toContain(name);
    }
  });

  test("gets a new key in another spelling", async () => {
    const { body } = await post<{ key: string; name: string }>(`${url}/api/name/recover`, {
      name: spelling,
      recovery_code: who.recovery_code,
    });
    expect(body.name).toBe(name);
    who = holder(name, body.key);
    expect((await post(`${url}/api/name/whoami`, undefined, who.pair)).body).toMatchObject({ name });
    expect((await post(`${url}/api/name/whoami`, undefined, who.bearer)).body).toMatchObject({ name });
  });

  test("speaks on the command line and by wharf mcp, and its receipt is checked offline", async () => {
    const shell = newShell(url);
    try {
      const env = { WHARF_NAME: name, WHARF_KEY: who.key };
      const run = (...args: string[]) => shell.startIn(shell.directory, env, ...args).ended;
      expect((await run("say", room.slug, "By a shell")).printed).toContain(name);
      const posted = await run("jobs", "post", "By a shell", "Look", "--json");
      const { receipt } = JSON.parse(posted.printed) as { receipt: string };
      await Bun.write(join(shell.directory, "receipt"), receipt);
      await Bun.write(join(shell.directory, "keys.json"), await fetch(`${url}/.well-known/jwks.json`));
      const verified = await run("receipt", "verify", "receipt", "--keys", "keys.json");
      expect([verified.status, verified.printed]).toEqual([0, expect.stringContaining(name)]);
      const mcp = startMcp(["--url", url], shell.directory, env);
      await mcp.begin();
      const said = await mcp.call("meet_speak", { room: room.slug, name, body: "By wharf mcp" });
      expect(said.result!.isError).toBeUndefined();
      await mcp.end();
      const { posts } = (await get<{ posts: object[] }>(room.api)).body;
      expect(posts.slice(-2)).toMatchObject([
        { name, claimed: true, body: "By a shell" },
        { name, claimed: true, body: "By wharf mcp" },
      ]);
    } finally {
      shell.remove();
    }
  });
});
