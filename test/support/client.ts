/** The typed client for tests. Each answer is scanned for leaked secrets, and no call is repeated. */

import { createClient, type Client } from "../../src/client/client.ts";
import { fetchWatched } from "./http.ts";

/** A client of the service at `url`, with the credential of `who`. */
export const clientOf = (url: string, who: { name?: string; key?: string } = {}): Client =>
  createClient({ url, ...who, retries: 0, fetch: fetchWatched });
