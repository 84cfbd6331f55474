/** The home page: /. */

import { homePage } from "../../views/home.tsx";
import { readsAsAnybody } from "../core/caller.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc } from "../web/openapi/describe.ts";
import { pageHeaders, serviceLinks } from "../web/page_headers.ts";
import { chooseForm, sendTagged, taggedHtml, seeOther, type Tagged } from "../web/responses.ts";
import type { Feature, NewsSource } from "./feature.ts";
import { accessForReaders } from "./policy.ts";

/** The topic of the cached page. */
const home_topic = "home";

/** Returns the listener of changes that drops the cached page when the news of a feature change. */
export function dropHome(features: Feature[], cache: Http["cache"]): (topic: string | null) => void {
  const sources = features.flatMap(({ news = [] }) => news);
  return (topic) => {
    if (topic !== null && sources.some(({ isChangedBy }) => isChangedBy(topic))) cache.invalidate(home_topic);
  };
}

/** `news`: what happens now in each feature. */
export function homeRoutes(news: NewsSource[], { access, cache, repeated, siteOf, policy }: Http) {
  async function home({ request, caller, base }: RequestContext): Promise<Response> {
    if (chooseForm(request, ["html", "markdown"]) === "markdown") {
      return seeOther(`${base}/llms.txt`, { link: serviceLinks(base), vary: "Accept" });
    }
    const make = async (): Promise<Tagged> => {
      const parts = await Promise.all(news.map(({ read }) => read(base)));
      const page = await homePage(await siteOf({ caller, base }), parts, accessForReaders(policy));
      return taggedHtml(page, pageHeaders(base, `${base}/llms.txt`));
    };
    if (!readsAsAnybody(caller)) return sendTagged(request, await make());
    const key = `home ${base}`;
    return repeated.send(request, base, key, await cache.get(home_topic, key, make));
  }

  return access.get("/", home, {
    needs: "reader",
    ...pageDoc({
      summary: "What this is, and what happens now; as markdown it leads to /llms.txt",
      operation_id: "readHomePage",
    }),
  });
}
