/** The page of a claimed name: /name/{name}. */

import { namePage } from "../../../views/name.tsx";
import { nameInAddress } from "../../../views/text.ts";
import { call_errors } from "../../core/general_errors.ts";
import { CursorParam, QueryOf } from "../../core/fields.ts";
import type { ActivityOf } from "../../discovery/feature.ts";
import type { Http } from "../../web/context.ts";
import { pageDoc } from "../../web/openapi/describe.ts";
import { pageHeaders, queryOf } from "../../web/page_headers.ts";
import { formAt, sendTagged, taggedHtml, taggedMarkdown } from "../../web/responses.ts";
import { name_errors } from "../errors.ts";
import { namePageMarkdown } from "../markdown.ts";
import type { Names } from "../names.ts";
import { lookupOf } from "../representations.ts";
import { NameParams } from "../routes.ts";

const PageParams = QueryOf({ cursor: CursorParam });

/** `activities`: what a name did in each feature. */
export const namePages = (names: Names, activities: ActivityOf[], { access, siteOf }: Http) =>
  access.get(
    "/name/:name",
    async ({ request, caller, base, params, query }) => {
      const { name, form } = formAt(request, params.name, ["html", "markdown"]);
      const record = await names.lookupSeen(name);
      const parts = await Promise.all(activities.map((activityOf) => activityOf(record, query.cursor)));
      const shown = {
        lookup: lookupOf(record),
        activities: parts.flat(),
        is_first: query.cursor === undefined,
      };
      if (form === "markdown") return sendTagged(request, taggedMarkdown(namePageMarkdown(base, shown)));
      const twin = `${base}/name/${nameInAddress(record.name)}.md${queryOf(request)}`;
      const page = await namePage(await siteOf({ caller, base }), shown);
      return sendTagged(request, taggedHtml(page, pageHeaders(base, twin)));
    },
    {
      needs: "reader",
      params: NameParams,
      query: PageParams,
      ...pageDoc({
        summary: "A claimed name, and what it did",
        operation_id: "readNamePage",
        failures: [name_errors.name_not_claimed, call_errors.invalid_fields],
      }),
    },
  );
