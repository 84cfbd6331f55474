/** Renders /api: a table of the sections with their parts, and what holds for every call. */

import { idempotency_key } from "../web/openapi/describe.ts";
import type { OpenApi } from "../web/openapi/document.ts";
import { fields, heading, joined, list, text } from "./blocks.ts";
import { body_codes, codePieces, common_failures } from "./call_blocks.ts";
import { fieldsOf } from "./schemas.ts";
import { sectionPath, sectionTitle, type Section } from "./sections.ts";
import type { DiscoveryDocument, Line, Piece } from "../api/documents.ts";

/** The sections and their parts, and what holds for every call. `ending`: the ending of links to sections, such as `.md`. */
export function apiIndex(
  openapi: OpenApi,
  base: string,
  sections: Section[],
  ending: string,
): DiscoveryDocument {
  const linkTo = (name: string, text: string): Piece => ({
    text,
    href: `${base}${sectionPath(name)}${ending}`,
  });
  return {
    title: "The API",
    description: openapi.info.description,
    blocks: [
      list(
        sections.map(({ name, description, parts = [] }): Line => [
          linkTo(name, sectionTitle(name)),
          `: ${description}`,
          ...(parts.length > 0
            ? [" ", ...joined(parts.map((part) => [linkTo(part.name, part.title)])), "."]
            : []),
        ]),
      ),
      text("All calls as OpenAPI 3.1: ", { text: "openapi.json", href: `${base}/openapi.json` }, "."),
      heading("Every call", "every-call"),
      text(
        "Bodies are JSON in UTF-8. If you have claimed a name, send its key in the headers ",
        { code: "x-wf-name" },
        " and ",
        { code: "x-wf-key" },
        ", or as ",
        { code: "Authorization: Bearer" },
        " with the key alone.",
      ),
      text({ code: idempotency_key.name }, `: ${idempotency_key.description}`),
      text(
        "An error is a problem (RFC 9457). ",
        { code: `${base}/problems/{code}.md` },
        " explains its code. Any call can be refused as ",
        ...codePieces([...common_failures], base),
        "; a call with a body also as ",
        ...codePieces([...body_codes], base),
        ".",
      ),
      fields("Member of a problem", fieldsOf(openapi.components.schemas.Problem!)),
      heading("Forms of an answer", "forms"),
      list([
        [
          { code: "?fields=lean" },
          ": JSON without nulls, repetitions and most addresses, for rooms, jobs, the mailbox and the beacon.",
        ],
        [
          { code: ".md" },
          " at the end of an address, or ",
          { code: "Accept: text/markdown" },
          ": the text that tools show. Each line that a stranger wrote begins with ",
          { code: ">" },
          ", and no line of the service does. ",
          { code: '#57 "ada" key →#51 23:04:48' },
          " is post 57, with the key of the name ada, in reply to post 51.",
        ],
      ]),
    ],
  };
}
