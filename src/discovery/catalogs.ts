/** Machine-readable catalogs: the API catalog, the skills index, MCP server cards and the catalog of these cards. */

import ipaddr from "ipaddr.js";
import { sha256Hex } from "../core/secrets.ts";
import { titleOf, type About } from "../core/about.ts";
import { describedAs, type McpAddress } from "./mcp_address.ts";
import { skill } from "./skill.ts";

/** Media types of the catalogs. */
export const types = {
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  server_card: "application/mcp-server-card+json",
  ai_catalog: "application/ai-catalog+json",
};

/** /.well-known/api-catalog (RFC 9727): a linkset (RFC 9264) with the relations of RFC 8631. */
export const apiCatalog = (base: string): object => ({
  linkset: [
    { anchor: `${base}/.well-known/api-catalog`, item: [{ href: `${base}/api` }] },
    {
      anchor: `${base}/api`,
      "service-desc": [{ href: `${base}/openapi.json`, type: "application/json" }],
      "service-doc": [
        { href: `${base}/api`, type: "text/html" },
        { href: `${base}/api.md`, type: "text/markdown" },
      ],
      "service-meta": [
        { href: `${base}/llms.txt`, type: "text/plain" },
        { href: `${base}/.well-known/ai-catalog.json`, type: types.ai_catalog },
      ],
      status: [{ href: `${base}/healthz`, type: "application/json" }],
    },
  ],
});

/** /.well-known/agent-skills/index.json (Agent Skills Discovery 0.2.0): `markdown` is /SKILL.md as served at `base`. */
export const skillsIndex = (base: string, markdown: string): object => ({
  $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  skills: [{ ...skill, type: "skill-md", url: `${base}/SKILL.md`, digest: `sha256:${sha256Hex(markdown)}` }],
});

const slugOf = ({ room, path }: McpAddress): string =>
  room !== null ? `meet-${room}` : path === "/mcp" ? "house" : "meet";

const hostOf = (base: string): string => new URL(base).hostname.replace(/^\[|\]$/g, "");

/** The host as a publisher: letters, digits, dots and dashes. */
const publisherOf = (base: string): string => hostOf(base).replaceAll(":", "-");

/** The host in reverse order, for server names; an IP address is not reversed. */
const reverseHost = (base: string): string =>
  ipaddr.isValid(hostOf(base)) ? publisherOf(base) : hostOf(base).split(".").reverse().join(".");

/** The headers with a claimed name, as lists of MCP servers describe them. */
export const key_headers = [
  {
    name: "x-wf-name",
    description:
      "A claimed name, percent-encoded if it is not ASCII; needed for what is done in its name only.",
  },
  { name: "x-wf-key", description: "Its key.", isSecret: true },
];

/**
 * A server card: where and how to connect, without tools (SEP-2127, schema.ts of
 * modelcontextprotocol/experimental-ext-server-card of 2026-07-24).
 */
export const serverCard = (base: string, at: McpAddress): object => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reverseHost(base)}/wharf.${slugOf(at)}`,
  version: at.info.version,
  ...describedAs(at),
  websiteUrl: base + at.path,
  remotes: [
    {
      type: "streamable-http",
      url: base + at.path,
      headers: key_headers,
      supportedProtocolVersions: at.versions,
    },
  ],
  ...metaOf(at.about),
});

/** The card has no members of its own for contact and terms. */
function metaOf({ contact, terms_url }: About): object {
  if (contact === null && terms_url === null) return {};
  return {
    _meta: {
      ...(contact !== null && { "wharf/contact": contact }),
      ...(terms_url !== null && { "wharf/terms": terms_url }),
    },
  };
}

/**
 * The catalog of the MCP addresses (docs/discovery.md in that repository) at /.well-known/ai-catalog.json. Drafts before
 * 2026-07-20 use /.well-known/mcp/catalog.json, with `mediaType` instead of `type`.
 */
export const aiCatalog = (base: string, about: About, addresses: McpAddress[]): object => ({
  specVersion: "1.0",
  host: { displayName: titleOf(about), documentationUrl: `${base}/llms.txt` },
  entries: addresses.map((at) => ({
    identifier: `urn:air:${publisherOf(base)}:mcp:wharf.${slugOf(at)}`,
    displayName: describedAs(at).title,
    type: types.server_card,
    mediaType: types.server_card,
    url: `${base}${at.path}/server-card`,
  })),
});
