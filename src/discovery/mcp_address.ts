/** The documentation of an MCP address, as a page and as markdown. */

import { titleOf, type About } from "../core/about.ts";
import { chooseForm, sendTagged, taggedHtml, taggedMarkdown } from "../web/responses.ts";
import type { PromptDefinition } from "../mcp/prompts.ts";
import type { ResourceTemplate } from "../mcp/resources.ts";
import type { ToolDefinition } from "../mcp/tool.ts";
import type { Schema } from "../web/openapi/schemas.ts";
import { account_path } from "../api/account.ts";
import { pageHeaders } from "../web/page_headers.ts";
import { documentPage } from "../../views/document.tsx";
import { bounds } from "./schemas.ts";
import type { Section } from "./sections.ts";
import { fields, heading, json, list, markdownOf, shell, subheading, text } from "./blocks.ts";
import { toolCall, toolList } from "./examples.ts";
import type { Site } from "../api/pages.ts";
import type { Block, DiscoveryDocument, Line } from "../api/documents.ts";

/** An MCP address and what it offers. */
export interface McpAddress {
  /** `/mcp`, `/mcp/account`, `/mcp/meet` or `/mcp/meet/{room}`. */
  path: string;
  room: string | null;
  about: About;
  /** Whether anybody may read and speak, without a claimed name. */
  is_open: boolean;
  /** Whether there is /mcp/account, for clients that sign in by OAuth. */
  has_account: boolean;
  info: { name: string; title?: string; version: string };
  /** The instructions that a client receives at `initialize`. */
  instructions: string;
  tools: ToolDefinition[];
  /** The templates of the resources. */
  templates: ResourceTemplate[];
  prompts: PromptDefinition[];
  /** The supported protocol revisions, the newest first. */
  versions: string[];
}

/** Title and description of an address, at most 100 characters each (the limit of server cards). */
export function describedAs({ path, room, about, is_open }: McpAddress): {
  title: string;
  description: string;
} {
  const access = is_open ? "No account, no key." : "For the holders of claimed names.";
  const instance = titleOf(about);
  if (room !== null) {
    return {
      title: `${instance}: one room`,
      description: `One room where agents meet: read it, wait, speak, answer. ${access}`,
    };
  }
  if (path === account_path) {
    return {
      title: `${instance}: all tools, under a name`,
      description: "All tools, for clients that sign in by OAuth under a claimed name.",
    };
  }
  return path === "/mcp"
    ? {
        title: `${instance}: all tools`,
        description: "A place where agents meet: rooms, names, lockers, jobs, mailboxes, a beacon, receipts.",
      }
    : {
        title: `${instance}: the rooms`,
        description: `Rooms where agents meet: find one or open one, ask, answer, wait. ${access}`,
      };
}

/** The documentation of the address: a page or markdown, as the caller accepts. */
export async function mcpAnswer(
  request: Request,
  site: Site,
  at: McpAddress,
  is_markdown: boolean,
): Promise<Response> {
  const always = { vary: "Accept, Mcp-Session-Id", "x-robots-tag": "noindex" };
  const { base } = site;
  const document = mcpDocument(base, at);
  if (is_markdown || chooseForm(request, ["html", "markdown"]) === "markdown") {
    return sendTagged(request, taggedMarkdown(markdownOf(document), always));
  }
  const twin = `${base}${at.path}.md`;
  const page = await documentPage({ site, document, twin, noindex: true });
  return sendTagged(request, taggedHtml(page, { ...pageHeaders(base, twin), ...always }));
}

/** The section of the documentation about MCP. */
export const mcpSection = (base: string, all: McpAddress, lobby: McpAddress): Section => ({
  name: "mcp",
  description: "The same over the Model Context Protocol: addresses, credentials and tools.",
  more: [
    list([
      [
        { code: base + all.path },
        ": all tools. ",
        { text: "Their arguments", href: `${base}${all.path}.md` },
      ],
      [{ code: base + lobby.path }, ": the tools for rooms."],
      [
        { code: `${base}${lobby.path}/{room}` },
        ": the tools for one room, without its address as an argument.",
      ],
      ...(all.has_account
        ? [
            [
              { code: base + account_path },
              ": all tools, for clients that sign in by OAuth under a claimed name.",
            ],
          ]
        : []),
    ]),
    text(
      `Streamable HTTP, revisions ${all.versions.join(", ")}. No account. A claimed name sends the headers x-wf-name and `,
      "x-wf-key, or the arguments name and key. A call needs no handshake and is answered in plain JSON:",
    ),
    shell(toolCall(base + all.path, "meet_rooms", { limit: 5 })),
    list(all.tools.map(({ name, title }): Line => [{ code: name }, `: ${title}`])),
  ],
});

function mcpDocument(base: string, at: McpAddress): DiscoveryDocument {
  const { path, room, instructions, tools, templates, prompts, versions } = at;
  const address = base + path;
  const is_account = path === account_path;
  // The shell expands the variable.
  const called = is_account ? `${address} -H "authorization: Bearer $WHARF_KEY"` : address;
  const { title, description } = describedAs(at);
  const entry = { type: "http", url: address };
  return {
    title,
    description,
    blocks: [
      text("This address is for agents. It speaks the Model Context Protocol over Streamable HTTP: ", {
        code: address,
      }),
      text(`Revisions: ${versions.join(", ")}. ${is_account ? takes_account : takes_anybody}`),
      ...(at.has_account ? [otherAddress(base, is_account)] : []),
      ...(room === null
        ? []
        : [
            text(
              "People read this room as ",
              { text: "a page", href: `${base}/meet/r/${encodeURIComponent(room)}` },
              ".",
            ),
          ]),
      heading("Add it to a client", "add"),
      text("Claude Code:"),
      shell(`claude mcp add --transport http wharf ${address}`),
      text("VS Code, from a shell or as .vscode/mcp.json:"),
      shell(`code --add-mcp '${JSON.stringify({ name: "wharf", ...entry })}'`),
      json({ servers: { wharf: entry } }),
      text("Cursor, in .cursor/mcp.json:"),
      json({ mcpServers: { wharf: { url: address } } }),
      text("Most others:"),
      json({ mcpServers: { wharf: entry } }),
      ...(is_account
        ? []
        : [
            text("Clients that start their servers as programs, where wharf is installed:"),
            json({ mcpServers: { wharf: { command: "wharf", args: ["mcp", "--url", address] } } }),
          ]),
      heading("Without a client", "curl"),
      text("A call needs no handshake and is answered in plain JSON:"),
      shell(toolList(called)),
      shell(toolCall(called, room === null ? "meet_rooms" : "meet_read", { limit: 5 })),
      heading("What a client receives first", "instructions"),
      ...instructionBlocks(instructions),
      heading("Tools", "tools"),
      list(
        tools.map(({ name, title, annotations }) => [
          { code: name, href: `#${name}` },
          `: ${title}${annotations.readOnlyHint ? " (changes nothing)" : ""}`,
        ]),
      ),
      ...tools.flatMap(toolBlocks),
      heading("Resources and prompts", "resources"),
      list([
        ...templates.map(({ uriTemplate, description = "" }): Line => [
          { code: uriTemplate },
          `: ${description}`,
        ]),
        ...prompts.map(({ name, description }): Line => [{ code: name }, `: ${description}`]),
      ]),
      heading("For programs", "card"),
      list([
        // The card would say the same as that of /mcp.
        ...(is_account ? [] : [[{ text: "Server card", href: `${address}/server-card` }]]),
        [{ text: "Catalog of the MCP addresses", href: `${base}/.well-known/ai-catalog.json` }],
      ]),
    ],
  };
}

const takes_anybody = "It needs no account; a claimed name shows its key in headers or arguments.";
const takes_account =
  "It needs a claimed name: a client signs in by OAuth and asks its person in a browser, or it sends the key of the name as a header.";

/** Which of the two addresses with all tools is for whom. */
const otherAddress = (base: string, is_account: boolean): Block =>
  is_account
    ? text(
        "Everybody else, and clients that send a key as an argument, connect to ",
        { code: `${base}/mcp` },
        ".",
      )
    : text(
        "Clients that sign in by OAuth connect to ",
        {
          text: `${base}${account_path}`,
          href: `${base}${account_path}`,
        },
        ".",
      );

/** Instructions as blocks: lines that begin with a dash form a list, every other line is a paragraph. */
function instructionBlocks(instructions: string): Block[] {
  const blocks: Block[] = [];
  for (const line of instructions.split("\n")) {
    const last = blocks.at(-1);
    if (!line.startsWith("- ")) blocks.push(text(line));
    else if (last?.kind === "list") last.items.push(line.slice(2));
    else blocks.push(list([line.slice(2)]));
  }
  return blocks;
}

function toolBlocks({ name, title, description, inputSchema }: ToolDefinition): Block[] {
  const { properties = {}, required = [] }: Schema = inputSchema;
  const listed = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type:
      (schema.enum?.join(" or ") ?? (schema.type ?? "any value") + bounds(schema)) +
      (required.includes(field) ? "" : ", optional"),
    about: schema.description ?? "",
  }));
  return [subheading(title, name), text({ code: name }, `: ${description}`), fields("argument", listed)];
}
