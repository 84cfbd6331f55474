/** The forms of the page of the beacon. */

import { Type, type Static } from "@sinclair/typebox";
import { QueryOf } from "../core/fields.ts";
import { RoundParams } from "./routes.ts";
import { RoundQuery } from "../api/beacon/beacon.ts";
import type { Calendar } from "./rounds.ts";
import type { Now } from "./time.ts";
import { ServiceError } from "../core/errors.ts";
import { queryOf, tossFrom, tossIn, type Proposal, type Query, type Toss } from "./words.ts";
import { beacon_internal_limits } from "./limits.ts";

const kinds = ["coin", "die", "pick", "shuffle"] as const;

/** Three forms: one finds a round, one makes the address of a toss, with its draw and its subject, and one takes its line. */
export const FormParams = QueryOf({
  /** A number, or `next`. */
  round: Type.Optional(RoundParams.properties.round),
  label: RoundQuery.properties.label,
  draw: Type.Optional(Type.Union(kinds.map((kind) => Type.Literal(kind)))),
  items: Type.Optional(Type.String()),
  heads: Type.Optional(Type.String()),
  tails: Type.Optional(Type.String()),
  /** The line of a toss that somebody posted. */
  toss: Type.Optional(Type.String()),
});
export type FormParams = Static<typeof FormParams>;

/** The options of a pick or of an order: one a line, or with commas between. */
const itemsIn = ({ items = "" }: FormParams): string[] =>
  items.split(/[\n,]/).flatMap((item) => item.trim() || []);

/** What a form proposes. Only a coin has sides. */
function proposalIn({ draw, ...form }: FormParams): Proposal {
  const { label, heads, tails } = form;
  if (draw === "die") return { label, int: "1..6" };
  if (draw === "pick" || draw === "shuffle") return { label, [draw]: itemsIn(form).join(",") };
  return { label, heads, tails };
}

/** The query of the toss that a form describes, if it was not refused. Without a draw, the form finds a round. */
export function tossQuery(form: FormParams): Query {
  if (form.draw !== undefined) return queryOf(tossFrom(0, proposalIn(form)));
  const label = (form.label ?? "").trim();
  return label === "" ? {} : { label };
}

/** The toss of a line that was pasted, or the form as it is shown again, with the reason. */
export function pastedToss(line: string): Toss | RefusedForm {
  try {
    return tossIn(line);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const text = `This is no toss: ${error.detail.replace(/^toss: /, "it ")}.`;
    return { toss: line, refusal: { text, fields: { toss: "Paste the whole line." } } };
  }
}

/** The first round that leaves time to agree: chosen when the form is sent, however long it was open. */
export function nextRound({ now_ms, round }: Now, calendar: Calendar): number {
  let next = round + 1;
  while (calendar.starts(next) - now_ms < beacon_internal_limits.seconds_to_agree * 1000) next++;
  return next;
}

/** Why a form makes no toss, by its field; null if it makes one. */
function faultOf(form: FormParams): Record<string, string> | null {
  try {
    tossFrom(0, proposalIn(form));
    return null;
  } catch (error) {
    const [{ path, message } = { path: "label", message: "" }] =
      error instanceof ServiceError ? (error.extra.errors ?? []) : [];
    if (message === "") throw error;
    return { [path === "pick" || path === "shuffle" ? "items" : path]: message };
  }
}

interface RefusedForm extends FormParams {
  refusal: { text: string; fields: Record<string, string> };
}

/** The form as it is shown again, with the reason, if it cannot make a toss now; else null. A form without a label has `proposed`. */
export function refusedForm(form: FormParams, round: number, now: Now, proposed: string): RefusedForm | null {
  const { draw } = form;
  const refused = (text: string, fields: Record<string, string>, entered = {}) => ({
    ...form,
    ...entered,
    refusal: { text, fields },
  });
  if (draw === undefined) return null;
  if ((draw === "pick" || draw === "shuffle") && itemsIn(form).length === 0)
    return refused("There is nothing to draw from.", { items: "Enter at least one option." });
  const { label, heads, tails } = proposalIn(form);
  if (![label, heads, tails].some((text) => text?.trim()))
    return refused(
      "This would be the public toss, which everybody shares. Say what yours is about.",
      { label: "These words are a proposal." },
      { label: proposed },
    );
  const fault = faultOf(form);
  if (fault) return refused("This cannot be tossed.", fault);
  if (round <= now.round)
    return refused("It is too late to agree on that round: it has begun.", {
      round: "Make the link again: it is for the next round. Or choose a later one.",
    });
  return null;
}
