/** What the bridge gets from outside: where the service is, where the client is, time and randomness. */

import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import type { Message } from "./messages.ts";

/** Where the service is, and what every request to it needs. */
export interface Place {
  /** The MCP address. */
  url: string;
  /** The address of the service, below which its HTTP API is. */
  service_url: string;
  /** The claimed name whose key is in the headers; absent without a key. */
  name?: string;
  /** The credential, if there is one. */
  headers: Record<string, string>;
  /** How `fetch` reaches it, if the address is not enough. */
  options: BunFetchRequestInit;
}

export interface Finder {
  /** The place of the service. Throws an error with a user-facing text if it is nowhere now. */
  find(): Promise<Place>;
  /** Notes that the service does not answer there. */
  lost(place: Place): void;
}

/** Which notes were announced to the agents of a name. The sessions and the hooks of the name on this machine share it. */
export interface Announcements {
  /**
   * Claims those of the unread notes of a mailbox that nobody has announced. `latest_seq`: that of the latest note, also of a read
   * one. Throws an error with a user-facing text if the claim cannot be saved.
   */
  claim<Note extends { seq: number }>(
    mailbox: { url: string; name: string },
    unread: Note[],
    latest_seq: number,
  ): {
    notes: Note[];
    /** Allows others to announce them: this announcement reached nobody. */
    giveBack(): void;
  };
}

export interface BridgeDeps {
  finder: Finder;
  /** Writes a message to the client. */
  write(message: Message): void;
  /** Writes a line for the person who runs the client. */
  note(text: string): void;
  clock: Clock;
  random: Random;
  /** Present if the client gets the new notes of its mailbox as messages (channel.ts). */
  channel?: Announcements;
}
