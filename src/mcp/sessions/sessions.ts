/** Stored sessions of MCP clients: the params of the handshake, the subscriptions, and the time of last use. */

import type { CommandRunner, FeatureStorage } from "../../core/commands.ts";
import type { SessionCommands } from "./feature.ts";
import { unlessRefused } from "../../core/errors.ts";
import { mcp_limits } from "../limits.ts";
import type { Caller } from "../../core/caller.ts";
import type { Random } from "../../core/random.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { SessionQuota } from "../../core/rate_limit/rate_limit.ts";
import type { ServiceClock } from "../../core/clock.ts";
import { findSession } from "./store.ts";

interface SessionsDeps {
  storage: FeatureStorage<SessionCommands>;
  commands: CommandRunner<SessionCommands>;
  clock: Pick<ServiceClock, "steady">;
  random: Random;
  /** The most sessions of an address; null if they are not counted. */
  quotaOf(address: string): SessionQuota | null;
  /** 32 bytes in hex. Networks are stored as an HMAC with it, so that the database contains no addresses. */
  server_secret: string;
}

export interface SessionRecord {
  id: string;
  /** The path of the MCP address where it began. */
  address: string;
  /** The params of the client's `initialize`. */
  handshake: Record<string, unknown>;
  /** Its subscriptions: the topic of each resource, by URI. */
  subscriptions: Record<string, string>;
  /** Steady time when it was read, in milliseconds. */
  read_ms: number;
}

export type Sessions = ReturnType<typeof createSessions>;

const session_id_bytes = 24;
const session_id_form = /^[\x21-\x7e]{1,128}$/;
const touch_every_ms = 3_600_000;

export function createSessions(deps: SessionsDeps) {
  const { storage, commands, clock, random, quotaOf, server_secret } = deps;
  const secret_bytes = Uint8Array.fromHex(server_secret);
  const digestOf = (network: string): string =>
    new Bun.CryptoHasher("sha256", secret_bytes).update(`session network ${network}`).digest("hex");

  /** The networks that a session begins from, and their limits. */
  function origin(caller: Caller) {
    const quota = quotaOf(caller.address);
    if (!quota) return { network: "", wide_network: "", network_max: 0, wide_network_max: 0 };
    const { networks, narrow_max, wide_max } = quota;
    return {
      network: digestOf(networks.narrow),
      wide_network: networks.wide === null ? "" : digestOf(networks.wide),
      network_max: narrow_max,
      wide_network_max: wide_max,
    };
  }

  return {
    /** Begins a session. Resolves to its id once it is durable. */
    async begin(caller: Caller, address: string, handshake: Record<string, unknown>): Promise<string> {
      const id = random.bytes(session_id_bytes).toHex();
      const input = {
        id_sha256: sha256Hex(id),
        address,
        handshake: JSON.stringify(handshake),
        steady_ms: clock.steady(),
        ...origin(caller),
      };
      await commands.run(caller, "sessions.begin", null, input);
      return id;
    },

    /** The session with this id, or null. Finding it counts as using it. */
    async find(id: string): Promise<SessionRecord | null> {
      if (!session_id_form.test(id)) return null;
      const id_sha256 = sha256Hex(id);
      const row = await storage.read((tx) => findSession(tx, id_sha256));
      if (!row) return null;
      const read_ms = clock.steady();
      const unused_ms = read_ms - Date.parse(row.used);
      if (unused_ms > mcp_limits.mcp_session_idle_hours * 3_600_000) return null;
      // Persisted at most hourly; exact recency is not worth a write per call.
      if (unused_ms > touch_every_ms)
        await unlessRefused(storage.write("sessions.touch", { id_sha256, steady_ms: clock.steady() }));
      return {
        id,
        address: row.address,
        handshake: JSON.parse(row.handshake) as Record<string, unknown>,
        subscriptions: JSON.parse(row.subscriptions) as Record<string, string>,
        read_ms,
      };
    },

    /** Whether a record was read so long ago that its use has to be stored: it has to be found again. */
    isOld: ({ read_ms }: SessionRecord): boolean => clock.steady() - read_ms > touch_every_ms,

    /** A code that proves to this service, on any node, that it gave `text` to a session. */
    codeOf: (id: string, text: string): string =>
      new Bun.CryptoHasher("sha256", secret_bytes)
        .update(JSON.stringify(["session text", id, text]))
        .digest("base64url"),

    /**
     * Stores that a session is subscribed to a resource whose changes are published as `topic`; for null, that it is not.
     * Returns "full" if it has as many subscriptions as it may, "gone" if there is no such session.
     */
    async follow(
      caller: Caller,
      id: string,
      uri: string,
      topic: string | null,
    ): Promise<"stored" | "full" | "gone"> {
      const input = { id_sha256: sha256Hex(id), uri, topic };
      return (await commands.run(caller, "sessions.follow", null, input)).result;
    },

    /** Ends a session for good. */
    async end(caller: Caller, id: string): Promise<void> {
      await commands.run(caller, "sessions.end", null, sha256Hex(id));
    },
  };
}
