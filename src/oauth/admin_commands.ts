/** The write commands of admins on programs that sign in by OAuth. */

import type { AdminAction, Audit } from "../core/admin.ts";
import { grantEndedTopic } from "../core/caller.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { oauth_errors } from "./errors.ts";
import * as store from "./store.ts";

interface AddInput extends AdminAction {
  id: string;
  name: string;
  redirect_uris: string[];
  secret_sha256: string | null;
}

/** Adds a program that need not register. */
export async function addClient(tx: Tx, audit: Audit, input: AddInput): Promise<null> {
  const { id, name, redirect_uris, secret_sha256, now_ms } = input;
  await store.insertClient(tx, {
    ...{ id, name, secret_sha256, origin: "added" },
    redirect_uris: JSON.stringify(redirect_uris),
    created: isoTime(now_ms),
    expires: null,
  });
  await audit(tx, input, "client.add", `program ${id}`);
  return null;
}

/** Forgets a program and ends all grants to it. Returns how many. Throws `client_not_found`. */
export async function endClient(
  tx: Tx,
  audit: Audit,
  input: AdminAction & { client: string },
): Promise<{ registered: boolean; grants: number }> {
  const { client } = input;
  // A code that is on its way must not become a grant afterwards.
  const codes = await store.deleteCodesOfClient(tx, client);
  const ended = await store.deleteGrantsOfClient(tx, client);
  const deleted = await store.deleteClient(tx, client);
  if (codes + ended.length + deleted === 0) {
    throw new ServiceError(oauth_errors.client_not_found, "No program here has that client_id.");
  }
  for (const { id } of ended) tx.announce(grantEndedTopic(id));
  await audit(tx, input, "client.end", `program ${client}`);
  return { registered: deleted > 0, grants: ended.length };
}
