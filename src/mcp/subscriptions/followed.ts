/** What a subscription follows, and who reads it if not everybody may. */

import type { Caller, Identity } from "../../core/caller.ts";

export interface Followed {
  /** The topic that is published when the resource changes. */
  topic: string;
  /** The name that reads it, with the key that it had; null if everybody may. */
  reader: Pick<Identity, "canonical" | "key_sha256"> | null;
}

/** Its form in the record of a session. No topic of a resource has a space. */
export const asText = ({ topic, reader }: Followed): string =>
  reader === null ? topic : `${topic} ${reader.key_sha256} ${reader.canonical}`;

export function followedIn(text: string): Followed {
  const [topic, key_sha256, ...canonical] = text.split(" ");
  const reader = key_sha256 === undefined ? null : { key_sha256, canonical: canonical.join(" ") };
  return { topic: topic!, reader };
}

/** Decides about what not everybody may read. */
export interface Readers {
  /** Whether the reader of a subscription still has its key, and may read. */
  mayFollow(followed: Followed): Promise<boolean>;
  /** Which subscriptions end with the publication of `topic`; null: none does. */
  endedBy(topic: string): ((followed: Followed) => boolean) | null;
  /** The things in a text that not everybody may read. */
  namedIn(text: string): string[];
  /** Whether the caller may read all of these. */
  mayRead(caller: Caller, named: readonly string[]): Promise<boolean>;
}
