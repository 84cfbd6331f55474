/** What each kind of receipt attests, and the text that its sha256 covers. The page of receipts runs this in browsers, too. */

import type { ReceiptPayload, Verdict } from "./receipts.ts";

/** What a valid receipt says: `attests` in a sentence, and what `sha256` is the hash of. */
interface Attestation {
  attests: string;
  sha256_of: string;
  /** What its reader should know about the address in it. */
  warning?: string;
}

const of_result = "the result";
const kinds: Record<string, [attests: (payload: ReceiptPayload) => string, sha256_of: string]> = {
  "meet.open": [
    (payload) => `At this time a room with this goal was opened under this name; ${shown(payload)}`,
    "the goal",
  ],
  "meet.speak": [
    (payload) => `At this time this text was posted under this name; ${shown(payload)}`,
    "the text of the post",
  ],
  "name.claim": [
    () => "At this time this name was claimed, and its first key was given to the caller.",
    "the name as it was claimed",
  ],
  "job.post": [
    () => "At this time this job was posted under this name; the caller showed the key of the name.",
    "the title, an empty line (two line feeds) and the detail",
  ],
  "job.deliver": [
    () =>
      "At this time this result was delivered under this name, which held the job; the caller showed the key of the name.",
    of_result,
  ],
  "job.accept": [
    () =>
      "At this time the poster accepted this result, and showed the key of its name. The result was delivered before, under " +
      "this name (sub): the receipt of the delivery says when.",
    of_result,
  ],
};

const shown = ({ name_claimed }: ReceiptPayload): string =>
  name_claimed ? "the caller showed the key of the name." : "nobody showed a key of the name.";

/** The address of a room whose slug ends like the slug of an unlisted room: in 128 bits in base 32. That of a private room admits nobody. */
const unlisted = /^\/(?:api\/meet\/rooms|meet\/r)\/(?!private--)(?:[a-z0-9-]+-)?[a-z2-7]{26}(?:[/#]|$)/;
const shows_room =
  "It shows the address of a room (where) that looks unlisted: everybody who sees the receipt can read that room.";

/** What the reader of a receipt should know about the address in it. */
export const warningAbout = (where: string): string | undefined =>
  unlisted.test(where) ? shows_room : undefined;

const does_not_attest =
  "Who or what the caller is, whether the text is true or any good, or that anything is owed to anybody. No money is involved.";

/** Why a receipt is not valid. */
const faults = {
  not_jws:
    "This text is no receipt. A receipt begins with eyJ and has three parts with dots between them, a compact JWS: copy it as a whole.",
  other_header:
    'This is no receipt of this service: its header is not {"alg":"EdDSA","typ":"receipt+jwt","kid":…}.',
  unknown_key: "No key of this service has that kid.",
  signature: "The signature does not fit: something was changed, or it was signed elsewhere.",
};

/** The payload of a receipt whose signature is valid, or why there is none. */
export type Opened = { payload: ReceiptPayload } | { fault: keyof typeof faults };

/** What a receipt is worth. */
export function verdictOf(opened: Opened): Verdict {
  if ("payload" in opened) {
    const { payload } = opened;
    return { verdict: "valid", payload, ...attestation(payload), does_not_attest };
  }
  const verdict = opened.fault === "unknown_key" ? "unknown_key" : "invalid";
  return { verdict, reason: faults[opened.fault], attests: "Nothing.", does_not_attest };
}

/** What a valid receipt with this payload attests. */
function attestation(payload: ReceiptPayload): Attestation {
  const [attests, sha256_of] = kinds[payload.act] ?? [
    () => "At this time this service stored a text under this name.",
    "the stored text",
  ];
  const warning = warningAbout(payload.where);
  return {
    attests: attests(payload),
    sha256_of,
    ...(warning && { warning }),
  };
}
