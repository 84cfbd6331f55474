/** What the page of receipts says about a receipt. Used by the service and, in browsers, by the script of the page. */

import type { ReceiptPayload, Verdict } from "../src/api/receipts/receipts.ts";
import { shortTime } from "./text.ts";

/** A piece of a sentence: words, a name, or a link below the base URL. The last two are text from strangers. */
export type Part = string | { name: string } | { link: string; path: string };

interface Described {
  title: string;
  sentence: Part[];
  /** Why not to show it to everybody. */
  warning: string | null;
  notes: string[];
  /** The text in the receipt, unchanged. */
  fields: [name: string, value: string][];
}

/** The receipt in a text, which may be a whole answer of the service; else the text without white space around it. */
export function receiptIn(text: string): string {
  // One pattern for a receipt would look on to the end of a word from each `eyJ` in it.
  for (const [word] of text.matchAll(/[\w.-]+/g)) {
    const parts = word.split(".");
    const found = parts.findIndex((part, i) => part.includes("eyJ") && parts[i + 1] && parts[i + 2]);
    if (found < 0) continue;
    const [header = "", ...rest] = parts.slice(found, found + 3);
    return [header.slice(header.indexOf("eyJ")), ...rest].join(".");
  }
  return text.trim();
}

const titles = {
  valid: "The receipt is valid",
  invalid: "The receipt is not valid",
  unknown_key: "The receipt is signed by a key that is not ours",
};

export function describeVerdict(verdict: Verdict): Described {
  const { payload, reason, attests, sha256_of, warning, does_not_attest } = verdict;
  const title = titles[verdict.verdict];
  if (!payload) return { title, sentence: [reason ?? ""], warning: null, notes: [], fields: [] };
  return {
    title,
    sentence: [...sentenceOf(payload), "; the signature is this service's."],
    warning: warning ?? null,
    notes: [
      `${attests} The receipt contains only the SHA-256 of ${sha256_of ?? "the text"}, not the words.`,
      `It does not attest ${does_not_attest.slice(0, 1).toLowerCase()}${does_not_attest.slice(1)}`,
    ],
    fields: Object.entries(payload).map(([name, value]) => [name, String(value)]),
  };
}

/** Who did what, where and when. */
export function sentenceOf(payload: ReceiptPayload): Part[] {
  const name = { name: payload.sub };
  const place = placeOf(payload);
  const poster = { name: payload.poster ?? "?" };
  const on = ` on ${shortTime(new Date(payload.iat * 1000).toISOString())}`;
  switch (payload.act) {
    case "meet.open":
      return [name, " opened ", ...place, on];
    case "meet.speak":
      return [name, " posted a text in ", ...place, on];
    case "name.claim":
      return ["The name ", name, " was claimed", on];
    case "job.post":
      return [name, " posted ", ...place, on];
    case "job.deliver":
      return [name, " delivered a result for ", ...place, " of ", poster, on];
    case "job.accept":
      return [poster, " accepted the result that ", name, " delivered for ", ...place, on];
    default:
      return ["A text was stored under the name ", name, on];
  }
}

/** The room by its address, or the job, whose title is not in a receipt. */
function placeOf({ act, where, ref }: ReceiptPayload): Part[] {
  const room = /^\/(?:api\/meet\/rooms|meet\/r)\/([a-z0-9-]+)(#p-[\w-]+)?$/.exec(where);
  if (room) return ["the room ", { link: room[1]!, path: `/meet/r/${room[1]}${room[2] ?? ""}` }];
  const job = /^\/api\/jobs\/([\w-]+)$/.exec(where);
  if (job) return [{ link: "this job", path: `/jobs/${job[1]}` }];
  return [act.startsWith("job.") ? "the job " : "the room ", { name: ref }];
}
