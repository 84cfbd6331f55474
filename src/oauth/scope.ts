/** Scopes (RFC 6749, section 3.3): one for everything that a program may do, and the usual one for refresh tokens. */

import { call_scope } from "../api/account.ts";

const offline_scope = "offline_access";

export const all_scopes: readonly string[] = [call_scope, offline_scope];

/** All scopes as one. */
export const whole_scope = all_scopes.join(" ");

/** The scope that a program gets. It gets a refresh token in any case, so that clients that do not ask for one stay signed in. */
export const scopeFor = (wanted: string | undefined): string =>
  wanted?.split(" ").includes(offline_scope) ? whole_scope : call_scope;
