/** The server's secret: random, made at the first start, kept as long as the database, never shown to anybody. */

import type { Tx } from "../core/storage.ts";

/** The secret, 32 bytes in hex; undefined before it is made. */
export const readServerSecret = async (tx: Tx): Promise<string | undefined> =>
  (await tx.get<{ secret: string }>("SELECT secret FROM server_secret"))?.secret;

/** Keeps `secret` unless there is one. Returns the one that is kept. */
export async function keepServerSecret(tx: Tx, { secret }: { secret: string }): Promise<string> {
  await tx.run("INSERT INTO server_secret (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", secret);
  return (await readServerSecret(tx))!;
}
