/** Rooms for tests: opens, posts and closes. */

import { post } from "./http.ts";

export interface Opened {
  slug: string;
  api: string;
  host_key: string;
}

export const open = async (url: string, goal: string, visibility = "public"): Promise<Opened> =>
  (await post<Opened>(`${url}/api/meet/rooms`, { goal, name: "Ada", visibility })).body;

export const speak = (room: Opened, body: string) => post(`${room.api}/posts`, { name: "Bob", body });

export const closeRoom = ({ api, host_key }: Opened) =>
  post(`${api}/close`, undefined, { "x-meet-key": host_key });

/** The address of a room as an MCP resource. */
export const uriOf = ({ slug }: Opened): string => `meet://room/${slug}`;
