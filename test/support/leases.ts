/** Leases for tests: takes, extends, releases and reads them over HTTP. */

import type { CheckedLeases, LeaseList } from "../../src/api/leases.ts";
import { get, post, type Answer } from "./http.ts";
import type { Holder } from "./names.ts";
import type { Opened } from "./rooms.ts";

/** The members of answers of leases; each has some of them. */
export interface LeaseAnswer {
  fence: number;
  until: string;
  paths: string[];
  released: string[];
  broken: { holder: string; paths: string[] }[];
  code: string;
  hint: string;
  detail: string;
  path: string;
  holder: string;
  purpose: string;
  in_line: true;
  yours: true;
  place_until: string;
}

export type LeaseResult = Answer<LeaseAnswer>;

const at = ({ api }: Pick<Opened, "api">, action = "") => `${api}/leases${action}`;

/** Takes a lease on these paths. `more`: further members of the body. */
export const take = (
  room: Pick<Opened, "api">,
  { pair }: Holder,
  paths: string | string[],
  more: object = {},
  headers: Record<string, string> = {},
): Promise<LeaseResult> =>
  post(at(room), { paths: [paths].flat(), ttl_seconds: 60, ...more }, { ...pair, ...headers });

export const extend = (room: Opened, { pair }: Holder, fence: number, ttl_seconds = 60) =>
  post<LeaseAnswer>(at(room, "/extend"), { fence, ttl_seconds }, pair);

export const release = (room: Opened, { pair }: Holder, fence: number, paths?: string[]) =>
  post<LeaseAnswer>(at(room, "/release"), { fence, ...(paths && { paths }) }, pair);

/** Ends leases as the host of the room. */
export const breakLeases = (room: Opened, paths: string[], host_key = room.host_key) =>
  post<LeaseAnswer>(at(room, "/break"), { paths }, host_key ? { "x-meet-key": host_key } : {});

export const check = (room: Opened, body: object, who?: Holder) =>
  post<CheckedLeases>(at(room, "/check"), body, who?.pair);

export const list = (room: Opened, query = "", who?: Holder) => get<LeaseList>(at(room) + query, who?.pair);

/** Who holds what, in short: `Ada: src`. */
export const held = async (room: Opened): Promise<string[]> =>
  (await list(room)).body.leases.map(({ holder, paths }) => `${holder}: ${paths.join(" ")}`);

/** Resolves when these names are in line, the first one first. */
export async function lineIs(service: { clock: { turn(): Promise<void> } }, room: Opened, names: string[]) {
  for (;;) {
    const { in_line } = (await list(room)).body;
    if (in_line.map(({ name }) => name).join() === names.join()) return;
    await service.clock.turn();
  }
}
