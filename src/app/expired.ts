/** Removes what has expired and that nobody's next call would remove: stored results of calls, sessions of MCP and of browsers, what programs had by OAuth. */

import { isoTime, type ServiceClock } from "../core/clock.ts";
import type { Sweep } from "../core/sweep.ts";
import type { CommandMap, Storage, Tx } from "../core/storage.ts";
import { mcp_limits } from "../mcp/limits.ts";
import { removeExpired as removeGrants } from "../oauth/commands.ts";
import { oauth_limits } from "../oauth/limits.ts";
import * as oauth from "../oauth/store.ts";
import * as mcp_sessions from "../mcp/sessions/store.ts";
import { removeExpired as removeSessions } from "../sessions/commands.ts";
import * as browser_sessions from "../sessions/store.ts";
import { countExpiredAnswers, deleteExpiredAnswers } from "../storage/idempotency.ts";
import { storage_limits } from "../storage/limits.ts";

/** Steady times, in the stored form, before which each kind has expired. */
interface Limits {
  answers: string;
  mcp_sessions: string;
  browser_sessions: string;
  oauth: Parameters<typeof removeGrants>[1];
}

const hour_ms = 3_600_000;

const limitsAt = (steady_ms: number): Limits => ({
  answers: isoTime(steady_ms - storage_limits.idempotency_hours * hour_ms),
  mcp_sessions: isoTime(Math.max(steady_ms - mcp_limits.mcp_session_idle_hours * hour_ms, 0)),
  browser_sessions: isoTime(steady_ms),
  oauth: {
    codes: isoTime(Math.max(steady_ms - oauth_limits.used_code_seconds * 1000, 0)),
    now: isoTime(steady_ms),
    clients_until: isoTime(steady_ms + oauth_limits.unused_client_days * 24 * hour_ms),
  },
});

/** Deletes what has expired. Returns how many of each kind. */
export const removeExpired = async (tx: Tx, limits: Limits): Promise<Record<keyof Limits, number>> => ({
  answers: await deleteExpiredAnswers(tx, limits.answers),
  mcp_sessions: await mcp_sessions.forgetUnused(tx, limits.mcp_sessions),
  browser_sessions: await removeSessions(tx, limits.browser_sessions, 10_000),
  oauth: await removeGrants(tx, limits.oauth),
});

interface ExpiredDeps {
  read: Storage<CommandMap>["read"];
  /** Runs `removeExpired` as a command. */
  remove(limits: Limits): Promise<Record<keyof Limits, number>>;
  clock: ServiceClock;
}

export const createExpiredSweep = ({ read, remove, clock }: ExpiredDeps): Sweep => ({
  count: () =>
    read(async (tx) => {
      const limits = limitsAt(clock.steady());
      return {
        answers: await countExpiredAnswers(tx, limits.answers),
        mcp_sessions: await mcp_sessions.countUnused(tx, limits.mcp_sessions),
        browser_sessions: await browser_sessions.countExpired(tx, limits.browser_sessions),
        oauth: await oauth.countExpired(tx, limits.oauth),
      };
    }),
  remove: () => remove(limitsAt(clock.steady())),
});
