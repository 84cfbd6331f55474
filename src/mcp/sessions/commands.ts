/** The commands of MCP sessions. */

import { isoTime } from "../../core/clock.ts";
import { mcp_limits } from "../limits.ts";
import type { Tx } from "../../core/storage.ts";
import * as store from "./store.ts";

const topic_prefix = "mcp.session:";

/** The topic that is published when a session ends, or changes its subscriptions. */
export const sessionTopic = (id_sha256: string): string => topic_prefix + id_sha256;

/** The SHA-256 of the id of the session that `topic` is about; null for any other topic. */
export const sessionOfTopic = (topic: string): string | null =>
  topic.startsWith(topic_prefix) ? topic.slice(topic_prefix.length) : null;

interface BeginInput {
  id_sha256: string;
  address: string;
  handshake: string;
  steady_ms: number;
  /** The networks that it begins from; '' if they are not counted, and if there is no /48. */
  network: string;
  wide_network: string;
  /** The most sessions of a network, and of a /48. */
  network_max: number;
  wide_network_max: number;
}

/**
 * Stores a new session and deletes expired ones. If its network has too many, the least recently used one of the network
 * ends; if there are too many in all, a session of the network with the most sessions.
 */
export async function beginSession(tx: Tx, input: BeginInput): Promise<null> {
  const { steady_ms, network_max, wide_network_max, ...session } = input;
  await store.insertSession(tx, { ...session, used: isoTime(steady_ms) });
  const oldest = isoTime(Math.max(steady_ms - mcp_limits.mcp_session_idle_hours * 3_600_000, 0));
  await store.forgetUnused(tx, oldest);
  const ended = [
    ...(await store.endSurplusOf(tx, "network", session.network, network_max)),
    ...(await store.endSurplusOf(tx, "wide_network", session.wide_network, wide_network_max)),
  ];
  const surplus = (await store.countSessions(tx)) - mcp_limits.mcp_sessions_max;
  for (let i = 0; i < surplus; i++) ended.push(...(await store.endOneOfLargest(tx)));
  for (const { id_sha256 } of ended) tx.announce(sessionTopic(id_sha256));
  return null;
}

export async function touchSession(tx: Tx, input: { id_sha256: string; steady_ms: number }): Promise<null> {
  await store.touchSession(tx, input.id_sha256, isoTime(input.steady_ms));
  return null;
}

interface FollowInput {
  id_sha256: string;
  uri: string;
  /** The topic that is published when the resource changes; null ends the subscription. */
  topic: string | null;
}

/** Stores a subscription of a session. Returns "full" if it has as many as it may, "gone" if the session does not exist. */
export async function followResource(tx: Tx, input: FollowInput): Promise<"stored" | "full" | "gone"> {
  const row = await store.findSession(tx, input.id_sha256);
  if (!row) return "gone";
  const subscriptions = new Map(Object.entries(JSON.parse(row.subscriptions) as Record<string, string>));
  if (input.topic === null) subscriptions.delete(input.uri);
  else subscriptions.set(input.uri, input.topic);
  if (subscriptions.size > mcp_limits.mcp_subscriptions_per_client) return "full";
  const json = JSON.stringify(Object.fromEntries(subscriptions));
  if (json === row.subscriptions) return "stored";
  await store.setSubscriptions(tx, input.id_sha256, json);
  tx.announce(sessionTopic(input.id_sha256));
  return "stored";
}

export async function endSession(tx: Tx, id_sha256: string): Promise<null> {
  await store.deleteSession(tx, id_sha256);
  tx.announce(sessionTopic(id_sha256));
  return null;
}
