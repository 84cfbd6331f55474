/** The SQL of MCP sessions, nothing else. */

import type { Tx } from "../storage/port.ts";

export interface SessionRow {
  seq: number;
  id_sha256: string;
  address: string;
  handshake: string;
  used: string;
  /** JSON. */
  subscriptions: string;
}

export const findSession = (tx: Tx, id_sha256: string) =>
  tx.get<SessionRow>("SELECT * FROM mcp_sessions WHERE id_sha256 = $1", id_sha256);

const next_seq = "(SELECT COALESCE(MAX(seq), 0) + 1 FROM mcp_sessions)";

export const insertSession = (tx: Tx, session: Omit<SessionRow, "seq" | "subscriptions">) =>
  tx.run(
    `INSERT INTO mcp_sessions (seq, id_sha256, address, handshake, used) VALUES (${next_seq}, $1, $2, $3, $4)`,
    session.id_sha256,
    session.address,
    session.handshake,
    session.used,
  );

/** Moves a session to the end of the order of use. */
export const touchSession = (tx: Tx, id_sha256: string, used: string) =>
  tx.run(`UPDATE mcp_sessions SET seq = ${next_seq}, used = $2 WHERE id_sha256 = $1`, id_sha256, used);

export const setSubscriptions = (tx: Tx, id_sha256: string, subscriptions: string) =>
  tx.run("UPDATE mcp_sessions SET subscriptions = $2 WHERE id_sha256 = $1", id_sha256, subscriptions);

export const deleteSession = (tx: Tx, id_sha256: string) =>
  tx.run("DELETE FROM mcp_sessions WHERE id_sha256 = $1", id_sha256);

/** Forgets sessions that were last used before `oldest`, and all but the `count_max` that were used last. */
export async function forgetSessions(tx: Tx, oldest: string, count_max: number): Promise<void> {
  await tx.run("DELETE FROM mcp_sessions WHERE used < $1", oldest);
  await tx.run("DELETE FROM mcp_sessions WHERE seq <= (SELECT MAX(seq) FROM mcp_sessions) - $1", count_max);
}
