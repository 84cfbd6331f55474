/** The bodies of calls. They hold nothing that a stranger wrote. */

import type { UnreadOfKind } from "./store.ts";

interface Told {
  /** The base URL of the service. */
  base: string;
  /** The name, as it was claimed. */
  name: string;
  unread: readonly UnreadOfKind[];
  /** The seq of the latest note. */
  through: number;
  /** ISO time. */
  at: string;
}

/** That there are unread notes: how many of each kind, and in which mailbox. */
export const mailboxCall = ({ base, name, unread, through, at }: Told): string =>
  JSON.stringify({
    type: "mailbox.unread",
    timestamp: at,
    data: {
      mailbox: `${base}/api/mailbox`,
      name,
      unread: unread.reduce((sum, { unread }) => sum + unread, 0),
      kinds: Object.fromEntries(unread.map(({ kind, unread }) => [kind, unread])),
      through,
    },
  });

/** A call that its owner wanted, to see whether the receiver accepts it. */
export const testCall = ({ base, name, at }: Pick<Told, "base" | "name" | "at">): string =>
  JSON.stringify({ type: "test", timestamp: at, data: { mailbox: `${base}/api/mailbox`, name } });

/** What the receiver has to repeat before it is called. */
export const verificationCall = (challenge: string): string =>
  JSON.stringify({ type: "verification", challenge });
