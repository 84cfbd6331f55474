/** Callers: the credentials that they send, the claimed name behind a key, and what commands check of that name. */

import type { Budget } from "./errors.ts";
import type { Tx } from "./storage.ts";

/** Credentials sent by the caller. A key alone identifies its name. */
export interface Credential {
  name: string | null;
  key: string | null;
}

/** A claimed name whose key was sent. Plain data, so that commands can take it. */
export interface Identity {
  name: string;
  canonical: string;
  /** The hash of the sent key, so that a command can check that it is still the current one. */
  key_sha256: string;
}

/**
 * Published when a key of the name must open nothing any more: it was replaced or revoked, or the name was suspended or released.
 * The waits and streams of the name end.
 */
export const refusedTopic = (canonical: string): string => `name refused:${canonical}`;

/** Published when a session of a browser has ended. Its waits and streams end. */
export const sessionEndedTopic = (id: string): string => `session ended:${id}`;

/** Published when a grant of a program has ended. Its waits and streams end. */
export const grantEndedTopic = (id: string): string => `grant ended:${id}`;

/** What commands under a claimed name need (`underName` in commands.ts). */
export interface NameRules {
  /**
   * Checks that the identity still has the key that was sent, and is not suspended. Returns when its name was claimed. Throws
   * `unknown_credential` or `name_suspended`.
   */
  checkKey(
    tx: Tx,
    identity: Pick<Identity, "canonical" | "key_sha256">,
    now_ms: number,
  ): Promise<{ claimed_at: string }>;
  /** Counts commands that have changed something, the latest of them at `at`, as activity of the name. */
  countCommand(tx: Tx, identity: Identity, at: string, times?: number): Promise<void>;
}

/** A caller that wants to speak as `name`. */
interface Speaker {
  identity: Identity | null;
  name: string;
  now_ms: number;
}

/**
 * Reads what decides whether these callers may speak. The returned function says of the caller at an index whether it speaks
 * as the holder of a claimed name. It throws `name_is_claimed`, `name_mismatch`, `name_reserved` or `name_suspended`.
 */
export type FindSpeakers = (
  tx: Tx,
  speakers: readonly Speaker[],
) => Promise<(index: number) => { claimed: boolean }>;

declare const authenticated: unique symbol;

/** The caller of a request. Only names/authentication.ts makes one. */
export interface Caller {
  readonly [authenticated]: true;
  /** The address of the call, behind the proxies that the operator trusts. */
  readonly address: string;
  /** The claimed name whose key was sent, or that is signed in; null if there is none. */
  readonly identity: Identity | null;
  /** The id of the session whose cookie was sent in place of a key; null if there is none. */
  readonly session: string | null;
  /** The id of the grant whose access token was sent in place of a key (src/oauth); null if there is none. */
  readonly grant: string | null;
  /** The rest of the tightest limit after the caller's last command. */
  budget: Budget | null;
  /** Whether the answer over HTTP comes from an earlier call with the same Idempotency-Key. */
  replayed: boolean;
}

/** Whose reading outlives a request: a claimed name, and what was sent in place of its key, if anything. Plain data. */
export interface Reader
  extends Pick<Identity, "canonical" | "key_sha256">, Pick<Caller, "session" | "grant"> {}

/** The reader that a caller is; null if it has no claimed name. */
export const readerOf = ({ identity, session, grant }: Caller): Reader | null =>
  identity && { canonical: identity.canonical, key_sha256: identity.key_sha256, session, grant };

/**
 * Checks that the key of a reader is still the current one, its name not suspended, and that its session or its grant has not
 * ended. Throws `unknown_credential` or `name_suspended`.
 */
export type CheckReader = (tx: Tx, reader: Reader, now_ms: number) => Promise<void>;

/** The rights of hosts that the sessions of browsers have. */
export interface HostRights {
  /** The SHA-256 of the host key of a room in which the caller's session has the rights of the host; null if it has not. */
  hostKeyOf(caller: Caller, room: string): Promise<string | null>;
  /** Gives these rights to the browser that has opened a room: which one, in words. Returns the cookie of its new session. */
  opened(caller: Caller, room: string, host_key: string, browser: string | null): Promise<string>;
}

/** Whether a page for this caller is the same for everybody, so that a cache may have it. */
export const readsAsAnybody = ({ identity, session }: Caller): boolean =>
  identity === null && session === null;
