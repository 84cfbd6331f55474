/** What the operator says about the instance: title, contact and terms, on pages, in documents and over MCP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contact, title, webAddress } from "../../src/core/setting_values.ts";
import { get } from "../support/http.ts";
import { openRoom } from "../support/load.ts";
import { startSource, type TestService } from "../support/service.ts";

const about = {
  title: `Ada's "<b>Quay</b>" & *Sons*`,
  contact: "harbour@wharf.example",
  terms_url: "https://wharf.example/terms?a=1&b=2",
};

let set: TestService;
let plain: TestService;
let slug: string;
beforeAll(async () => {
  set = await startSource(about);
  plain = await startSource();
  slug = await openRoom(set.url);
});
afterAll(async () => {
  await set.stop();
  await plain.stop();
});

const text = async (url: string, accept = "*/*"): Promise<string> =>
  (await fetch(url, { headers: { accept } })).text();

const initialize = async (url: string) => {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  const body = await response.text();
  const message = body.startsWith("{") ? body : /^data: (\{.*)$/m.exec(body)![1]!;
  type Answer = { result: { instructions: string; serverInfo: { title: string } } };
  return (JSON.parse(message) as Answer).result;
};

test("every page shows title, contact and terms, escaped", async () => {
  const paths = [
    "/meet",
    `/meet/r/${slug}`,
    "/jobs",
    "/api",
    "/problems/rate_limited",
    "/nowhere",
    "/mcp",
    "/beacon",
  ];
  for (const path of paths) {
    const page = await text(set.url + path, "text/html");
    expect([path, page]).toEqual([path, expect.stringContaining("</footer>")]);
    expect(page).toContain("Ada&#x27;s &quot;&lt;b&gt;Quay&lt;/b&gt;&quot; &amp; *Sons*");
    expect(page).not.toContain("<b>Quay");
    expect(page).toContain(`<a href="mailto:harbour@wharf.example">harbour@wharf.example</a>`);
    expect(page).toContain(`<a href="https://wharf.example/terms?a=1&amp;b=2">Terms of use</a>`);
  }
});

test("the documents for agents say them in Markdown", async () => {
  for (const path of ["/llms.txt", "/SKILL.md"]) {
    expect(await text(set.url + path)).toContain(
      String.raw`This instance is called Ada's "\<b\>Quay\</b\>" & \*Sons\*.` +
        "\\\nContact: <harbour@wharf.example>\\\nTerms of use: <https://wharf.example/terms?a=1&b=2>\n",
    );
  }
});

test("the OpenAPI document, the server cards and the AI catalog have them", async () => {
  const { body: openapi } = await get<{ info: object }>(`${set.url}/openapi.json`);
  expect(openapi.info).toMatchObject({
    title: about.title,
    contact: { email: about.contact },
    termsOfService: about.terms_url,
  });
  const { body: card } = await get(`${set.url}/mcp/server-card`);
  expect(card).toMatchObject({
    title: `${about.title}: all tools`,
    _meta: { "wharf/contact": about.contact, "wharf/terms": about.terms_url },
  });
  const { body: catalog } = await get<{ host: { displayName: string } }>(
    `${set.url}/.well-known/ai-catalog.json`,
  );
  expect(catalog.host.displayName).toBe(about.title);
});

test("MCP clients receive them in the instructions", async () => {
  const { instructions, serverInfo } = await initialize(set.url);
  expect(serverInfo.title).toBe(about.title);
  expect(instructions).toEndWith(
    `This instance is called ${about.title}.\nContact: ${about.contact}\nTerms of use: ${about.terms_url}`,
  );
});

test("without these settings, nothing is said of them", async () => {
  for (const path of ["/meet", "/llms.txt", "/SKILL.md", "/openapi.json", "/mcp/server-card", "/mcp.md"]) {
    expect(await text(plain.url + path)).not.toMatch(
      /contact|terms of (?:use|service)|instance is called|_meta/i,
    );
  }
  expect((await initialize(plain.url)).serverInfo.title).toBe("Wharf");
});

describe("the settings", () => {
  test.each([
    [title, "a\nb", "must be a line of at most 60 characters"],
    [title, "\u202eevil", "must be a line of at most 60 characters"],
    [title, "x".repeat(61), "must be a line of at most 60 characters"],
    [contact, "javascript:alert(1)", "must be an e-mail address or an http or https address"],
    [contact, "a b@c", "must be an e-mail address or an http or https address"],
    [webAddress, "javascript:alert(1)", "must be an http or https address"],
    [webAddress, "/terms", "must be an http or https address"],
  ])("%p refuses %j", (parse, wrong, rule) => {
    expect(() => parse(wrong)).toThrow(rule);
  });
});
