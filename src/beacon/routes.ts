/** The routes of the beacon: /api/beacon and below. */

import { Type, type Static } from "@sinclair/typebox";
import {
  chooseForm,
  formAt,
  sendTagged,
  taggedJson,
  taggedMarkdown,
  type Form,
  type Tagged,
} from "../web/responses.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { Caller } from "../core/caller.ts";
import type { Http } from "../web/context.ts";
import { waitSecondsOf } from "../web/long_waits.ts";
import { proposedToss, roundFor } from "./draw_query.ts";
import { queryOf, requestIn, roundIn } from "./words.ts";
import type { Beacon } from "./beacon.ts";
import { docs } from "./openapi.ts";
import { beaconMarkdown, roundMarkdown } from "./markdown.ts";
import { RoundQuery, TossQuery } from "../api/beacon/beacon.ts";
import { FieldsParam, QueryOf } from "../core/fields.ts";
import * as shown from "./representations.ts";

type RoundQuery = Static<typeof RoundQuery>;
type TossQuery = Static<typeof TossQuery>;
type BeaconForm = Extract<Form, "json" | "markdown">;

export const RoundParams = Type.Object({ round: Type.String({ description: "The round's number." }) });
const DayParams = Type.Object({ day: Type.String({ description: "A UTC day, yyyy-mm-dd." }) });

/** A revealed round never changes. Before that, no cache may store the answer. */
const out = { "cache-control": "public, max-age=31536000, immutable" };
const not_out = { "cache-control": "no-store" };

/** The answers of the beacon for programs. */
export function beaconAnswers(beacon: Beacon, { cache, open }: Http) {
  async function overview(
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
      return form === "json"
        ? taggedJson(overview, not_out)
        : taggedMarkdown(beaconMarkdown(base, overview), not_out);
    });
    return sendTagged(request, answer);
  }

  async function round(
    request: Request,
    caller: Caller,
    base: string,
    number: number,
    query: RoundQuery,
    form: BeaconForm,
    /** Whether a draw is shown before its round has ended, too: as what is agreed. */
    is_agreement = false,
  ): Promise<Response> {
    const draw = requestIn(query);
    const wait_seconds = waitSecondsOf(request, query.wait_seconds);
    if (wait_seconds > 0 && !beacon.hasPassed(number)) {
      await open.wait(request, caller, (call) => beacon.round(number, { wait_seconds, open: call }));
    }
    const render = async (): Promise<Tagged> => {
      const found = await (is_agreement ? beacon.round(number) : roundFor(beacon, number, draw, query.label));
      const answer = shown.round(beacon, found, query.label, draw, is_agreement);
      const headers = answer.revealed ? out : not_out;
      if (form === "markdown") return taggedMarkdown(roundMarkdown(base, answer), headers);
      const lean = () => shown.leanRound(beacon, base, found, answer, query.proof === "1");
      return taggedJson(query.fields ? lean() : answer, headers);
    };
    if (!beacon.hasPassed(number)) return sendTagged(request, await render());
    const { label, int, pick, n, shuffle, fields, proof } = query;
    const drawn_by = [base, form, is_agreement, number, label, int, pick, n, shuffle, fields, proof];
    const key = JSON.stringify(["beacon round", ...drawn_by]);
    return sendTagged(request, await cache.get("beacon rounds", key, render));
  }

  async function toss(request: Request, caller: Caller, base: string, query: TossQuery): Promise<Response> {
    const { toss, round: chosen, label, heads, tails, int, pick, n, shuffle, ...how } = query;
    const sent = { toss, round: chosen, label, heads, tails, int, pick, n, shuffle };
    const agreed = await proposedToss(beacon, sent);
    const form = chooseForm(request, ["json", "markdown"]);
    return round(request, caller, base, agreed.round, { ...queryOf(agreed), ...how }, form, true);
  }

  return { overview, round, toss };
}

export function beaconHttp(beacon: Beacon, http: Http) {
  const { access, cache } = http;
  const answers = beaconAnswers(beacon, http);
  return access
    .get(
      "/api/beacon",
      ({ request, base, query }) =>
        answers.overview(request, base, chooseForm(request, ["json", "markdown"]), query.fields),
      { needs: "public", query: QueryOf({ fields: FieldsParam }), ...docs.overview },
    )
    .get("/api/beacon.md", ({ request, base }) => answers.overview(request, base, "markdown"), {
      needs: "public",
      ...undocumented,
    })
    .get(
      "/api/beacon/:round",
      ({ request, caller, base, params, query }) => {
        const { name, form } = formAt(request, params.round, ["json", "markdown"]);
        return answers.round(request, caller, base, roundIn(name), query, form);
      },
      { needs: "public", params: RoundParams, query: RoundQuery, ...docs.round },
    )
    .get(
      "/api/beacon/toss",
      ({ request, caller, base, query }) => answers.toss(request, caller, base, query),
      { needs: "public", query: TossQuery, ...docs.toss },
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
    );
}
