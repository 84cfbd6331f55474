/** Calls to the admin API as the owner, by the socket in the data directory. */

import { join } from "node:path";
import { createClient, orThrow, type Client } from "../../src/client/client.ts";
import type { Answer } from "./http.ts";

interface Owned {
  directory: string;
}

export const socketOf = ({ directory }: Owned): string => join(directory, "wharf.sock");

/** Calls a path as the owner of the service. Sends JSON and reads JSON. */
export async function asOwner<Body = Record<string, unknown>>(
  service: Owned,
  method: string,
  path: string,
  sent?: object,
): Promise<Answer<Body>> {
  const response = await fetch(`http://localhost${path}`, {
    unix: socketOf(service),
    method,
    headers: { "content-type": "application/json" },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** The typed client of the owner of the service. */
export const ownerOf = (service: Owned): Client =>
  createClient({
    url: "http://localhost",
    retries: 0,
    fetch: (url, init) => fetch(url, { ...init, unix: socketOf(service) }),
  });

/** The latest lines of the audit log, the latest first. */
export const auditOf = async (service: Owned) =>
  (await orThrow(ownerOf(service).get("/api/admin/audit", { query: { limit: 1000 } }))).lines;
