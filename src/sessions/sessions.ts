/** The operations of sessions: a browser signs in under a claimed name, or keeps the rights of a host. */

import { sessionEndedTopic, type Caller, type Identity } from "../core/caller.ts";
import { caller_errors, refuseAccessToken } from "../core/caller_errors.ts";
import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { ServiceError, unlessRefused } from "../core/errors.ts";
import { shortNetwork } from "../core/ip_address.ts";
import type { OpenCalls } from "../core/open_calls.ts";
import { isSecret, newSecret, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import type { NewSession } from "./commands.ts";
import type { SessionCommands } from "./feature.ts";
import { session_limits } from "./limits.ts";
import * as store from "./store.ts";

interface SessionsDeps extends OperationDeps<SessionCommands> {
  open_calls: OpenCalls;
  /** The caller's claimed name. Throws `credential_required`. */
  identityOf(caller: Caller): Identity;
}

/** A session that has not ended. */
interface Session {
  id: string;
  /** The name that is signed in; null if the session only holds rights in rooms. */
  identity: Identity | null;
}

/** A session as its name sees it. */
interface ListedSession extends store.SeenFrom {
  id: string;
  created: string;
  /** Exact to an hour. */
  used: string;
  is_this: boolean;
}

export type Sessions = ReturnType<typeof createSessions>;

const sessionEnded = (): ServiceError =>
  new ServiceError(caller_errors.credential_required, "The session of this browser has ended.");

export function createSessions(deps: SessionsDeps) {
  const { storage, commands, clock, random, open_calls, identityOf } = deps;
  // Ends the waits and streams of a session, on whichever node it ended.
  const ending = open_calls.endedBy(sessionEndedTopic(""), ({ session }) => session, sessionEnded);
  storage.onChange("invalidate", ending);

  /** The canonical form of the caller's name. Throws `credential_required`. */
  function holderOf(caller: Caller): string {
    const detail = "This takes the key itself, or a session: an access token cannot list or end sessions.";
    refuseAccessToken(caller, detail);
    return identityOf(caller).canonical;
  }

  function newSession(caller: Caller, browser: string | null): { cookie: string; session: NewSession } {
    const cookie = newSecret(secret_prefixes.session, random);
    const id = random.uuid(clock.now());
    const from = { browser, network: shortNetwork(caller.address) };
    return { cookie, session: { id, cookie_sha256: sha256Hex(cookie), ...from } };
  }

  /** Stores at most hourly that a session is in use, and from where. */
  async function touch({ id, expires }: store.SignedInRow, from: () => store.SeenFrom): Promise<void> {
    const unused_ms = clock.steady() - (Date.parse(expires) - session_limits.idle_days * 86_400_000);
    if (unused_ms < session_limits.touch_seconds * 1000) return;
    await unlessRefused(storage.write("sign_in.touch", { id, from: from(), ...clock.moment() }));
  }

  return {
    /** The session with this cookie; null if it has ended, or never was. `from`: where it is seen now. */
    async of(cookie: string, from: () => store.SeenFrom): Promise<Session | null> {
      if (!isSecret(secret_prefixes.session, cookie)) return null;
      const row = await storage.read((tx) =>
        store.findSession(tx, sha256Hex(cookie), isoTime(clock.steady())),
      );
      if (!row) return null;
      await touch(row, from);
      const { id, name, canonical, key_sha256 } = row;
      if (name === null || canonical === null) return { id, identity: null };
      // The commands that leave a name without a key end its sessions.
      return { id, identity: { name, canonical, key_sha256: key_sha256 ?? "" } };
    },

    /**
     * Begins a session under the name of the caller, who sent its key. Returns the cookie. `former`: the browser's session;
     * `browser`: which one it is, in words.
     */
    async signIn(caller: Caller, former: string | null, browser: string | null): Promise<string> {
      const identity = identityOf(caller);
      const { cookie, session } = newSession(caller, browser);
      const input = { identity, session, former, ...clock.moment() };
      await commands.run(caller, "sign_in.begin", identity.name, input);
      return cookie;
    },

    /** Gives the browser the rights of the host of a room. Returns the cookie of the session that begins. Throws `wrong_host_key`. */
    async host(caller: Caller, room: string, host_key: string, browser: string | null): Promise<string> {
      const { cookie, session } = newSession(caller, browser);
      const input = { session, former: caller.session, room, host_key_sha256: sha256Hex(host_key) };
      await commands.run(caller, "sign_in.host", null, { ...input, ...clock.moment() });
      return cookie;
    },

    /** The same for a room that the caller has just opened. */
    async opened(caller: Caller, room: string, host_key: string, browser: string | null): Promise<string> {
      const { cookie, session } = newSession(caller, browser);
      const input = { session, former: caller.session, room, host_key_sha256: sha256Hex(host_key) };
      await storage.write("sign_in.opened", { ...input, ...clock.moment() });
      return cookie;
    },

    /** The hash of the host key of a room in which the caller's session has the rights of the host; null if it has not. */
    async hostKeyOf({ session }: Caller, room: string): Promise<string | null> {
      if (session === null) return null;
      return (await storage.read((tx) => store.findHostKey(tx, session, room)))?.host_key_sha256 ?? null;
    },

    /** The sessions of the caller's name, the one used last first. Throws `credential_required`. */
    async list(caller: Caller): Promise<ListedSession[]> {
      const canonical = holderOf(caller);
      const steady = isoTime(clock.steady());
      const rows = await storage.read((tx) =>
        store.sessionsOf(tx, canonical, steady, session_limits.per_name_max),
      );
      return rows.map(({ id, created, used, browser, network }) => ({
        ...{ id, created, used, browser, network },
        is_this: id === caller.session,
      }));
    },

    /** Ends a session of the caller's name. */
    async end(caller: Caller, id: string): Promise<void> {
      await storage.write("sign_in.end", { id, name: holderOf(caller) });
    },

    /** Ends all sessions of the caller's name, except its own. */
    async endOthers(caller: Caller): Promise<void> {
      await storage.write("sign_in.end_others", {
        name: holderOf(caller),
        except: caller.session,
      });
    },

    /** Ends the caller's session. */
    async signOut({ session }: Caller): Promise<void> {
      if (session !== null) await storage.write("sign_in.end", { id: session });
    },
  };
}
