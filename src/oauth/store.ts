/** SQL of programs that sign in by OAuth, of their grants and of their tokens. Of each secret only the SHA-256 is stored. */

import type { Tx } from "../core/storage.ts";
import { countRows, insertOf } from "../storage/rows.ts";

interface ClientRow {
  id: string;
  /** Whether it has registered by itself, or was added by the operator. */
  origin: "registered" | "added";
  name: string;
  /** A JSON list. */
  redirect_uris: string;
  /** Null: a public client, without a secret (RFC 6749, section 2.1). */
  secret_sha256: string | null;
  created: string;
  /** Steady time when it is forgotten; null: never. */
  expires: string | null;
}

/** What a name allows a program. */
interface Allowed {
  /** The canonical form of the name. */
  name: string;
  /** The key that the name had: the grant ends with it. */
  key_sha256: string;
  client: string;
  client_name: string;
  client_host: string;
  resource: string;
  scope: string;
}

export interface GrantRow extends Allowed {
  id: string;
  created: string;
  used: string;
  /** Steady time. */
  expires: string;
}

export interface CodeRow extends Allowed {
  code_sha256: string;
  redirect_uri: string;
  challenge: string;
  grant_id: string | null;
  /** Steady time. */
  issued: string;
}

export interface RefreshRow {
  token_sha256: string;
  grant_id: string;
  n: number;
  /** Steady time of its first use; null if it was not used. */
  rotated: string | null;
}

export const findClient = (tx: Tx, id: string) =>
  tx.get<ClientRow>("SELECT * FROM oauth_clients WHERE id = $1", id);

export const insertClient = (tx: Tx, client: ClientRow) => tx.run(...insertOf("oauth_clients", client));

export const keepClient = (tx: Tx, id: string) =>
  tx.run("UPDATE oauth_clients SET expires = NULL WHERE id = $1 AND expires IS NOT NULL", id);

/** Sets when programs are forgotten that have registered, that somebody has let in, and whose last grant has ended. */
export const limitUnusedClients = (tx: Tx, expires: string) =>
  tx.run(
    `UPDATE oauth_clients SET expires = $1 WHERE origin = 'registered' AND expires IS NULL AND ${without_grant}`,
    expires,
  );

export const deleteClient = (tx: Tx, id: string) => tx.run("DELETE FROM oauth_clients WHERE id = $1", id);

export const countClients = (tx: Tx) => countRows(tx, "FROM oauth_clients");

/** A program without a grant. Deletions check this, too: another node may have stored a grant while `expires` was set. */
const without_grant = "NOT EXISTS (SELECT 1 FROM oauth_grants WHERE oauth_grants.client = oauth_clients.id)";

/** Deletes the program without a grant that has registered longest ago, also one that names have let in before. */
export const deleteOldestUnused = (tx: Tx) =>
  tx.run(
    "DELETE FROM oauth_clients WHERE id = (SELECT id FROM oauth_clients " +
      `WHERE origin = 'registered' AND ${without_grant} ORDER BY created, id LIMIT 1)`,
  );

/** A program, and how many names have let it in. */
export interface ListedClient {
  client: string;
  origin: ClientRow["origin"] | null;
  name: string;
  redirect_uris: string | null;
  created: string;
  grants: number;
  used: string | null;
}

/** Programs that are registered or have grants, those first that were used last. */
export const listClients = (tx: Tx, limit: number) =>
  tx.all<ListedClient>(
    "SELECT COALESCE(oauth_clients.id, granted.client) AS client, oauth_clients.origin, " +
      "COALESCE(oauth_clients.name, granted.client_name) AS name, oauth_clients.redirect_uris, " +
      "COALESCE(oauth_clients.created, granted.created) AS created, COALESCE(granted.grants, 0) AS grants, granted.used " +
      "FROM (SELECT client, MIN(client_name) AS client_name, MIN(created) AS created, COUNT(*) AS grants, MAX(used) AS used " +
      "FROM oauth_grants GROUP BY client) AS granted FULL JOIN oauth_clients ON oauth_clients.id = granted.client " +
      "ORDER BY COALESCE(granted.used, oauth_clients.created) DESC, 1 LIMIT $1",
    limit,
  );

export const insertCode = (tx: Tx, code: CodeRow) => tx.run(...insertOf("oauth_codes", code));

export const findCode = (tx: Tx, code_sha256: string) =>
  tx.get<CodeRow>("SELECT * FROM oauth_codes WHERE code_sha256 = $1", code_sha256);

/** Notes the grant that a code has become, if it has become none before. */
export const useCode = (tx: Tx, code_sha256: string, grant_id: string) =>
  tx.change(
    1,
    "UPDATE oauth_codes SET grant_id = $2 WHERE code_sha256 = $1 AND grant_id IS NULL",
    code_sha256,
    grant_id,
  );

export const deleteCodesOfClient = (tx: Tx, client: string) =>
  tx.run("DELETE FROM oauth_codes WHERE client = $1", client);

export const deleteCodesBefore = (tx: Tx, steady: string) =>
  tx.run("DELETE FROM oauth_codes WHERE issued < $1", steady);

export const insertGrant = (tx: Tx, grant: GrantRow) => tx.run(...insertOf("oauth_grants", grant));

export const findGrant = (tx: Tx, id: string) =>
  tx.get<GrantRow>("SELECT * FROM oauth_grants WHERE id = $1", id);

export const touchGrant = (tx: Tx, id: string, used: string, expires: string) =>
  tx.run("UPDATE oauth_grants SET used = $2, expires = $3 WHERE id = $1", id, used, expires);

/** The functions that delete grants return those that they deleted. */
export type Ended = { id: string };

export const deleteGrant = (tx: Tx, id: string) =>
  tx.all<Ended>("DELETE FROM oauth_grants WHERE id = $1 RETURNING id", id);

export const deleteGrantOf = (tx: Tx, canonical: string, id: string) =>
  tx.all<Ended>("DELETE FROM oauth_grants WHERE id = $1 AND name = $2 RETURNING id", id, canonical);

export const deleteGrantsOf = (tx: Tx, canonical: string) =>
  tx.all<Ended>("DELETE FROM oauth_grants WHERE name = $1 RETURNING id", canonical);

export const deleteGrantsOfClient = (tx: Tx, client: string) =>
  tx.all<Ended>("DELETE FROM oauth_grants WHERE client = $1 RETURNING id", client);

/** Deletes the grants of a name, except the `count_max` used last. */
export const deleteSurplusOf = (tx: Tx, canonical: string, count_max: number) =>
  tx.all<Ended>(
    "DELETE FROM oauth_grants WHERE name = $1 AND id NOT IN " +
      "(SELECT id FROM oauth_grants WHERE name = $1 ORDER BY used DESC, id DESC LIMIT $2) RETURNING id",
    canonical,
    count_max,
  );

export const grantsOf = (tx: Tx, canonical: string, steady: string, limit: number) =>
  tx.all<GrantRow>(
    "SELECT * FROM oauth_grants WHERE name = $1 AND expires > $2 ORDER BY used DESC, id DESC LIMIT $3",
    canonical,
    steady,
    limit,
  );

export const findRefresh = (tx: Tx, token_sha256: string) =>
  tx.get<RefreshRow>("SELECT * FROM oauth_refreshes WHERE token_sha256 = $1", token_sha256);

export const findRefreshAt = (tx: Tx, grant_id: string, n: number) =>
  tx.get<RefreshRow>("SELECT * FROM oauth_refreshes WHERE grant_id = $1 AND n = $2", grant_id, n);

export const insertRefresh = (tx: Tx, refresh: RefreshRow) => tx.run(...insertOf("oauth_refreshes", refresh));

/** Notes the first use of a refresh token. */
export const rotateRefresh = (tx: Tx, token_sha256: string, rotated: string) =>
  tx.change(
    1,
    "UPDATE oauth_refreshes SET rotated = $2 WHERE token_sha256 = $1 AND rotated IS NULL",
    token_sha256,
    rotated,
  );

export const deleteRefreshesBefore = (tx: Tx, grant_id: string, n: number) =>
  tx.run("DELETE FROM oauth_refreshes WHERE grant_id = $1 AND n < $2", grant_id, n);

export const putToken = (tx: Tx, token: { token_sha256: string; grant_id: string; expires: string }) =>
  tx.run(...insertOf("oauth_tokens", token, "ON CONFLICT (token_sha256) DO NOTHING"));

export const deleteTokensBefore = (tx: Tx, grant_id: string, steady: string) =>
  tx.run("DELETE FROM oauth_tokens WHERE grant_id = $1 AND expires <= $2", grant_id, steady);

/** The grant of an access token that has not expired. */
export const grantOfToken = (tx: Tx, token_sha256: string, steady: string) =>
  tx.get<GrantRow>(
    "SELECT oauth_grants.* FROM oauth_tokens JOIN oauth_grants ON oauth_grants.id = oauth_tokens.grant_id " +
      "WHERE oauth_tokens.token_sha256 = $1 AND oauth_tokens.expires > $2",
    token_sha256,
    steady,
  );

/** The same for a token that may have expired. */
export const grantIdOfToken = (tx: Tx, token_sha256: string) =>
  tx.get<{ grant_id: string }>("SELECT grant_id FROM oauth_tokens WHERE token_sha256 = $1", token_sha256);

/** Times before which each kind has expired; all steady. */
export interface ExpiredBefore {
  codes: string;
  now: string;
}

const expired = [
  ["oauth_codes", "issued < $1", "codes"],
  ["oauth_tokens", "expires <= $1", "now"],
  ["oauth_clients", `expires <= $1 AND ${without_grant}`, "now"],
] as const;

/** Deletes codes, tokens and programs that have expired. Returns how many. */
export async function deleteExpired(tx: Tx, before: ExpiredBefore): Promise<number> {
  let deleted = 0;
  for (const [table, is_expired, by] of expired)
    deleted += await tx.run(`DELETE FROM ${table} WHERE ${is_expired}`, before[by]);
  return deleted;
}

/** Deletes grants that have expired. */
export const deleteExpiredGrants = (tx: Tx, steady: string) =>
  tx.all<Ended>("DELETE FROM oauth_grants WHERE expires <= $1 RETURNING id", steady);

/** How many codes, tokens, programs and grants have expired. */
export async function countExpired(tx: Tx, before: ExpiredBefore): Promise<number> {
  let count = await countRows(tx, "FROM oauth_grants WHERE expires <= $1", before.now);
  for (const [table, is_expired, by] of expired)
    count += await countRows(tx, `FROM ${table} WHERE ${is_expired}`, before[by]);
  return count;
}
