/** The server's secret: random bytes, created at the first start and never returned to a caller. */

import type { Tx } from "../core/storage.ts";

/** The secret, 32 bytes in hex; undefined before the first start has stored one. */
export const readServerSecret = async (tx: Tx): Promise<string | undefined> =>
  (await tx.get<{ secret: string }>("SELECT secret FROM server_secret"))?.secret;

/** Stores `secret` unless there is one already. Returns the stored secret. */
export async function storeServerSecret(tx: Tx, { secret }: { secret: string }): Promise<string> {
  await tx.run("INSERT INTO server_secret (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", secret);
  return (await readServerSecret(tx))!;
}
