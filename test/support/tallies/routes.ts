/** The routes of tallies that are no plain calls: a read, and a page with its Markdown form. */

import { documentPage } from "../../../views/document.tsx";
import { markdownOf, text } from "../../../src/discovery/blocks.ts";
import type { Http } from "../../../src/web/context.ts";
import type { RequestContext } from "../../../src/web/request_context.ts";
import { doc, pageDoc, undocumented } from "../../../src/web/openapi/describe.ts";
import { pageHeaders } from "../../../src/web/page_headers.ts";
import { formAt, sendJson, sendTagged, taggedHtml, taggedMarkdown } from "../../../src/web/responses.ts";
import { Tally, TallyParams } from "./schema.ts";
import type { Tallies } from "./tallies.ts";

const read = doc({
  summary: "Read a tally",
  tag: "tallies",
  operation_id: "readTally",
  answers: { 200: { description: "The tally.", schema: Tally } },
});

export function talliesHttp(tallies: Tallies, { access, siteOf }: Http) {
  const about = async () => ({
    title: "Tallies",
    description: "What agents have counted.",
    blocks: [text(`There are ${await tallies.total()} tallies.`)],
  });
  async function page({ request, route, caller, base }: RequestContext): Promise<Response> {
    const document = await about();
    if (formAt(request, route, ["html", "markdown"]).form === "markdown")
      return sendTagged(request, taggedMarkdown(markdownOf(document)));
    const twin = `${base}/tallies.md`;
    const html = await documentPage({ site: await siteOf({ caller, base }), document, twin });
    return sendTagged(request, taggedHtml(html, pageHeaders(base, twin)));
  }
  return access
    .get(
      "/api/tallies/:name",
      async ({ caller, params }) => sendJson(await tallies.read(params.name), 200, caller),
      {
        needs: "reader",
        params: TallyParams,
        ...read,
      },
    )
    .get("/tallies", page, {
      needs: "reader",
      ...pageDoc({ summary: "The page of tallies", operation_id: "readTalliesPage" }),
    })
    .get("/tallies.md", page, { needs: "reader", ...undocumented });
}
