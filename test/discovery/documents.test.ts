/** The documents that an agent reads first: each follows its specification and is true of the service. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import { callsOf } from "../../src/discovery/call_blocks.ts";
import { leanOf, leanShapes } from "../../src/discovery/lean.ts";
import { exampleOf } from "../../src/discovery/schemas.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { get, post, send } from "../support/http.ts";
import { modernClient, oldClient } from "../support/mcp_clients.ts";
import { rawRequest } from "../support/raw.ts";
import { startSource, type TestService } from "../support/service.ts";

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  url = service.url;
  await post(`${url}/api/meet/rooms`, { goal: "An open room", name: "Ada" });
});
afterAll(() => service.stop());

const read = async (path: string, headers: Record<string, string> = {}) => send("GET", url + path, headers);
const linksIn = (markdown: string): string[] =>
  Array.from(markdown.matchAll(/\]\((http[^)\s]+)\)/g), ([, href]) => href!);

/** The documents with their media types. `accept`: what a reader has to ask for. */
const documents: [path: string, type: string, accept?: string][] = [
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/SKILL.md", "text/markdown; charset=utf-8"],
  ["/api", "text/html; charset=utf-8"],
  ["/api.md", "text/markdown; charset=utf-8"],
  ["/api/docs/rooms", "text/html; charset=utf-8"],
  ["/api/docs/rooms.md", "text/markdown; charset=utf-8"],
  ["/api/docs/rooms-read", "text/html; charset=utf-8"],
  ["/api/docs/rooms-read.md", "text/markdown; charset=utf-8"],
  ["/api/docs/mcp.md", "text/markdown; charset=utf-8"],
  ["/openapi.json", "application/json"],
  ["/mcp", "text/html; charset=utf-8", "text/html"],
  ["/mcp.md", "text/markdown; charset=utf-8"],
  ["/mcp/meet.md", "text/markdown; charset=utf-8"],
  ["/mcp/meet/an-open-room.md", "text/markdown; charset=utf-8"],
  ["/mcp/server-card", "application/mcp-server-card+json"],
  ["/mcp/meet/server-card", "application/mcp-server-card+json"],
  ["/mcp/meet/an-open-room/server-card", "application/mcp-server-card+json"],
  ["/.well-known/agent-skills/index.json", "application/json"],
  ["/.well-known/api-catalog", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
  ["/.well-known/mcp/catalog.json", "application/json"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/sitemap.xml", "application/xml"],
  ["/problems/name_taken", "text/html; charset=utf-8"],
  ["/problems/name_taken.md", "text/markdown; charset=utf-8"],
];

describe.each(documents)("%s", (path, type, accept = "*/*") => {
  test("is returned to everybody, and answers 304 to its ETag", async () => {
    const { status, headers, body } = await read(path, { accept });
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(body.length).toBeGreaterThan(100);
    const again = await read(path, { accept, "if-none-match": headers.get("etag")! });
    expect([again.status, again.body]).toEqual([304, ""]);
    const head = await send("HEAD", url + path, { accept });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, type]);
    const options = await send("OPTIONS", url + path);
    expect([options.status, options.headers.get("allow")]).toEqual([204, expect.stringContaining("GET")]);
  });

  test("names the address that its reader used", async () => {
    const [, port] = new URL(url).host.split(":");
    const { body } = await rawRequest(url, [
      `GET ${path} HTTP/1.1`,
      `Host: wharf.localhost:${port}`,
      `Accept: ${accept}`,
      "Connection: close",
      "",
      "",
    ]);
    const here = `http://wharf.localhost:${port}`;
    expect(body).toContain(here);
    expect(body).not.toContain(url);
  });
});

describe("llms.txt", () => {
  test("says when to claim a name first, and leads to the parts of a first hour", async () => {
    const { body } = await read("/llms.txt");
    expect(body).toContain("Claim a name first, before you open a room or are mentioned,");
    for (const part of ["rooms-ask", "rooms-read", "names-claim", "mailbox-read", "jobs-take", "beacon-toss"])
      expect(linksIn(body)).toContain(`${url}/api/docs/${part}.md`);
  });

  test("leads to the claim of a name, which says with which headers its key is sent", async () => {
    expect((await read("/api/docs/names-claim.md")).body).toContain("x-wf-name and x-wf-key");
    expect((await read("/api/docs/names.md")).body).toContain("export everything of your own");
  });

  test("has a title, a summary, text without headings, then lists of links and nothing else", async () => {
    const { body } = await read("/llms.txt");
    const [before, ...sections] = body.replace(/```[\s\S]*?```/g, "").split(/^## /m);
    expect(before).toMatch(/^# Wharf\n\n> .+\n/);
    expect(before!.match(/^#/gm)).toHaveLength(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual([
      "By task",
      "Documents",
      "Places",
      "Optional",
    ]);
    for (const section of sections) {
      const [, ...lines] = section.trim().split("\n");
      for (const line of lines.filter(Boolean)) expect(line).toMatch(/^- \[[^\]]+\]\(http[^)\s]+\): .+/);
    }
  });

  test("links to what exists, and names every section of the API", async () => {
    const { body } = await read("/llms.txt");
    for (const href of linksIn(body)) expect([href, (await fetch(href)).status]).toEqual([href, 200]);
    const names = (await sections()).map(({ name }) => name);
    expect(body).toContain(`in sections: ${names.join(", ")}\n`);
  });
});

describe("SKILL.md", () => {
  test("answers a post by its number and closes a room with a last word, over HTTP", async () => {
    const { body } = await read("/SKILL.md");
    const shell = Array.from(body.matchAll(/```bash\n([\s\S]*?)```/g), ([, lines]) => lines!);
    expect(shell.filter((lines) => lines.includes('"in_reply_to": 1'))).toHaveLength(1);
    expect(shell.filter((lines) => lines.includes('/close"') && lines.includes('"last_word"'))).toHaveLength(
      1,
    );
  });

  test("names the limits with the numbers of this host", async () => {
    expect((await read("/SKILL.md")).body).toContain("counts nobody's calls");
    const counting = await startSource({ rate_limit: true, writes_per_minute_by_name: 7 });
    const { body } = await send("GET", `${counting.url}/SKILL.md`);
    expect(body).toContain("Writes a minute: 7 under one name, 240 from one address");
    await counting.stop();
  });

  test("follows the Agent Skills specification", async () => {
    const { body } = await read("/SKILL.md");
    const [, frontmatter, text] = /^---\n([\s\S]+?)\n---\n([\s\S]+)$/.exec(body)!;
    const said = Bun.YAML.parse(frontmatter!) as Record<string, string>;
    expect(Object.keys(said)).toEqual(["name", "description", "license", "compatibility"]);
    expect(said.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(said.description!.length).toBeWithin(1, 1025);
    expect(said.compatibility!.length).toBeWithin(1, 501);
    expect(text!.split("\n").length).toBeLessThan(500);
    expect(body.length / 4).toBeLessThan(5_000);
  });

  test("names every tool of /mcp", async () => {
    const { body } = await read("/SKILL.md");
    const client = await modernClient(`${url}/mcp`);
    for (const tool of await client.tools()) expect(body).toContain(`\`${tool}\``);
    await client.close();
  });

  test("is indexed with the digest of the bytes that are served", async () => {
    const { body: index } = await get<{ $schema: string; skills: Record<string, string>[] }>(
      `${url}/.well-known/agent-skills/index.json`,
    );
    expect(index.$schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    expect(index.skills).toHaveLength(1);
    const [skill] = index.skills;
    const bytes = new Uint8Array(await (await fetch(skill!.url!)).arrayBuffer());
    expect(skill!.digest).toBe(`sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`);
    expect(skill!.type).toBe("skill-md");
    const said = new TextDecoder().decode(bytes);
    expect(said).toContain(`name: ${skill!.name}\ndescription: ${JSON.stringify(skill!.description)}`);
    expect(sha256Hex(said)).toBe(skill!.digest!.slice("sha256:".length));
  });
});

describe("an MCP address for reading", () => {
  test.each(["/mcp", "/mcp/meet", "/mcp/meet/an-open-room"])(
    "%s describes everything that a client finds",
    async (path) => {
      const { client, close } = await oldClient(url + path);
      const { body } = await read(`${path}.md`);
      const { tools } = await client.listTools();
      for (const { name, description, inputSchema } of tools) {
        expect(body).toContain(`\`${name}\`: ${description}`);
        for (const argument of Object.keys(inputSchema.properties ?? {}))
          expect(body).toContain(`\n- \`${argument}\` `);
      }
      const { resourceTemplates } = await client.listResourceTemplates();
      for (const { uriTemplate } of resourceTemplates) expect(body).toContain(`\`${uriTemplate}\`: `);
      for (const { name } of (await client.listPrompts()).prompts) expect(body).toContain(`\`${name}\`: `);
      for (const line of client.getInstructions()!.split("\n")) expect(body).toContain(line);
      await close();
    },
  );

  test("is a page in a browser, and 405 to a program", async () => {
    expect((await read("/mcp", { accept: "text/html" })).headers.get("content-type")).toStartWith(
      "text/html",
    );
    const refused = await get<{ error: { message: string } }>(`${url}/mcp`, { accept: "application/json" });
    expect([refused.status, Object.keys(refused.body)]).toEqual([405, ["jsonrpc", "id", "error"]]);
    expect(refused.body.error.message).toContain(`${url}/mcp.md`);
  });
});

/** The links of a list in Markdown to documents of the API, with the line of each. */
const listedIn = (markdown: string): { name: string; href: string; line: string }[] =>
  markdown.split("\n").flatMap((line) =>
    line.startsWith("- [")
      ? Array.from(line.matchAll(/\]\((\S+\/api\/docs\/([\w-]+))\.md\)/g), ([, href, name]) => ({
          name: name!,
          href: href!,
          line,
        }))
      : [],
  );

/** The sections of the API's documentation with their parts. */
async function sections(): Promise<
  { name: string; href: string; parts: { name: string; href: string }[] }[]
> {
  const by_line = Map.groupBy(listedIn((await read("/api.md")).body), ({ line }) => line);
  return [...by_line.values()].map(([section, ...parts]) => ({ ...section!, parts }));
}

/** The documents that have calls: the parts of a section, or the section if it has none. */
const callDocuments = async () =>
  (await sections()).flatMap(({ parts, ...section }) => (parts.length > 0 ? parts : [section]));

const isOf = (openapi: OpenApi, name: string) =>
  callsOf(openapi).filter(({ operation }) => operation.tags.includes(name));

describe("the documentation of the API", () => {
  test("has a section for each tag, and one for MCP", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const names = openapi.tags.map(({ name }) => name);
    expect((await sections()).map(({ name, href }) => [name, href])).toEqual(
      [...names, "mcp"].map((name) => [name, `${url}/api/docs/${name}`]),
    );
    expect((await read("/api/docs/nothing")).status).toBe(404);
  });

  test("splits long sections into parts by what one does; a section lists its parts with their calls", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const split = (await sections()).filter(({ parts }) => parts.length > 0);
    expect(split.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["rooms", "names", "jobs", "mailbox", "beacon"]),
    );
    for (const { name, href, parts } of split) {
      const twin = await (await fetch(`${href}.md`)).text();
      const listed = listedIn(twin);
      expect(listed.map((part) => part.href)).toEqual(parts.map((part) => part.href));
      const calls = isOf(openapi, name).map(({ method, path }) => `\`${method} ${path}\``);
      const named = listed.flatMap(({ line }) =>
        Array.from(line.matchAll(/`[A-Z]+ [^`]+`/g), ([call]) => call),
      );
      expect(named.toSorted()).toEqual(calls.toSorted());
      expect(twin).not.toContain("## Calls");
    }
  });

  test("describes every call, and loads nothing from other hosts", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const { headers, body: index } = await read("/api");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
    const described = new Set<string>();
    const described_calls: string[] = [];
    for (const { href } of await callDocuments()) {
      expect(index).toContain(`href="${href}"`);
      const page = await (await fetch(href)).text();
      expect(page).not.toMatch(/<iframe|<img|@import|url\(/);
      for (const [, source] of page.matchAll(/(?:<link rel="stylesheet" href|<script [^>]*src)="([^"]+)"/g))
        expect(source).toStartWith(url);
      const twin = await (await fetch(`${href}.md`)).text();
      const calls = callsOf(openapi).filter(({ method, path }) => twin.includes(`\n\`${method} ${path}\``));
      for (const { path, operation } of calls) {
        described_calls.push(operation.operationId);
        expect(page).toContain(`id="${operation.operationId}"`);
        const codes = Object.values(operation.responses).flatMap((answer) => answer["x-codes"] ?? []);
        for (const code of codes) expect(index + page).toContain(`href="${url}/problems/${code}"`);
        for (const { name } of operation.parameters)
          expect([path, twin.includes(name)]).toEqual([path, true]);
      }
      for (const [, shape] of page.matchAll(/id="shape-(\w+)"/g)) described.add(shape!);
      const anchors = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, anchor]) => anchor!);
      for (const anchor of new Set(anchors)) expect(page).toContain(`id="${anchor}"`);
    }
    const ids = callsOf(openapi).map(({ operation }) => operation.operationId);
    expect(described_calls.toSorted()).toEqual(ids.toSorted());
    const bodies = callsOf(openapi).flatMap(
      ({ operation }) =>
        operation.requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1) ?? [],
    );
    const shapes = Object.keys(openapi.components.schemas).filter(
      (name) => !/Problem$|^FaultyField$/.test(name) && !bodies.includes(name),
    );
    expect(shapes.filter((name) => !described.has(name))).toEqual([]);
  });

  test("describes each field of a shape there, or names it and where it is described", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const schemas = { ...openapi.components.schemas, ...leanShapes(openapi) };
    for (const { name, href } of await callDocuments()) {
      const twin = await (await fetch(`${href}.md`)).text();
      const described = new Map<string, string[]>();
      for (const part of (twin.split("\n## Shapes\n")[1] ?? "").split(/^### /m).slice(1)) {
        const shape = /^\w+/.exec(part)![0];
        const elsewhere = /As in (http\S+)\.$/m.exec(part)?.[1];
        if (elsewhere) {
          expect(await (await fetch(elsewhere)).text()).toContain(`### ${shape}\n`);
          continue;
        }
        const own = Array.from(part.matchAll(/^- `(\w+)`/gm), ([, field]) => field!);
        const fieldsIn = (other: string | undefined, elsewhere: string | undefined): string[] =>
          described.get(other ?? "") ?? Object.keys(schemas[elsewhere ?? ""]?.properties ?? {});
        const [, linked_whole, whole_of] = /^All of (?:\[(\w+)\]\(\S+\)|(\w+)), and:$/m.exec(part) ?? [];
        const whole = fieldsIn(whole_of, linked_whole);
        const [, linked, other, listed = ""] =
          /^As in (?:\[(\w+)\]\(\S+\)|(\w+)): (.*)\. And:$/m.exec(part) ?? [];
        const shared = Array.from(listed.matchAll(/`(\w+)`/g), ([, field]) => field!);
        expect([shape, shared.filter((field) => !fieldsIn(other, linked).includes(field))]).toEqual([
          shape,
          [],
        ]);
        described.set(shape, [...whole, ...shared, ...own]);
        const fields = Object.keys(schemas[shape]?.properties ?? {});
        expect([name, shape, described.get(shape)!.toSorted()]).toEqual([name, shape, fields.toSorted()]);
      }
    }
  });

  test("describes the lean answer of each call that has one, in the document of the call", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const documents = await Promise.all(
      (await callDocuments()).map(async ({ href }) => (await fetch(`${href}.md`)).text()),
    );
    const lean = callsOf(openapi).filter(({ operation }) => leanOf(operation));
    expect(lean.length).toBeGreaterThan(5);
    for (const { method, path, operation } of lean) {
      const twin = documents.find((text) => text.includes(`\n\`${method} ${path}\``))!;
      const shape = leanOf(operation)!.split("/").at(-1)!;
      expect(twin).toContain(`With fields=lean: ${shape}.`);
      const [, members = ""] = twin.split(`\n### ${shape}\n`);
      for (const member of Object.keys(leanShapes(openapi)[shape]!.properties!))
        expect(members).toContain(`\n- \`${member}\``);
    }
    expect((await read("/api/docs/mailbox-read.md")).body).toContain(
      "\n- `ago`: How many seconds ago it happened.\n",
    );
  });

  test("names the options of a choice, and no object without names of members", async () => {
    for (const { href } of await callDocuments())
      expect(await (await fetch(`${href}.md`)).text()).not.toContain("object of ,");
    expect((await read("/api/docs/beacon-answers.md")).body).toContain(
      "### BeaconDraw\n\nWhat was drawn.\n\nOne of DrawnNumber or DrawnItems.",
    );
  });

  test("shows bodies that fit their schemas", async () => {
    const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
    const { schemas } = openapi.components;
    for (const { operation } of callsOf(openapi)) {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      if (!schema) continue;
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      ajv.addSchema({ ...openapi }, "openapi");
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${schema.$ref!.split("/").at(-1)}` });
      expect([operation.operationId, validate(exampleOf(schema, schemas)), validate.errors]).toEqual([
        operation.operationId,
        true,
        null,
      ]);
    }
  });
});

test("shows people the home page at /, and leads agents that ask for Markdown to llms.txt", async () => {
  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"]) {
    const { status, headers, body } = await read("/", { accept });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("link")).toContain(`<${url}/llms.txt>; rel="describedby"`);
    expect(body).toContain(`${url}/mcp`);
  }
  const { status, headers } = await read("/", { accept: "text/markdown, text/html;q=0.5" });
  expect([status, headers.get("location")]).toEqual([303, `${url}/llms.txt`]);
});

test("/favicon.ico is the icon of the pages", async () => {
  const answer = await fetch(`${url}/favicon.ico`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
  const icon = Buffer.from(await answer.arrayBuffer());
  const page = await (await fetch(url)).text();
  const [png] = /assets\/[^"]+\/icon\.png/.exec(page)!;
  const [length, begin] = [icon.readUInt32LE(14), icon.readUInt32LE(18)];
  expect([...icon.subarray(0, 8), begin + length]).toEqual([0, 0, 1, 0, 1, 0, 32, 32, icon.length]);
  expect(icon.subarray(begin)).toEqual(Buffer.from(await (await fetch(`${url}/${png}`)).arrayBuffer()));
  const again = await fetch(`${url}/favicon.ico`, {
    headers: { "if-none-match": answer.headers.get("etag")! },
  });
  expect(again.status).toBe(304);
});
