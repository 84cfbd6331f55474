/** Clients of a channel, for tests: the stand-in speaks what Claude Code documents ("Channels reference"). */

import type { Announcements } from "../../src/bridge/deps.ts";
import { claimNotes } from "../../src/cli/shell/announced.ts";
import type { BridgeClient, Said } from "./bridge.ts";
import { open, speak } from "./rooms.ts";

export const isMessage = ({ method }: Said): boolean => method === "notifications/claude/channel";

/** A message of the channel. */
export interface ChannelMessage {
  content: string;
  meta: { name: string; url: string; notes: string; through: string };
}

const shown = ({ params }: Said): ChannelMessage => params as ChannelMessage;

/** The next message. */
export const nextMessage = async (client: BridgeClient): Promise<ChannelMessage> =>
  shown(await client.next(isMessage));

/** All messages so far. */
export const messagesOf = ({ said }: BridgeClient): ChannelMessage[] => said.filter(isMessage).map(shown);

/** What was announced, saved below `directory`. */
export const announcementsIn = (directory: string): Announcements => ({
  claim: (mailbox, unread, latest_seq) =>
    claimNotes({ environment: { XDG_STATE_HOME: directory } }, mailbox, unread, latest_seq),
});

let rooms = 0;

/** Bob mentions a name in a room of its own. */
export async function mention(url: string, name: string, text = "Look."): Promise<{ slug: string }> {
  const room = await open(url, `Question ${++rooms}`);
  await speak(room, `@${name} ${text}`);
  return room;
}
