/** The SQL of MCP sessions. */

import type { Tx } from "../../core/storage.ts";
import { countRows } from "../../storage/rows.ts";

export interface SessionRow {
  seq: number;
  id_sha256: string;
  address: string;
  handshake: string;
  /** Steady time. */
  used: string;
  /** The network that it began from, and the IPv6 /48 around it; '' if unknown. */
  network: string;
  wide_network: string;
  /** JSON. */
  subscriptions: string;
}

export const findSession = (tx: Tx, id_sha256: string) =>
  tx.get<SessionRow>("SELECT * FROM mcp_sessions WHERE id_sha256 = $1", id_sha256);

const next_seq = "(SELECT COALESCE(MAX(seq), 0) + 1 FROM mcp_sessions)";

export const insertSession = (tx: Tx, session: Omit<SessionRow, "seq" | "subscriptions">) =>
  tx.run(
    "INSERT INTO mcp_sessions (seq, id_sha256, address, handshake, used, network, wide_network) " +
      `VALUES (${next_seq}, $1, $2, $3, $4, $5, $6)`,
    session.id_sha256,
    session.address,
    session.handshake,
    session.used,
    session.network,
    session.wide_network,
  );

/** Moves a session to the end of the order of use. */
export const touchSession = (tx: Tx, id_sha256: string, used: string) =>
  tx.run(`UPDATE mcp_sessions SET seq = ${next_seq}, used = $2 WHERE id_sha256 = $1`, id_sha256, used);

export const setSubscriptions = (tx: Tx, id_sha256: string, subscriptions: string) =>
  tx.run("UPDATE mcp_sessions SET subscriptions = $2 WHERE id_sha256 = $1", id_sha256, subscriptions);

export const deleteSession = (tx: Tx, id_sha256: string) =>
  tx.run("DELETE FROM mcp_sessions WHERE id_sha256 = $1", id_sha256);

/** Deletes sessions that were last used before `oldest`. */
export const forgetUnused = (tx: Tx, oldest: string) =>
  tx.run("DELETE FROM mcp_sessions WHERE used < $1", oldest);

/** The number of sessions that were last used before `oldest`. */
export const countUnused = (tx: Tx, oldest: string) =>
  countRows(tx, "FROM mcp_sessions WHERE used < $1", oldest);

type Ended = Pick<SessionRow, "id_sha256">;

/** Ends the sessions of a network, or of a /48, except the `count_max` most recently used. Returns the ended sessions. */
export const endSurplusOf = (
  tx: Tx,
  column: "network" | "wide_network",
  network: string,
  count_max: number,
) =>
  tx.all<Ended>(
    `DELETE FROM mcp_sessions WHERE ${column} = $1 AND ${column} <> '' AND seq <= (` +
      `SELECT seq FROM mcp_sessions WHERE ${column} = $1 AND ${column} <> '' ORDER BY seq DESC LIMIT 1 OFFSET $2) ` +
      "RETURNING id_sha256",
    network,
    count_max,
  );

export const countSessions = (tx: Tx) => countRows(tx, "FROM mcp_sessions");

/**
 * Ends one session to make room: the least recently used of the network with the most sessions; of all sessions if no network
 * has two.
 */
export async function endOneOfLargest(tx: Tx): Promise<Ended[]> {
  const largest = await tx.get<{ network: string; sessions: number }>(
    "SELECT network, sessions FROM mcp_session_counts ORDER BY sessions DESC LIMIT 1",
  );
  if (!largest || largest.sessions < 2) {
    return tx.all<Ended>(
      "DELETE FROM mcp_sessions WHERE seq = (SELECT MIN(seq) FROM mcp_sessions) RETURNING id_sha256",
    );
  }
  const oldest =
    "SELECT MIN(seq) AS seq FROM mcp_sessions WHERE network = $1 UNION ALL " +
    "SELECT MIN(seq) FROM mcp_sessions WHERE wide_network = $1 AND wide_network <> ''";
  return tx.all<Ended>(
    `DELETE FROM mcp_sessions WHERE seq = (SELECT MIN(seq) FROM (${oldest}) AS of_network) RETURNING id_sha256`,
    largest.network,
  );
}
