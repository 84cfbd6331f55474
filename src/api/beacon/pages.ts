/** What the pages of the beacon show, and their form. */

import type { Refusal } from "../pages.ts";

/** A parsed draw query. */
export type DrawRequest =
  | { kind: "int"; from: number; to: number }
  | { kind: "pick"; items: string[]; n: number }
  | { kind: "shuffle"; items: string[] };

/** The words of a toss: what it is about, and what heads and tails mean. */
export interface TossWords {
  about: string;
  /** The meaning of that side; undefined if the label gives none. */
  heads?: string | undefined;
  tails?: string | undefined;
}

/** The fields of a form for a toss, as they were sent. */
export interface TossForm {
  draw?: string | undefined;
  heads?: string | undefined;
  tails?: string | undefined;
  items?: string | undefined;
  label?: string | undefined;
  toss?: string | undefined;
  round?: string | undefined;
  refusal?: Refusal;
}
