/** The OpenAPI document of a service, from its routes, its features and its settings. */

import type { AnyElysia } from "elysia";
import type { Http } from "../web/context.ts";
import { page_tag } from "../web/openapi/describe.ts";
import { openApiDocument, type OpenApi } from "../web/openapi/document.ts";
import type { Feature } from "./feature.ts";
import { page_parts } from "./page_parts.ts";
import { readingText } from "./policy.ts";
import type { Section } from "./sections.ts";

const service_tag = { name: "service", description: "About the service itself." };

/** Returns the document of a service at `base`. `whole` returns the app with all routes. */
export function openApiOf(
  { whole, features }: { whole: () => AnyElysia; features: Feature[] },
  { policy, navigation: { about } }: Pick<Http, "policy" | "navigation">,
  base: string,
): OpenApi {
  const tags = [...features.map(({ tag }) => tag), service_tag, page_tag];
  return openApiDocument(whole(), base, { access: readingText(policy), about }, tags);
}

/** The sections of the documentation: one for each tag of the document, and `mcp`. */
export const sectionsOf = (features: Feature[], base: string, mcp: Section): Section[] => [
  ...features.map(({ tag, parts, details }) => ({ ...tag, parts, more: details?.(base) })),
  service_tag,
  { ...page_tag, parts: page_parts },
  mcp,
];
