/** Rooms for tests: opens, posts and closes; a value for each field and each filter. */

import type { filter_params } from "../../src/api/rooms/params.ts";
import type { OpenRoom } from "../../src/api/rooms/rooms.ts";
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

/** A value for each field that opens a room but the pace, which most answers do not have. Texts of callers contain "wort". */
export const room_values: Required<Omit<OpenRoom, "pace">> = {
  goal: "Is goalwort a word?",
  name: "Namewort",
  visibility: "unlisted",
};

interface ListFilter {
  value: string;
  /** Opens a room that the list with this value has. */
  open(url: string, goal: string): Promise<unknown>;
}

/** A value for each parameter that filters the list of rooms. */
export const list_filters: Record<keyof typeof filter_params, ListFilter> = {
  closed: { value: "true", open: async (url, goal) => closeRoom(await open(url, goal)) },
};
