/** The right of a host: who has the key of a room closes it and redacts its posts. */

import { ServiceError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import { room_errors } from "./errors.ts";

/** The host key that was sent, or its SHA-256 if the caller's session has the rights of the host; null if there is none. */
export type HostKey = string | { sha256: string } | null;

/** The SHA-256 of the key. Throws `host_key_required`. */
export function hostKeyDigest(host_key: HostKey): string {
  if (host_key !== null) return typeof host_key === "string" ? sha256Hex(host_key) : host_key.sha256;
  throw new ServiceError(room_errors.host_key_required, "This needs the room's host key.");
}
