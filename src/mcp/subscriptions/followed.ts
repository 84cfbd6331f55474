/** What a subscription follows, and who reads it if not everybody may. */

import type { Caller, Reader } from "../../core/caller.ts";

export interface Followed {
  /** The topic that is published when the resource changes. */
  topic: string;
  /** Who reads it, with what was sent then; null if everybody may. */
  reader: Omit<Reader, "session"> | null;
}

/** Its form in the record of a session: with `/` and the grant after the key if there is one. No topic of a resource has a space. */
export function asText({ topic, reader }: Followed): string {
  if (reader === null) return topic;
  const { canonical, key_sha256, grant } = reader;
  return `${topic} ${grant === null ? key_sha256 : `${key_sha256}/${grant}`} ${canonical}`;
}

export function followedIn(text: string): Followed {
  const [topic, sent, ...canonical] = text.split(" ");
  if (sent === undefined) return { topic: topic!, reader: null };
  const [key_sha256, grant = null] = sent.split("/");
  return { topic: topic!, reader: { key_sha256: key_sha256!, canonical: canonical.join(" "), grant } };
}

/** Decides about what not everybody may read. */
export interface Readers {
  /** Whether the reader of a subscription still has its key or its grant, and may read. */
  mayFollow(followed: Followed): Promise<boolean>;
  /** Which subscriptions end with the publication of `topic`; null: none does. */
  endedBy(topic: string): ((followed: Followed) => boolean) | null;
  /** The things in a text that not everybody may read. */
  namedIn(text: string): string[];
  /** Whether the caller may read all of these. */
  mayRead(caller: Caller, named: readonly string[]): Promise<boolean>;
}
