/** What a feature gives to the transports and to the documents. Each feature has it in `transports.ts`. */

import type { Caller } from "../core/caller.ts";
import type { Chunks } from "../core/chunks.ts";
import type { GuessedPath } from "../web/allowed_methods.ts";
import type { RateLimitSettings } from "../core/rate_limit/rate_limit.ts";
import type { Tool } from "../mcp/tool.ts";
import type { Http } from "../web/context.ts";
import type { Example } from "./examples.ts";
import type { Part } from "./sections.ts";
import type { ProblemExamples } from "./shell_lines.ts";
import type { Activity, News } from "../api/pages.ts";
import type { Block } from "../api/documents.ts";

/** A link in a document. `path` is below the base. */
export interface Link {
  title: string;
  path: string;
  about: string;
}

/** A page in the sitemap, with the ISO time of its last change. */
export interface ChangedPage {
  path: string;
  changed: string;
}

/** The sections of SKILL.md with examples: rooms need no claimed name, proofs no trust. */
export type Section = "rooms" | "names" | "proofs";

/** Where the home page has its news from. */
export interface NewsSource {
  read(base: string): Promise<News>;
  /** Whether a change of this topic may change the news. */
  isChangedBy(topic: string): boolean;
}

/** A claimed name. `created`: the ISO time of the claim. */
export interface ClaimedName {
  name: string;
  canonical: string;
  created: string;
}

/** What a claimed name did in a feature. With a cursor: only the part that continues there. */
export type ActivityOf = (name: ClaimedName, cursor?: string) => Promise<Activity[]>;

/** A line of the export of a name. `of_others`: those of its members that hold texts of others. */
export interface ExportedLine {
  kind: string;
  of_others?: readonly string[];
  [member: string]: unknown;
}

/** Everything that a claimed name has in a feature, in small chunks, for its export. */
export type ExportOf = (name: ClaimedName, base: string, caller: Caller) => Chunks<ExportedLine[]>;

export interface FeatureDocuments {
  /** The tag of its routes in the OpenAPI document, and the name of its section in the documentation. */
  tag: { name: string; description: string };
  /** The parts of its section, if one document would be long. Each call belongs to one of them. */
  parts?: Part[];
  /** What a section without parts says after the calls. */
  details?(base: string): Block[];
  /** Its main page, and the place of the page in the navigation. It has a Markdown form at the same path with `.md`. */
  page?: Link & { place: number };
  /** Further links of llms.txt, for programs. */
  for_programs?: Link[];
  /** Paths that crawlers leave out. */
  not_crawled?: string[];
  /** Its limits as sentences. */
  allowance?(settings: RateLimitSettings): string[];
  /** Its part of a section of SKILL.md. Examples of a section continue each other. */
  examples?: { section: Section; of(base: string): Example[] };
  /** A line for MCP clients at /mcp. */
  instruction?: string;
  /** Shell examples of its errors. */
  problem_examples?: ProblemExamples;
  /** Paths that callers guess for its calls, and what to call instead. */
  guessed_paths?: GuessedPath[];
}

export interface Feature extends FeatureDocuments {
  /** Mounts its routes and pages on `http.access`. */
  routes(http: Http): void;
  /** Its tools at /mcp. */
  tools: Tool[];
  /** Up to `limit` public pages for the sitemap. */
  changedPages?(limit: number): Promise<ChangedPage[]>;
  activity?: ActivityOf;
  news?: NewsSource;
  /** Starts background work, once the service can be reached. */
  start?(): void;
  close?(): void;
}
