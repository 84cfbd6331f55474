/** The acts of MCP sessions: each runs in the writer, by name, on plain data. */

import { isoTime } from "../clock.ts";
import { limits } from "../limits.ts";
import type { Tx } from "../storage/port.ts";
import * as store from "./store.ts";

export interface BeginInput {
  id_sha256: string;
  address: string;
  handshake: string;
  now_ms: number;
}

/** Keeps a new session, and forgets those that are too many or have not been used for too long. */
export async function beginSession(tx: Tx, { now_ms, ...session }: BeginInput): Promise<null> {
  await store.insertSession(tx, { ...session, used: isoTime(now_ms) });
  const oldest = isoTime(Math.max(now_ms - limits.mcp_session_idle_hours * 3_600_000, 0));
  await store.forgetSessions(tx, oldest, limits.mcp_sessions_max);
  return null;
}

export async function touchSession(tx: Tx, input: { id_sha256: string; now_ms: number }): Promise<null> {
  await store.touchSession(tx, input.id_sha256, isoTime(input.now_ms));
  return null;
}

export async function endSession(tx: Tx, id_sha256: string): Promise<null> {
  await store.deleteSession(tx, id_sha256);
  return null;
}
