/** The tokens of grants: those that are issued, and the callers that send them. */

import { hkdfSync } from "node:crypto";
import { grantEndedTopic, type Identity } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { ServiceError, unlessRefused } from "../core/errors.ts";
import type { Meter } from "../core/meter.ts";
import type { OpenCalls } from "../core/open_calls.ts";
import { isSecret, newSecret, secretFrom, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import type { Granted } from "./commands.ts";
import type { OAuthCommands } from "./feature.ts";
import { oauth_limits } from "./limits.ts";
import { invalidGrant, type ProtocolError } from "./protocol_error.ts";
import * as store from "./store.ts";

interface TokensDeps extends OperationDeps<OAuthCommands> {
  open_calls: OpenCalls;
  meter: Meter;
  /** 32 bytes in hex, stored in the database and never returned. */
  server_secret: string;
  /** The name with the key of a grant. Throws `unknown_credential` or `name_suspended`. */
  identify(tx: Tx, canonical: string, key_sha256: string): Promise<Identity>;
  /** The addresses of /mcp/account for which a token of this service is. */
  resource(): string;
}

/** A successful answer of the token endpoint (RFC 6749, section 5.1). */
interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

interface CodeSent {
  code: string;
  client: string;
  redirect_uri: string | null;
  resource: string | null;
  /** The PKCE challenge of the verifier that was sent. */
  challenge: string;
}

export type Tokens = ReturnType<typeof createTokens>;

const grantEnded = (): ServiceError =>
  new ServiceError(caller_errors.unknown_credential, "The grant of this access token has ended.", {
    situation: "access_token",
  });

export function createTokens(deps: TokensDeps) {
  const { storage, clock, random, open_calls, identify, resource } = deps;
  const sent = deps.meter.counter({
    name: "wharf_oauth_tokens_total",
    help: "Codes and refresh tokens of programs: issued, repeated, reused (which ends the grant) or refused.",
    labels: ["sent", "outcome"],
  });
  const secret_bytes = Uint8Array.fromHex(deps.server_secret);
  // Ends the waits and streams of a grant, on whichever node it ended.
  const ending = open_calls.endedBy(grantEndedTopic(""), ({ grant }) => grant, grantEnded);
  storage.onChange("invalidate", ending);

  /** A secret that follows from a refresh token (HKDF, RFC 5869), so that a repetition gets it again. */
  const derived = (prefix: string, token: string, ...info: unknown[]): string =>
    secretFrom(
      prefix,
      new Uint8Array(hkdfSync("sha256", token, secret_bytes, JSON.stringify([prefix, ...info]), 32)),
    );

  /** The end of an access token that is issued now. Those of a step are the same, so that repetitions store few. */
  function accessExpiry(): { step: number; expires: string; expires_in: number } {
    const step_ms = oauth_limits.token_step_seconds * 1000;
    const now_ms = clock.steady();
    const step = Math.floor(now_ms / step_ms);
    const expires_ms = step * step_ms + oauth_limits.access_token_seconds * 1000;
    return { step, expires: isoTime(expires_ms), expires_in: Math.floor((expires_ms - now_ms) / 1000) };
  }

  const answer = (access: string, expires_in: number, refresh: string, scope: string): TokenAnswer => ({
    access_token: access,
    token_type: "Bearer",
    expires_in,
    refresh_token: refresh,
    scope,
  });

  /** What a grant's tokens are hashed to for a command. */
  const hashed = (access: string, expires: string, refresh: string) => ({
    access: { token_sha256: sha256Hex(access), expires },
    refresh_sha256: sha256Hex(refresh),
  });

  function refusal(kind: keyof typeof refused): ProtocolError {
    sent.count(kind, "refused");
    return invalidGrant(refused[kind]);
  }

  /** The scope of the tokens that a code or a refresh token gets. Throws `invalid_grant`. */
  function scopeOf(kind: keyof typeof refused, { outcome, scope }: Granted): string {
    sent.count(kind, outcome);
    if (scope === null) throw invalidGrant(refused[kind]);
    return scope;
  }

  /** Stores at most hourly that a grant is in use. */
  async function touch({ id, used }: store.GrantRow): Promise<void> {
    if (clock.now() - Date.parse(used) < oauth_limits.touch_seconds * 1000) return;
    await unlessRefused(storage.write("oauth.touch", { id, ...clock.moment() }));
  }

  return {
    /** The grant of an access token, and its name. Throws `unknown_credential` or `name_suspended`. */
    async find(token: string): Promise<{ id: string; identity: Identity }> {
      const found = isSecret(secret_prefixes.access_token, token)
        ? await storage.read(async (tx) => {
            const grant = await store.grantOfToken(tx, sha256Hex(token), isoTime(clock.steady()));
            return grant && { grant, identity: await identify(tx, grant.name, grant.key_sha256) };
          })
        : undefined;
      if (!found || found.grant.resource !== resource()) {
        throw new ServiceError(
          caller_errors.unknown_credential,
          "That access token is not known here, has expired, or its grant has ended.",
          { situation: "access_token" },
        );
      }
      await touch(found.grant);
      return { id: found.grant.id, identity: found.identity };
    },

    /** Exchanges a code for tokens (RFC 6749, section 4.1.3). Throws `invalid_grant`. */
    async exchange({ code, ...sent }: CodeSent): Promise<TokenAnswer> {
      const code_sha256 = sha256Hex(code);
      // Nobody can make the service write by guessing codes.
      if (!(await storage.read((tx) => store.findCode(tx, code_sha256)))) throw refusal("code");
      const access = newSecret(secret_prefixes.access_token, random);
      const refresh = newSecret(secret_prefixes.refresh_token, random);
      const { expires, expires_in } = accessExpiry();
      const at = clock.moment();
      const { result } = await storage.write("oauth.exchange", {
        ...sent,
        code_sha256,
        grant_id: random.uuid(at.now_ms),
        tokens: hashed(access, expires, refresh),
        ...at,
      });
      return answer(access, expires_in, refresh, scopeOf("code", result));
    },

    /** Exchanges a refresh token of a program for new tokens (RFC 6749, section 6). Throws `invalid_grant`. */
    async refresh(client: string, token: string, wanted: string | null): Promise<TokenAnswer> {
      const token_sha256 = sha256Hex(token);
      const grant = await storage.read(async (tx) => {
        const found = await store.findRefresh(tx, token_sha256);
        return found && (await store.findGrant(tx, found.grant_id));
      });
      if (grant?.client !== client) throw refusal("refresh");
      if (grant.resource !== resource() || (wanted !== null && wanted !== grant.resource))
        throw invalidGrant("The refresh token is for another resource.");
      const { step, expires, expires_in } = accessExpiry();
      const next = derived(secret_prefixes.refresh_token, token, grant.id);
      const access = derived(secret_prefixes.access_token, token, grant.id, step);
      const { result } = await storage.write("oauth.refresh", {
        grant_id: grant.id,
        token_sha256,
        tokens: hashed(access, expires, next),
        ...clock.moment(),
      });
      return answer(access, expires_in, next, scopeOf("refresh", result));
    },

    /** Ends the grant of an access token or a refresh token, if it is of this program (RFC 7009, section 2.1). */
    async revoke(client: string, token: string): Promise<void> {
      const token_sha256 = sha256Hex(token);
      const grant = await storage.read(async (tx) => {
        const found =
          (await store.findRefresh(tx, token_sha256)) ?? (await store.grantIdOfToken(tx, token_sha256));
        return found && (await store.findGrant(tx, found.grant_id));
      });
      if (grant?.client === client) await storage.write("oauth.end", { grant_id: grant.id });
    },
  };
}

const refused = {
  code: "The code is not known, was used before, is older than a minute, or is for another program, address or verifier.",
  refresh: "The refresh token is not known, was used before, or its grant has ended.",
};
