/** How programs find the service: the API catalog, the cards of MCP addresses and their catalog, robots.txt, the sitemap. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { XMLParser } from "fast-xml-parser";
import { discovery_limits } from "../../src/discovery/limits.ts";
import { get, post, send } from "../support/http.ts";
import { modernClient, oldClient } from "../support/mcp_clients.ts";
import { ask, handshake } from "../support/mcp_messages.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let url: string;
let unlisted: { slug: string; url: string };
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  url = service.url;
  const rooms = `${url}/api/meet/rooms`;
  await post(rooms, { goal: "An open room", name: "Ada" });
  const closed = await post<{ api: string; host_key: string }>(rooms, { goal: "A closed room", name: "Ada" });
  await post(`${closed.body.api}/close`, undefined, { "x-meet-key": closed.body.host_key });
  const hidden = { goal: "A hidden room", name: "Ada", visibility: "unlisted" };
  unlisted = (await post<{ slug: string; url: string }>(rooms, hidden)).body;
});
afterAll(() => service.stop());

const read = async (path: string, headers: Record<string, string> = {}) => send("GET", url + path, headers);

describe("the API catalog", () => {
  interface Linkset {
    linkset: Record<string, string | { href: string; type?: string }[]>[];
  }

  test("is a linkset whose links lead to what they name", async () => {
    const { body } = await get<Linkset>(`${url}/.well-known/api-catalog`);
    const [catalog, api] = body.linkset;
    expect(catalog).toEqual({ anchor: `${url}/.well-known/api-catalog`, item: [{ href: `${url}/api` }] });
    expect(api!.anchor).toBe(`${url}/api`);
    expect(Object.keys(api!)).toEqual(["anchor", "service-desc", "service-doc", "service-meta", "status"]);
    for (const target of Object.values(api!).flatMap((links) => (Array.isArray(links) ? links : []))) {
      const { status, headers } = await fetch(target.href, { headers: { accept: target.type! } });
      expect([target.href, status]).toEqual([target.href, 200]);
      expect(headers.get("content-type")).toStartWith(target.type!);
    }
  });

  test("is named in the answer to HEAD", async () => {
    const { headers } = await fetch(`${url}/.well-known/api-catalog`, { method: "HEAD" });
    expect(headers.get("link")).toBe(`<${url}/.well-known/api-catalog>; rel="api-catalog"`);
  });
});

describe("MCP server cards", () => {
  interface Card {
    $schema: string;
    name: string;
    version: string;
    title: string;
    description: string;
    websiteUrl: string;
    remotes: { type: string; url: string; supportedProtocolVersions: string[] }[];
  }

  test.each(["/mcp", "/mcp/meet", "/mcp/meet/an-open-room"])("%s", async (path) => {
    const { headers, body: card } = await get<Card>(`${url}${path}/server-card`);
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(card.$schema).toBe("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json");
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(card.title.length).toBeWithin(1, 101);
    expect(card.description.length).toBeWithin(1, 101);
    expect((await fetch(card.websiteUrl, { headers: { accept: "text/html" } })).status).toBe(200);
    const [remote, ...others] = card.remotes;
    expect(others).toEqual([]);
    expect(remote).toMatchObject({ type: "streamable-http", url: url + path });
    // It describes the same as an MCP handshake.
    const client = await oldClient(remote!.url);
    expect(client.client.getServerVersion()!.version).toBe(card.version);
    await client.close();
    const modern = await modernClient(remote!.url);
    expect(modern.version).toBe(remote!.supportedProtocolVersions[0]!);
    await modern.close();
    for (const protocolVersion of remote!.supportedProtocolVersions.slice(1)) {
      const params = { ...handshake, protocolVersion };
      const { body } = await ask<typeof handshake>(remote!.url, "initialize", params);
      expect(body.result!.protocolVersion).toBe(protocolVersion);
    }
  });

  test("are in the catalog, at the address of the current draft and of the one before", async () => {
    const { body } = await get<{ specVersion: string; entries: { url: string; type: string }[] }>(
      `${url}/.well-known/ai-catalog.json`,
    );
    expect(body).toEqual((await get<typeof body>(`${url}/.well-known/mcp/catalog.json`)).body);
    expect(body.specVersion).toBe("1.0");
    expect(body.entries.map((entry) => entry.url)).toEqual([
      `${url}/mcp/server-card`,
      `${url}/mcp/meet/server-card`,
    ]);
    for (const entry of body.entries) {
      const { headers } = await fetch(entry.url, { headers: { accept: entry.type } });
      expect(headers.get("content-type")).toBe(entry.type);
    }
  });

  test("do not exist for a room that does not exist", async () => {
    const { status, body } = await get(`${url}/mcp/meet/nowhere/server-card`);
    expect([status, body.code]).toEqual([404, "room_not_found"]);
  });

  test("keep their address: a room with such a goal gets another slug", async () => {
    for (let i = 0; i < 2; i++) {
      const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, {
        goal: "Server card",
        name: "Ada",
      });
      expect(body.slug).toMatch(/^server-card-[a-z2-7]+$/);
    }
  });
});

describe("for crawlers", () => {
  test("robots.txt excludes endless addresses and names the sitemap", async () => {
    const { body } = await read("/robots.txt");
    expect(body).toStartWith("User-agent: *\n");
    expect(body).toContain("Disallow: /api/meet/rooms/*/stream\n");
    expect(body).toContain(`\nSitemap: ${url}/sitemap.xml\n`);
    expect(body).not.toMatch(/^Disallow: \/(?:api|mcp|meet|)\/?$/m);
  });

  const locations = async (at = url) => {
    const { body } = await send("GET", `${at}/sitemap.xml`);
    const parsed = new XMLParser().parse(body) as { urlset: { url: { loc: string; lastmod?: string }[] } };
    return parsed.urlset.url;
  };

  test("lists pages and public rooms, open and closed, and no unlisted one in the sitemap", async () => {
    const listed = await locations();
    for (const { loc } of listed) expect([loc, (await fetch(loc)).status]).toEqual([loc, 200]);
    const paths = listed.map(({ loc }) => new URL(loc).pathname);
    expect(paths).toContainValues(["/meet", "/jobs", "/locker", "/beacon", "/receipt", "/api"]);
    expect(paths).toContainValues(["/meet/r/an-open-room", "/meet/r/a-closed-room"]);
    expect(listed.some(({ loc }) => loc.includes(unlisted.slug))).toBe(false);
    const room = listed.find(({ loc }) => loc.endsWith("/meet/r/an-open-room"));
    expect(room!.lastmod).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(discovery_limits.sitemap_rooms_max + 100).toBeLessThan(50_000);
  });

  test("lists a new room in the sitemap within an hour", async () => {
    await locations();
    await post(`${url}/api/meet/rooms`, { goal: "A later room", name: "Ada" });
    service.clock.advance(3600);
    expect((await locations()).some(({ loc }) => loc.endsWith("/meet/r/a-later-room"))).toBe(true);
  });

  test("excludes unlisted rooms from indexes in all their forms", async () => {
    for (const address of [
      unlisted.url,
      `${unlisted.url}.md`,
      ...["", ".md", "/feed.json", "/feed.atom", "/export.jsonl"].map(
        (end) => unlisted.url.replace("/meet/r/", "/api/meet/rooms/") + end,
      ),
    ]) {
      const { headers } = await fetch(address);
      expect([address, headers.get("x-robots-tag")]).toEqual([address, "noindex"]);
    }
  });

  test("uses the base URL in all addresses", async () => {
    const below = await startSource({ base_url: "https://wharf.example/below" });
    const { body } = await send("GET", `${below.url}/robots.txt`);
    expect(body).toContain("Disallow: /below/api/mailbox\n");
    expect((await locations(below.url))[0]!.loc).toBe("https://wharf.example/below/meet");
    const { body: card } = await get<{ name: string }>(`${below.url}/mcp/server-card`);
    expect(card.name).toBe("example.wharf/wharf.house");
    await below.stop();
  });
});
