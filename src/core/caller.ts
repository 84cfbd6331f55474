/** Who is calling: what a caller sends, the claimed name that it proves, and what commands check of that name. */

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
  /** Of the key that was sent, so that a command can check that it is still the current one. */
  key_sha256: string;
}

/** What commands of other features call when they act under a claimed name. */
export interface NameRules {
  /** Checks, at the start of a command, that the identity still holds. Throws `unknown_credential`. */
  checkKey(tx: Tx, identity: Identity): Promise<void>;
  /** Counts the command at its end if it has changed something: a command that changes nothing writes nothing. */
  countCommand(tx: Tx, identity: Identity, at: string): Promise<void>;
}

/**
 * Checks that a caller may speak as `name`, and whether it does so as the name's holder. Throws `name_is_claimed`,
 * `name_mismatch`, `name_reserved`.
 */
export type SpeakAs = (
  tx: Tx,
  identity: Identity | null,
  name: string,
  now_ms: number,
) => Promise<{ claimed: boolean }>;

declare const authenticated: unique symbol;

/** The caller of a request. Only names/authentication.ts makes one. */
export interface Caller {
  readonly [authenticated]: true;
  /** The address of the call, behind the proxies that the operator trusts. */
  readonly address: string;
  /** The claimed name whose key was sent; null if none was. */
  readonly identity: Identity | null;
  /** What the caller's last command left of its tightest limit. */
  budget: Budget | null;
}
