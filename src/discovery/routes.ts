/** The routes of the documents about the whole service, made from its routes, tools, limits and features. */

import { Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { web_errors } from "../web/errors.ts";
import { readsAsAnybody, type Caller } from "../core/caller.ts";
import { documentPage } from "../../views/document.tsx";
import { ServiceError } from "../core/errors.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { discovery_limits } from "./limits.ts";
import type { RateLimitSettings } from "../core/rate_limit/rate_limit.ts";
import { page_removed } from "../core/topics.ts";
import {
  formAt,
  markdownTwin,
  media,
  sendTagged,
  tagged,
  taggedHtml,
  taggedJson,
  taggedMarkdown,
  taggedText,
  type ExtraHeaders,
  type Tagged,
} from "../web/responses.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import type { OpenApi } from "../web/openapi/document.ts";
import { account_path } from "../api/account.ts";
import { pageHeaders } from "../web/page_headers.ts";
import { slicedXml } from "../web/slices.ts";
import { aiCatalog, apiCatalog, serverCard, skillsIndex, types } from "./catalogs.ts";
import { robots, sitemapPieces } from "./crawlers.ts";
import { markdownOf } from "./blocks.ts";
import { createDocumentMemo } from "./document_memo.ts";
import type { Facts } from "./facts.ts";
import type { Feature, Link } from "./feature.ts";
import { llmsText } from "./llms.ts";
import { openApiOf, sectionsOf } from "./openapi.ts";
import { sectionPath, sectionPaths, type Section } from "./sections.ts";
import { mcpAnswer, mcpSection, type McpAddress } from "./mcp_address.ts";
import { problemDocument, problemIndex } from "./problem_document.ts";
import { general_examples } from "./problem_examples.ts";
import type { ProblemExamples } from "./shell_lines.ts";
import { skillMarkdown } from "./skill.ts";
import type { DiscoveryDocument } from "../api/documents.ts";

interface DiscoveryDeps {
  /** Returns the app with all routes. */
  whole: () => AnyElysia;
  features: Feature[];
  /** The main pages of the features. */
  pages: Link[];
  /** The description of an MCP address. */
  mcpAt(path: string, room?: string | null): McpAddress;
  /** The slug of a room, for a caller who may read it. Throws `room_not_found`. */
  findRoom: (caller: Caller, slug: string) => Promise<{ slug: string }>;
  usage: RateLimitSettings;
  /** All expected errors, by code. */
  errors: Record<string, ErrorDefinition>;
}

/** For documents that change only with a new version of the service: caches may store them for an hour. */
const cached_an_hour = { "cache-control": "public, max-age=3600" };
const sitemap_seconds = 3600;

const document_docs: Record<string, ReturnType<typeof pageDoc>> = {
  "/openapi.json": pageDoc({
    summary: "This document",
    operation_id: "readOpenApi",
    media: ["application/json"],
  }),
  "/llms.txt": pageDoc({
    summary: "What there is, for agents, in short",
    operation_id: "readLlmsText",
    media: ["text/plain"],
  }),
  "/SKILL.md": pageDoc({
    summary: "A skill for agents, with examples",
    operation_id: "readSkill",
    media: ["text/markdown"],
  }),
};

/** The options of a document. A new object each time, because Elysia changes it. */
const open = () => ({ needs: "reader", ...undocumented }) as const;

type Reader = Pick<RequestContext, "request" | "base">;
type PageReader = Reader & Pick<RequestContext, "caller">;

export function discoveryRoutes(deps: DiscoveryDeps, http: Http) {
  const { features, pages, mcpAt, usage, errors } = deps;
  const { access, cache, repeated, clock, navigation, policy, siteOf } = http;
  const problem_examples: ProblemExamples = Object.assign(
    {},
    general_examples,
    ...features.map((feature) => feature.problem_examples),
  );
  const documentOf = createDocumentMemo();
  const sectionsAt = (base: string): Section[] =>
    sectionsOf(features, base, mcpSection(base, mcpAt("/mcp"), mcpAt("/mcp/meet")));
  const openApiAt = (base: string): OpenApi => openApiOf(deps, http, base);
  const factsAt = (base: string): Facts => ({
    base,
    sections: sectionsAt(base),
    tools: mcpAt("/mcp").tools,
    usage,
    policy,
    about: navigation.about,
    features,
    pages,
  });

  /** Answers with a document that depends only on the base URL, and caches it for each. */
  const sendMade = async (
    { request, base }: Reader,
    what: string,
    make: (base: string) => Tagged | Promise<Tagged>,
  ): Promise<Response> => {
    const key = `discovery ${what} ${base}`;
    return repeated.send(request, base, key, await cache.get("discovery", key, async () => make(base)));
  };

  /**
   * Answers with a document as a page, or as markdown if `path` ends in `.md`. `ending`: the ending of its links to other
   * documents of the same form. A page that shows who is signed in is made for its reader.
   */
  const sendDocument = async (
    { request, caller, base }: PageReader,
    path: string,
    make: (base: string, ending: string) => DiscoveryDocument | Promise<DiscoveryDocument>,
  ) => {
    const { name, form } = formAt(request, path, ["html", "markdown"]);
    if (form === "markdown") {
      return sendMade({ request, base }, `${name} markdown`, async (base) =>
        taggedMarkdown(markdownOf(await make(base, ".md"))),
      );
    }
    const page = async () => {
      const twin = `${base}${name}.md`;
      const document = await documentOf(base, name, () => make(base, ""));
      const html = await documentPage({ site: await siteOf({ caller, base }), document, twin });
      return taggedHtml(html, pageHeaders(base, twin));
    };
    return readsAsAnybody(caller)
      ? sendMade({ request, base }, `${name} html`, page)
      : sendTagged(request, await page());
  };

  const aiCatalogAs = (base: string, type: string): Tagged =>
    tagged(
      JSON.stringify(aiCatalog(base, navigation.about, [mcpAt("/mcp"), mcpAt("/mcp/meet")])),
      type,
      cached_an_hour,
    );

  /** Documents with one form, by path. */
  const documents: Record<string, (base: string) => Tagged> = {
    "/openapi.json": (base) => taggedJson(openApiAt(base)),
    "/llms.txt": (base) => taggedText(llmsText(factsAt(base))),
    "/SKILL.md": (base) => taggedMarkdown(skillMarkdown(factsAt(base))),
    "/.well-known/agent-skills/index.json": (base) =>
      taggedJson(skillsIndex(base, skillMarkdown(factsAt(base)))),
    "/.well-known/api-catalog": (base) =>
      tagged(JSON.stringify(apiCatalog(base)), types.linkset, {
        ...cached_an_hour,
        // RFC 9727, section 2: the answer to HEAD has this link, too.
        link: `<${base}/.well-known/api-catalog>; rel="api-catalog"`,
      }),
    "/.well-known/ai-catalog.json": (base) => aiCatalogAs(base, types.ai_catalog),
    "/.well-known/mcp/catalog.json": (base) => aiCatalogAs(base, media.json),
    "/robots.txt": (base) => taggedText(robots(base, features)),
  };

  const api = ({ request, route, caller, base }: RequestContext) =>
    sendDocument({ request, caller, base }, route, async (base, ending) => {
      const { apiIndex } = await import("./api_index.ts");
      return apiIndex(openApiAt(base), base, sectionsAt(base), ending);
    });

  const problems = ({ request, route, caller, base }: RequestContext) =>
    sendDocument({ request, caller, base }, route, (base, ending) =>
      problemIndex(base, Object.values(errors), ending),
    );

  const sendCard = ({ request, base }: Reader, at: McpAddress, extra: ExtraHeaders = {}) =>
    sendTagged(
      request,
      tagged(JSON.stringify(serverCard(base, at)), types.server_card, { ...cached_an_hour, ...extra }),
    );

  const app = access
    .get("/api", api, {
      needs: "reader",
      ...pageDoc({
        summary: "The API: its sections, and what holds for every call",
        operation_id: "readApiPage",
      }),
    })
    .get("/api.md", api, open())
    .get(
      "/api/docs/:section",
      ({ request, caller, base, params }) => {
        const path = sectionPath(params.section);
        const { name } = markdownTwin(params.section);
        if (!sectionPaths(sectionsAt(base)).includes(sectionPath(name)))
          throw new ServiceError(web_errors.path_not_found, "The documentation has no such section.");
        return sendDocument({ request, caller, base }, path, async (base, ending) => {
          const { apiDocument } = await import("./api_document.ts");
          return apiDocument(openApiAt(base), base, sectionsAt(base), name, ending);
        });
      },
      {
        needs: "reader",
        params: Type.Object({
          section: Type.String({ description: "A section, such as rooms, or a part, such as rooms-read." }),
        }),
        ...pageDoc({
          summary: "The parts or calls of a section, or the calls of a part",
          operation_id: "readApiSectionPage",
          failures: [web_errors.path_not_found],
        }),
      },
    )
    .get("/problems", problems, {
      needs: "reader",
      ...pageDoc({ summary: "All problems, by code", operation_id: "readProblemsPage" }),
    })
    .get("/problems.md", problems, open())
    .get(
      "/problems/:code",
      ({ request, caller, base, params }) => {
        const { name } = markdownTwin(params.code);
        const definition = Object.hasOwn(errors, name) ? errors[name] : undefined;
        if (!definition) {
          throw new ServiceError(web_errors.path_not_found, "No problem has that code.");
        }
        return sendDocument({ request, caller, base }, `/problems/${params.code}`, (base) =>
          problemDocument(base, definition, problem_examples),
        );
      },
      {
        needs: "reader",
        params: Type.Object({ code: Type.String({ description: "The code of a problem." }) }),
        ...pageDoc({
          summary: "What a problem is, and what to do",
          operation_id: "readProblemPage",
          failures: [web_errors.path_not_found],
        }),
      },
    )
    .get(
      "/mcp/meet/:room/server-card",
      async ({ request, caller, base, params }) => {
        const room = await deps.findRoom(caller, params.room);
        // Server cards of rooms must not be indexed: there are thousands of rooms, and unlisted ones must not be found.
        const robots = { "x-robots-tag": "noindex" };
        return sendCard({ request, base }, mcpAt(`/mcp/meet/${room.slug}`, room.slug), robots);
      },
      open(),
    )
    .get(
      "/sitemap.xml",
      async ({ request, base }) => {
        // At most once an hour, because it reads thousands of rooms.
        const hour = Math.floor(clock.now() / 1000 / sitemap_seconds);
        const make = async (base: string) => {
          const changed = await Promise.all(
            features.map(async (feature) => feature.changedPages?.(discovery_limits.sitemap_rooms_max) ?? []),
          );
          const paths = [...pages.map(({ path }) => path), "/api", ...sectionPaths(sectionsAt(base))];
          return slicedXml(clock, sitemapPieces(base, paths, changed.flat()));
        };
        const key = `sitemap ${hour} ${base}`;
        return sendTagged(request, await cache.get(page_removed, key, () => make(base)));
      },
      open(),
    );
  for (const [path, make] of Object.entries(documents)) {
    app.get(path, ({ request, base }) => sendMade({ request, base }, path, make), {
      needs: "reader",
      ...(document_docs[path] ?? undocumented),
    });
  }
  const readAs = (path: string) =>
    app.get(
      `${path}.md`,
      async ({ request, caller, base }) =>
        mcpAnswer(request, await siteOf({ caller, base }), mcpAt(path), true),
      open(),
    );
  for (const path of ["/mcp", "/mcp/meet"]) {
    app.get(`${path}/server-card`, ({ request, base }) => sendCard({ request, base }, mcpAt(path)), open());
    readAs(path);
  }
  if (policy.oauth) readAs(account_path);
  return app;
}
