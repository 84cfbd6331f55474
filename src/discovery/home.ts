/** The home page: /. */

import { Elysia } from "elysia";
import { homePage } from "../../views/home.tsx";
import type { Http, RequestContext } from "../web/context.ts";
import { pageDoc } from "../web/openapi/describe.ts";
import { pageHeaders, serviceLinks } from "../web/page_headers.ts";
import { chooseForm, sendTagged, taggedHtml, seeOther } from "../web/responses.ts";
import type { Feature } from "./feature.ts";
import { accessText } from "./policy.ts";

/** `news`: what happens now in each feature. */
export function homeRoutes(news: NonNullable<Feature["news"]>[], { access, siteOf, policy }: Http) {
  async function home({ request, caller, base }: RequestContext): Promise<Response> {
    if (chooseForm(request, ["html", "markdown"]) === "markdown") {
      return seeOther(`${base}/llms.txt`, { link: serviceLinks(base), vary: "Accept" });
    }
    const parts = await Promise.all(news.map((newsOf) => newsOf(base)));
    const page = await homePage(siteOf({ caller, base }), parts, accessText(policy));
    return sendTagged(request, taggedHtml(page, pageHeaders(base, `${base}/llms.txt`)));
  }

  return new Elysia({ name: "home" }).use(access).get("/", home, {
    needs: "reader",
    ...pageDoc({
      summary: "What this is, and what happens now; as markdown it leads to /llms.txt",
      operation_id: "readHomePage",
    }),
  });
}
