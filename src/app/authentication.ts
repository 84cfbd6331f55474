/** Who sent a request: finds the name, the session of a browser or the admin, and notes it for those who watch requests. */

import type { AccessDeps } from "../web/access.ts";
import type { CallerAddress } from "../web/caller_address.ts";
import type { Caller, Credential } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { shortNetwork } from "../core/ip_address.ts";
import { secret_prefixes } from "../core/secrets.ts";
import { unknownCredential } from "../names/authentication.ts";
import { canonicalName } from "../names/canonical.ts";
import { browserOf } from "../web/browser_text.ts";
import { adminTokenOf, bearerOf, credentialOf } from "../web/credential.ts";
import { answerSession } from "../web/private_answers.ts";
import { factsOf } from "../web/request_facts.ts";
import { sessionCookieOf } from "../web/session_cookie.ts";
import type { Created } from "./features.ts";

interface AuthenticationDeps extends Pick<Created, "names" | "sessions" | "admins" | "tokens"> {
  addresses: CallerAddress;
  /** The requests that came by the socket of the data directory. */
  owners: WeakSet<Request>;
  /** The public base URL of the service, as the caller of a request reached it. */
  base(request: Request): string;
}

export function createAuthentication(deps: AuthenticationDeps) {
  const { names, sessions, admins, tokens, addresses, owners, base } = deps;

  const seenFrom = (request: Request) => ({
    browser: browserOf(request.headers),
    network: shortNetwork(addresses.of(request)),
  });

  /** The session of the browser that sent the request; null if there is none. */
  async function sessionOf(request: Request) {
    const cookie = sessionCookieOf(request, base);
    const session = cookie === null ? null : await sessions.of(cookie, () => seenFrom(request));
    if (session) answerSession(request);
    return session;
  }

  const authenticate: AccessDeps["authenticate"] = (request, argument) => {
    const credential = credentialOf(request, argument);
    const address = () => addresses.of(request);
    const has_key = credential.name !== null || credential.key !== null;
    // Fast path: programs send no cookies.
    return has_key || request.headers.has("cookie")
      ? identified(request, address, credential, has_key)
      : names.authenticate(address, credential);
  };

  async function identified(
    request: Request,
    address: () => string,
    credential: Credential,
    has_key: boolean,
  ): Promise<Caller> {
    const session = has_key ? null : await sessionOf(request);
    if (session === null && !has_key) return names.authenticate(address, credential);
    const caller = await (session === null
      ? byKeyOrToken(request, address, credential)
      : names.callerOf(address, session));
    factsOf(request).name = caller.identity?.name ?? null;
    return caller;
  }

  async function byKeyOrToken(
    { headers }: Request,
    address: () => string,
    credential: Credential,
  ): Promise<Caller> {
    const { name, key } = credential;
    if (tokens === undefined || !key?.startsWith(secret_prefixes.access_token))
      return names.authenticate(address, credential);
    // In an argument it would be in transcripts.
    if (bearerOf(headers.get("authorization")) !== key) throw notAsBearer();
    const grant = await tokens.find(key);
    if (name !== null && canonicalName(name) !== grant.identity.canonical) throw unknownCredential();
    return names.callerWithGrant(address, grant);
  }

  const authenticateAdmin: AccessDeps["authenticateAdmin"] = async (request, scope) => {
    const credential = { is_owner: owners.has(request), token: adminTokenOf(request) };
    const admin = await admins.authenticate(credential, scope);
    factsOf(request).name = admin.actor;
    return admin;
  };

  /** Whether a request over the network has a token with the scope operate. */
  async function isOperator(request: Request): Promise<boolean> {
    const token = adminTokenOf(request);
    if (token === null) return false;
    try {
      await admins.authenticate({ is_owner: false, token }, "operate");
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.definition.kind !== "unavailable") return false;
      throw error;
    }
  }

  return { sessionOf, authenticate, authenticateAdmin, isOperator };
}

const notAsBearer = (): ServiceError =>
  new ServiceError(caller_errors.unknown_credential, "That is an access token, not the key of a name.", {
    situation: "access_token_as_key",
  });
