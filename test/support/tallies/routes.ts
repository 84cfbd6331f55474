/** The routes of tallies that are no plain calls. */

import { Elysia } from "elysia";
import { documentPage } from "../../../views/document.tsx";
import { markdownOf, text } from "../../../src/discovery/blocks.ts";
import type { Http } from "../../../src/web/context.ts";
import { doc, undocumented } from "../../../src/web/openapi/describe.ts";
import { sendJson, sendTagged, taggedHtml, taggedMarkdown } from "../../../src/web/responses.ts";
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
  return new Elysia({ name: "tallies" })
    .use(access)
    .get(
      "/api/tallies/:name",
      async ({ caller, params }) => sendJson(await tallies.read(params.name), 200, caller),
      {
        needs: "reader",
        params: TallyParams,
        ...read,
      },
    )
    .get(
      "/tallies",
      async ({ request, caller, base }) => {
        const site = siteOf({ caller, base });
        const page = await documentPage({ site, document: await about(), twin: `${base}/tallies.md` });
        return sendTagged(request, taggedHtml(page, {}));
      },
      { needs: "reader", ...undocumented },
    )
    .get(
      "/tallies.md",
      async ({ request }) => sendTagged(request, taggedMarkdown(markdownOf(await about()))),
      { needs: "reader", ...undocumented },
    );
}
