/** The pages of the beacon: /beacon, and /beacon/{round}, where two can agree on a toss. */

import { beaconPage } from "../../views/beacon.tsx";
import { beaconRoundPage } from "../../views/beacon_round.tsx";
import { shortTime } from "../../views/text.ts";
import { isoTime } from "../core/clock.ts";
import { QueryOf } from "../core/fields.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { pageHeaders, sendPage } from "../web/page_headers.ts";
import { chooseForm, formAt, seeOther, sendTagged, taggedHtml } from "../web/responses.ts";
import type { Beacon, Round } from "./beacon.ts";
import { valueOf } from "./derivation.ts";
import { drawn } from "./draw_query.ts";
import { beacon_errors } from "./errors.ts";
import { DescribedQuery, round_failures, RoundNumber } from "./openapi.ts";
import * as shown from "./representations.ts";
import { beaconAnswers, RoundParams } from "./routes.ts";
import { RoundQuery } from "../api/beacon/beacon.ts";
import { FormParams, nextRound, pastedToss, refusedForm, tossQuery } from "./toss_form.ts";
import { queryOf, requestIn, roundIn, wordsOf, type Query } from "./words.ts";
import type { Site } from "../api/pages.ts";
import type { TossForm } from "../api/beacon/pages.ts";

/** The number from 1 to 6 that `int=1..6` draws. */
const dieOf = (seed: string, label: string): number =>
  Number(drawn(seed, label, { kind: "int", from: 1, to: 6 }).draw!.result);

/** The query of a round's page with its `?`; empty without parameters. */
function addressQuery({ label, int, pick, n, shuffle }: Query): string {
  const parts = Object.entries({ label, int, pick, n, shuffle }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`],
  );
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

export function beaconPages(beacon: Beacon, http: Http) {
  const { access, siteOf, clock } = http;
  const answers = beaconAnswers(beacon, http);
  const headers = (base: string, twin: string) => ({
    ...pageHeaders(base, `${base}/beacon${twin}`),
    "cache-control": "no-store",
    // The time of the service, by which the pages count down. It is in no page, so that equal pages have the same ETag.
    "server-timing": `now;dur=${clock.now()}`,
  });

  async function overview(site: Site, form: TossForm): Promise<string> {
    const found = await beacon.overview();
    return beaconPage(site, {
      beacon: shown.overview(beacon, site.base, found),
      die: found.last && dieOf(found.last.seed, ""),
      form,
    });
  }

  /** The page of a round. Before its end, the page of a toss shows the agreement. */
  async function round(site: Site, found: Round, query: Query): Promise<string> {
    const { label, seed } = { label: query.label, seed: found.seed };
    const request = requestIn(query);
    return beaconRoundPage(site, {
      round: shown.round(beacon, found, label, request),
      label,
      words: request ? { about: label ?? "" } : wordsOf(label ?? ""),
      request,
      query: addressQuery(query),
      die: seed === null ? null : dieOf(seed, label ?? ""),
      public_coin: seed === null ? null : valueOf(seed, "").coin,
    });
  }

  return access
    .get(
      "/beacon",
      async ({ request, caller, base, query }: RequestContext & { query: FormParams }) => {
        const site = await siteOf({ caller, base });
        if (query.toss !== undefined) {
          const pasted = pastedToss(query.toss);
          if ("refusal" in pasted) return sendPage(await overview(site, pasted), 422, headers(base, ".md"));
          return seeOther(`${base}/beacon/${pasted.round}${addressQuery(queryOf(pasted))}`);
        }
        if (query.round !== undefined) {
          const now = await beacon.now();
          const number = query.round === "next" ? nextRound(now, beacon.calendar) : roundIn(query.round);
          const refused = refusedForm(query, number, now, `Our toss of ${shortTime(isoTime(now.now_ms))}`);
          if (!refused) return seeOther(`${base}/beacon/${number}${addressQuery(tossQuery(query))}`);
          return sendPage(await overview(site, refused), 422, headers(base, ".md"));
        }
        return chooseForm(request, ["html", "markdown"]) === "markdown"
          ? answers.overview(request, base, "markdown")
          : sendTagged(request, taggedHtml(await overview(site, {}), headers(base, ".md")));
      },
      {
        needs: "public",
        query: FormParams,
        ...pageDoc({
          summary: "The beacon",
          operation_id: "readBeaconPage",
          query: QueryOf({
            round: { ...FormParams.properties.round, pattern: "^(?:[0-9]{1,15}|next)$" },
            label: FormParams.properties.label,
          }),
          failures: [beacon_errors.beacon_held],
        }),
      },
    )
    .get("/beacon.md", ({ request, base }) => answers.overview(request, base, "markdown"), {
      needs: "public",
      ...undocumented,
    })
    .get(
      "/beacon/:round",
      async ({ request, caller, base, params, query }) => {
        const { name, form } = formAt(request, params.round, ["html", "markdown"]);
        const number = roundIn(name);
        if (form === "markdown") return answers.round(request, caller, base, number, query, "markdown");
        const html = await round(await siteOf({ caller, base }), await beacon.round(number), query);
        return sendTagged(request, taggedHtml(html, headers(base, `/${number}.md${addressQuery(query)}`)));
      },
      {
        needs: "public",
        params: RoundParams,
        query: RoundQuery,
        ...pageDoc({
          summary: "A round of the beacon, and a draw",
          operation_id: "readBeaconRoundPage",
          params: RoundNumber,
          query: DescribedQuery,
          failures: round_failures,
        }),
      },
    );
}
