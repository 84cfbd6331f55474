/** What the bridge gets from outside: where the service is, where the client is, time and randomness. */

import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import type { Message } from "./messages.ts";

/** Where the service is, and what every request to it needs. */
export interface Place {
  /** The MCP address. */
  url: string;
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

export interface BridgeDeps {
  finder: Finder;
  /** Writes a message to the client. */
  write(message: Message): void;
  /** Writes a line for the person who runs the client. */
  note(text: string): void;
  clock: Clock;
  random: Random;
}
