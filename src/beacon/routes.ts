/** The routes of the beacon: /api/beacon and below, and its pages. */

import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { beaconPage, beaconRoundPage } from "../../views/beacon.tsx";
import {
  chooseForm,
  formAt,
  sendTagged,
  taggedHtml,
  taggedJson,
  taggedMarkdown,
  type Form,
  type Tagged,
} from "../web/responses.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import type { Caller } from "../core/caller.ts";
import type { Http } from "../web/context.ts";
import { pageHeaders, queryOf } from "../web/page_headers.ts";
import { roundFor, roundIn } from "./draw_query.ts";
import type { Beacon } from "./beacon.ts";
import { beacon_errors } from "./errors.ts";
import { docs, round_failures, RoundNumber } from "./openapi.ts";
import { beaconMarkdown, roundMarkdown } from "./markdown.ts";
import { RoundQuery } from "./schema.ts";
import { countOf, FieldsParam, QueryOf } from "../core/fields.ts";
import * as shown from "./presenters.ts";

type RoundQuery = Static<typeof RoundQuery>;
type BeaconForm = Extract<Form, "json" | "markdown" | "html">;

const RoundParams = Type.Object({ round: Type.String({ description: "The round's number." }) });
const DayParams = Type.Object({ day: Type.String({ description: "A UTC day, yyyy-mm-dd." }) });

/** A revealed round never changes. Before that, no cache may store the answer. */
const out = { "cache-control": "public, max-age=31536000, immutable" };
const not_out = { "cache-control": "no-store" };

export function beaconHttp(beacon: Beacon, http: Http) {
  const { access, cache, navigation } = http;

  async function overviewAnswer(
    request: Request,
    base: string,
    form: BeaconForm,
    fields?: "lean",
  ): Promise<Response> {
    const { held } = await beacon.now();
    // Invalidated when a round begins, and when a day is published.
    const answer = await cache.get("beacon", `beacon ${form} ${fields} ${held} ${base}`, async () => {
      const found = await beacon.overview();
      if (form === "json" && fields) return taggedJson(shown.leanOverview(beacon, base, found), not_out);
      const overview = shown.overview(beacon, base, found);
      if (form === "json") return taggedJson(overview, not_out);
      return form === "markdown"
        ? taggedMarkdown(beaconMarkdown(base, overview), not_out)
        : taggedHtml(await beaconPage({ base, navigation }, overview), {
            ...not_out,
            ...pageHeaders(base, `${base}/beacon.md`),
          });
    });
    return sendTagged(request, answer);
  }

  async function roundAnswer(
    request: Request,
    caller: Caller,
    base: string,
    round: number,
    query: RoundQuery,
    form: BeaconForm,
  ): Promise<Response> {
    const wait_seconds = countOf(query.wait_seconds) ?? 0;
    if (wait_seconds > 0 && !beacon.hasPassed(round)) {
      await http.open.wait(request, caller, (signal) => beacon.round(round, { wait_seconds, signal }));
    }
    const render = async (): Promise<Tagged> => {
      const { found, request: draw } = await roundFor(beacon, round, query);
      const answer = shown.round(beacon, found, query.label ?? "", draw);
      const headers = answer.revealed ? out : not_out;
      if (form === "json") {
        const lean = () => shown.leanRound(beacon, base, found, answer, query.proof === "1");
        return taggedJson(query.fields ? lean() : answer, headers);
      }
      return form === "markdown"
        ? taggedMarkdown(roundMarkdown(base, answer), headers)
        : taggedHtml(await beaconRoundPage({ base, navigation }, answer), {
            ...headers,
            ...pageHeaders(base, `${base}/beacon/${round}.md${queryOf(request)}`),
          });
    };
    if (!beacon.hasPassed(round)) return sendTagged(request, await render());
    const { label, int, pick, n, shuffle, fields, proof } = query;
    const key = JSON.stringify([
      "beacon round",
      base,
      form,
      round,
      label,
      int,
      pick,
      n,
      shuffle,
      fields,
      proof,
    ]);
    return sendTagged(request, await cache.get("beacon rounds", key, render));
  }

  return new Elysia({ name: "beacon" })
    .use(access)
    .get(
      "/api/beacon",
      ({ request, base, query }) =>
        overviewAnswer(request, base, chooseForm(request, ["json", "markdown"]), query.fields),
      { needs: "public", query: QueryOf({ fields: FieldsParam }), ...docs.overview },
    )
    .get("/api/beacon.md", ({ request, base }) => overviewAnswer(request, base, "markdown"), {
      needs: "public",
      ...undocumented,
    })
    .get(
      "/api/beacon/:round",
      ({ request, caller, base, params, query }) => {
        const { name, form } = formAt(request, params.round, ["json", "markdown"]);
        return roundAnswer(request, caller, base, roundIn(name), query, form);
      },
      { needs: "public", params: RoundParams, query: RoundQuery, ...docs.round },
    )
    .get(
      "/api/beacon/days/:day",
      async ({ request, params }) => {
        const answer = await cache.get("beacon rounds", `beacon day ${params.day}`, async () =>
          taggedJson(shown.day(beacon, await beacon.day(params.day)), out),
        );
        return sendTagged(request, answer);
      },
      { needs: "public", params: DayParams, ...docs.day },
    )
    .get(
      "/beacon",
      ({ request, base, query }) => {
        const form = chooseForm(request, ["html", "markdown"]);
        if (query.round === undefined) return overviewAnswer(request, base, form);
        const label = query.label ? `?label=${encodeURIComponent(query.label)}` : "";
        const location = `${base}/beacon/${roundIn(query.round)}${label}`;
        return new Response(null, { status: 303, headers: { location } });
      },
      {
        needs: "public",
        query: QueryOf({
          round: Type.Optional(RoundParams.properties.round),
          label: RoundQuery.properties.label,
        }),
        ...pageDoc({
          summary: "The beacon",
          operation_id: "readBeaconPage",
          failures: [beacon_errors.beacon_held],
        }),
      },
    )
    .get("/beacon.md", ({ request, base }) => overviewAnswer(request, base, "markdown"), {
      needs: "public",
      ...undocumented,
    })
    .get(
      "/beacon/:round",
      ({ request, caller, base, params, query }) => {
        const { name, form } = formAt(request, params.round, ["html", "markdown"]);
        return roundAnswer(request, caller, base, roundIn(name), query, form);
      },
      {
        needs: "public",
        params: RoundParams,
        query: RoundQuery,
        ...pageDoc({
          summary: "A round of the beacon, and a draw",
          operation_id: "readBeaconRoundPage",
          params: RoundNumber,
          failures: round_failures,
        }),
      },
    );
}
