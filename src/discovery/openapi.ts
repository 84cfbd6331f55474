/** The OpenAPI document of a service, from its routes, its features and its settings. */

import type { AnyElysia } from "elysia";
import type { Http } from "../web/context.ts";
import { page_tag } from "../web/openapi/describe.ts";
import { openApiDocument, type OpenApi } from "../web/openapi/document.ts";
import type { Feature } from "./feature.ts";
import { readingText } from "./policy.ts";

export const service_tag = { name: "service", description: "About the service itself." };

/** Returns the document of a service at `base`. `whole` returns the app with all routes. */
export function openApiOf(
  { whole, features }: { whole: () => AnyElysia; features: Feature[] },
  { policy, navigation: { about } }: Pick<Http, "policy" | "navigation">,
  base: string,
): OpenApi {
  const tags = [...features.map(({ tag }) => tag), service_tag, page_tag];
  return openApiDocument(whole(), base, { access: readingText(policy), about }, tags);
}
