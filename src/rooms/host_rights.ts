/** The rights of a host: the room's host key, or the claimed name that is its host, closes the room, redacts its posts and ends leases. */

import type { Caller, HostRights, Identity, NameRules } from "../core/caller.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import { room_errors } from "./errors.ts";
import type { AdmissionRules } from "./members/roles.ts";
import type { RoomRow } from "./store.ts";

/** The host key that was sent, or its SHA-256 if the caller's session has the rights of the host; null if there is none. */
export type HostKey = string | { sha256: string } | null;

/** What a command checks: the hash of a host key, or a claimed name. */
export type ByHost = { host_key_sha256: string } | { identity: Identity };

/** What decides whether a claimed name is the host of a room. */
export interface HostRules extends Pick<NameRules, "checkKey">, AdmissionRules {
  canonicalName(name: string): string;
}

export const hostKeyRequired = (): ServiceError =>
  new ServiceError(
    room_errors.host_key_required,
    "This needs the room's host key, or the key of the claimed name that is its host.",
  );

/** The host key whose rights the session of a caller has in a room; null if there is none. */
export async function hostKeyOf(host: HostRights, caller: Caller, room: string): Promise<HostKey> {
  const sha256 = await host.hostKeyOf(caller, room);
  return sha256 === null ? null : { sha256 };
}

/** The SHA-256 of a host key that was sent. */
export const hostKeyDigest = (host_key: NonNullable<HostKey>): string =>
  typeof host_key === "string" ? sha256Hex(host_key) : host_key.sha256;

/** By the host key if one was sent: a wrong one is refused whatever the name is. Throws `host_key_required` if there is neither. */
export function byHost({ identity }: Caller, host_key: HostKey): ByHost {
  if (host_key !== null) return { host_key_sha256: hostKeyDigest(host_key) };
  if (identity !== null) return { identity };
  throw hostKeyRequired();
}

/**
 * The `author` of a room that a claimed name took over at `at`. No canonical name has a space, so neither a list nor an export has
 * the room among those that the name opened.
 */
export const takenOverBy = (canonical: string, at: string): string => `${canonical} since ${at}`;

/** Since when the room has its host. */
const hostedSince = ({ author, created }: Pick<RoomRow, "author" | "created">): string =>
  author?.split(" since ")[1] ?? created;

/** Whether this name, claimed at `claimed_at`, is the host of the room. An earlier holder of the name was another host. */
export const isHost = (
  { canonicalName }: Pick<HostRules, "canonicalName">,
  room: RoomRow,
  canonical: string,
  claimed_at: string,
): boolean =>
  room.host_claimed === 1 && canonicalName(room.host) === canonical && hostedSince(room) >= claimed_at;

/** Whether this name, claimed at `claimed_at`, wrote the post with its key. An earlier holder of the name was another author. */
export const hasWritten = (
  { canonicalName }: Pick<HostRules, "canonicalName">,
  { name, claimed, ts }: { name: string; claimed: boolean; ts: string },
  canonical: string,
  claimed_at: string,
): boolean => claimed && ts >= claimed_at && canonicalName(name) === canonical;

/** A command of a host. Counts it as activity of the name that gave it if it has written something. */
export const asHost =
  <Rules extends Pick<NameRules, "countCommand">>(rules: Rules) =>
  <Input extends { by: ByHost; now_ms: number }, Result>(
    command: (tx: Tx, rules: Rules, input: Input) => Promise<Result>,
  ) =>
  async (tx: Tx, input: Input): Promise<Result> => {
    const rows_before = tx.rows_written;
    const result = await command(tx, rules, input);
    if ("identity" in input.by && tx.rows_written > rows_before)
      await rules.countCommand(tx, input.by.identity, isoTime(input.now_ms));
    return result;
  };
