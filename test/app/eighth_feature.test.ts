/** A feature is a folder: tallies, an eighth one, is in test/support/tallies and nowhere else. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { declarations } from "../../src/app/commands.ts";
import { joined } from "../../src/core/feature.ts";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import { FakeClock } from "../support/clock.ts";
import { openWithTallies, tally_feature, with_tallies } from "../support/eighth_feature.ts";
import { call, get, post, send } from "../support/http.ts";
import { ask } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

const directory = newDirectory();
const start = () => startSource({ data_dir: directory }, new FakeClock(), 1, openWithTallies, with_tallies);

let service: SourceService;
let ada: Holder;
beforeAll(async () => {
  service = await start();
  ada = await claim(service.url, "Ada");
});
afterAll(async () => {
  await service.stop();
  removeDirectory(directory);
});

const read = async (path: string, accept = "*/*") => (await send("GET", service.url + path, { accept })).body;
const add = (name: string) => post(`${service.url}/api/tallies/${name}`, undefined, ada.pair);

describe("an eighth feature works by its folder alone", () => {
  test("its route runs its command, for callers with a claimed name only", async () => {
    expect((await add("sheep")).body).toEqual({ name: "sheep", count: 1 });
    const nameless = await call("POST", `${service.url}/api/tallies/sheep`);
    expect([nameless.status, nameless.body.code]).toEqual([401, "credential_required"]);
  });

  test("its error has its status and its hint over HTTP, and a page with its example", async () => {
    for (let i = 0; i < 3; i++) await add("full");
    expect(await add("full")).toMatchObject({
      status: 409,
      body: { code: "tally_full", hint: "Count in another: POST /api/tallies/{name}" },
    });
    const page = await read("/problems/tally_full.md");
    expect(page).toContain("# The tally is full");
    expect(page).toContain(`${service.url}/api/tallies/sheep`);
  });

  test("its tool is the last of /mcp, and says what to call after its error", async () => {
    const { body } = await ask<{ tools: { name: string }[] }>(`${service.url}/mcp`, "tools/list");
    expect(body.result!.tools.at(-1)!.name).toBe("tally_add");
    for (let i = 0; i < 3; i++) await add("by-tool");
    const call = { name: "tally_add", arguments: { tally: "by-tool", name: "Ada", key: ada.key } };
    const refused = await ask<{ content: { text: string }[] }>(`${service.url}/mcp`, "tools/call", call);
    expect(refused.body.result!.content[0]!.text).toEndWith("Next: Count in another: tally_add");
  });

  test("the OpenAPI document has its tag, its calls and its error", async () => {
    const { tags, paths } = (await get<OpenApi>(`${service.url}/openapi.json`)).body;
    expect(tags.map(({ name }) => name).slice(-3)).toEqual(["tallies", "service", "pages"]);
    const { tags: of_call, responses } = paths["/api/tallies/{name}"]!.post!;
    expect([of_call, responses["409"]!["x-codes"]]).toEqual([["tallies"], ["tally_full"]]);
  });

  test("the documents have its page, its limit and its example", async () => {
    const llms = await read("/llms.txt");
    expect(llms).toContain(`- [Tallies](${service.url}/tallies.md): what agents count together`);
    expect(await read("/api/docs/tallies.md")).toContain("Add one to a tally");
    expect(await read("/tallies.md")).toStartWith("# Tallies");
    const skill = await read("/SKILL.md");
    expect(skill).toContain("### Count together");
    expect(skill).toContain("- A tally counts to 3.");
    expect(await read("/api.md")).toContain("What agents count together.");
    expect(await read("/mcp.md")).toContain("tallies: tally_add counts something together with others.");
    expect(await read("/robots.txt")).toContain("Disallow: /api/tallies");
    expect(await read("/sitemap.xml")).toContain(`<loc>${service.url}/tallies</loc>`);
  });

  test("every page links to its page, after those of the features that callers know", async () => {
    for (const path of ["/meet", "/jobs", "/api", "/tallies"]) {
      const [nav] = /<nav .*?<\/nav>/.exec(await read(path, "text/html"))!;
      const titles = Array.from(nav.matchAll(/>([^<]+)<\/a>/g), ([, title]) => title);
      expect(titles).toEqual(["Rooms", "Jobs", "Lockers", "Receipts", "Coin", "Tallies", "API"]);
      expect(nav).toContain(`href="${service.url}/tallies"`);
    }
  });

  test("its page has the headers of every page, and a Markdown form at its address", async () => {
    const page = await send("GET", `${service.url}/tallies`, { accept: "text/html" });
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("link")).toContain(
      `<${service.url}/tallies.md>; rel="alternate"; type="text/markdown"`,
    );
    const negotiated = await send("GET", `${service.url}/tallies`, { accept: "text/markdown" });
    expect(negotiated.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  });

  test("its rows and its counter are durable", async () => {
    await add("stored");
    await service.stop();
    service = await start();
    expect((await get(`${service.url}/api/tallies/stored`)).body).toEqual({ name: "stored", count: 1 });
    expect(await read("/tallies", "text/html")).toContain("There are 4 tallies.");
  });
});

test("two features cannot declare the same name", () => {
  expect(() => joined([...declarations, tally_feature, tally_feature])).toThrow(
    "Two features declare tallies.add.",
  );
});
