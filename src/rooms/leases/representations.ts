/** Leases in answers about their room: who holds what. */

import { quoted, quotedName, toSecond } from "../../core/text_form.ts";
import type { LeanLease, Lease, ShownLeases } from "../../api/leases.ts";

/** Leases as members of an answer; no members without leases. */
export const leaseMembers = (shown: ShownLeases | undefined): { leases?: Lease[]; more_leases?: true } => ({
  ...(shown && { leases: shown.leases }),
  ...(shown?.more && { more_leases: true }),
});

/** The same for a lean answer. */
export const leanLeases = (shown: ShownLeases | undefined): { leases?: LeanLease[]; more_leases?: true } => ({
  ...leaseMembers(shown),
  ...(shown && { leases: shown.leases.map(leanLease) }),
});

export const leanLease = ({ since: _since, until, ...lease }: Lease): LeanLease => ({
  ...lease,
  until: toSecond(until),
});

/** The approximate size of a lease in an answer, in characters. */
const charsOf = ({ paths, purpose = "" }: Lease): number => paths.join().length + purpose.length + 150;

/** The same of all leases that are shown. */
export const leaseChars = (shown: ShownLeases | undefined): number =>
  (shown?.leases ?? []).reduce((chars, lease) => chars + charsOf(lease), 0);

/** The first leases that have at most `chars_max` characters together. */
export function cutLeases({ leases, more }: ShownLeases, chars_max: number): ShownLeases {
  let left = chars_max;
  const beyond = leases.findIndex((lease) => (left -= charsOf(lease)) < 0);
  return beyond < 0 ? { leases, more } : { leases: leases.slice(0, beyond), more: true };
}

/** Leases in the text form, with an empty line after each; empty without leases. */
export function leasesText(shown: ShownLeases | undefined): string {
  const texts = (shown?.leases ?? []).map(({ holder, paths, purpose, until }) =>
    [
      `Held by ${quotedName(holder)} until ${toSecond(until)}:`,
      ...paths.map(quoted),
      ...(purpose === undefined ? [] : ["for:", quoted(purpose)]),
      "\n",
    ].join("\n"),
  );
  return texts.join("");
}
