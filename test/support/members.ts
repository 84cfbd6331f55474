/** Private rooms and their members for tests. */

import type { AddedMember, Members, Role } from "../../src/api/rooms/members.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { call, get, post } from "./http.ts";
import { claim, type Holder } from "./names.ts";

/** A refusal, or nothing of one. */
export interface Refusable {
  code?: string;
  detail?: string;
}

type Headers = Record<string, string>;

/** Opens a private room. */
export const openPrivate = async (url: string, { name, pair }: Holder, goal = "Ours"): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal, name, visibility: "private" }, pair)).body;

/** Makes a name a member, or gives it another role. `by`: a host, or the header of the host key. */
export const putMember = (
  { api }: Pick<OpenedRoom, "api">,
  by: Headers,
  name: string,
  role?: Role,
  headers: Headers = {},
) => post<AddedMember & Refusable>(`${api}/members`, { name, role }, { ...by, ...headers });

export const removeMember = ({ api }: Pick<OpenedRoom, "api">, by: Headers, name: string) =>
  call<{ removed?: boolean } & Refusable>(
    "DELETE",
    `${api}/members/${encodeURIComponent(name)}`,
    undefined,
    by,
  );

/** The roles in a room by name, as `reader` sees them. */
export async function rolesIn(
  { api }: Pick<OpenedRoom, "api">,
  { pair }: Holder,
): Promise<Record<string, Role>> {
  const { members } = (await get<Members>(`${api}/members`, pair)).body;
  return Object.fromEntries(members.map(({ name, role }) => [name, role]));
}

/** Posts as a name. */
export const sayAs = (
  { api }: Pick<OpenedRoom, "api">,
  { name, pair }: Holder,
  body: string,
  more: { in_reply_to?: string; quiet?: boolean } = {},
) => post<Post & Refusable>(`${api}/posts`, { name, body, ...more }, pair);

/** Claims so many names and makes them members. */
export async function fill(
  url: string,
  room: Pick<OpenedRoom, "api">,
  by: Headers,
  members: number,
): Promise<void> {
  const names = Array.from({ length: members }, (_, i) => `member ${i}`);
  for (; names.length > 0;) {
    const some = names.splice(0, 50);
    await Promise.all(some.map((name) => claim(url, name)));
    await Promise.all(some.map((name) => putMember(room, by, name, "reader")));
  }
}
