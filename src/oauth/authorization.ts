/** A program's request to be let in, which a browser brings in the address (RFC 6749, section 4.1.1). */

import type { Caller } from "../core/caller.ts";
import { invalidRequest, ProtocolError } from "./protocol_error.ts";
import { resourceOf } from "./addresses.ts";
import { UnusableClient, type Client, type Clients } from "./clients.ts";
import { oauth_limits } from "./limits.ts";
import { isRegistered } from "./redirects.ts";
import { scopeFor } from "./scope.ts";

/** A request that may be shown to a name. */
export interface AuthorizationRequest {
  client: Client;
  redirect_uri: string;
  state: string | undefined;
  /** Of PKCE: S256. */
  challenge: string;
  resource: string;
  scope: string;
}

/** A request that is refused. The program learns of it only if its address is known: then a person can go back to it. */
export class RefusedRequest extends Error {
  override name = "RefusedRequest";

  constructor(
    readonly reason: ProtocolError,
    readonly back: { redirect_uri: string; state: string | undefined },
  ) {
    super(reason.message);
  }
}

const params_once = [
  ...["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge"],
  ...["code_challenge_method", "response_mode", "prompt", "request", "request_uri"],
] as const;
type Param = (typeof params_once)[number];

/** SHA-256 in base64url has 43 characters (RFC 7636, section 4.2). */
const challenge_form = /^[A-Za-z0-9_-]{43}$/;

/** Reads a request that a caller has opened. `base`: the base URL of the service; `reached`: that of the request. Throws UnusableClient if nobody can be answered, and RefusedRequest. */
export async function readRequest(
  query: string,
  clients: Pick<Clients, "find">,
  { caller, base, reached }: { caller: Caller; base: string; reached: string },
): Promise<AuthorizationRequest> {
  // Those without a value count as left out (RFC 6749, section 3.1).
  const params = new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value !== ""));
  const twice = params_once.find((name) => params.getAll(name).length > 1);
  // RFC 6749, section 3.1.
  if (twice !== undefined) throw new UnusableClient(`Its request has ${twice} more than once.`);
  const sent = Object.fromEntries(params_once.map((name) => [name, params.get(name) ?? undefined])) as Record<
    Param,
    string | undefined
  >;
  if (!sent.client_id) throw new UnusableClient("Its request has no client_id.");
  const client = await clients.find(sent.client_id, caller);
  const redirect_uri =
    sent.redirect_uri ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
  if (redirect_uri === undefined) throw new UnusableClient("Its request has no redirect_uri.");
  // Nobody is led to an address that the program has not registered (RFC 9700, section 4.1.1).
  if (!isRegistered(client.redirect_uris, redirect_uri))
    throw new UnusableClient("Its request names an address that it has not registered.");
  const back = { redirect_uri, state: sent.state };
  if ((sent.state?.length ?? 0) > oauth_limits.state_chars_max)
    throw new UnusableClient(`Its state is longer than ${oauth_limits.state_chars_max} characters.`);
  const fault = faultOf(sent);
  if (fault) throw new RefusedRequest(fault, back);
  const resource = resourceOf(base, reached, params.getAll("resource"));
  if (resource === null) {
    const reason = "This server lets programs in at /mcp/account only.";
    throw new RefusedRequest(new ProtocolError("invalid_target", reason), back);
  }
  return { client, ...back, challenge: sent.code_challenge!, resource, scope: scopeFor(sent.scope) };
}

/** Why a request is refused whose program and address are known; null if it is not. */
function faultOf(sent: Record<Param, string | undefined>): ProtocolError | null {
  if (sent.request !== undefined || sent.request_uri !== undefined)
    return invalidRequest("Requests by reference and signed requests are not supported.");
  if (sent.response_type !== "code")
    return new ProtocolError("unsupported_response_type", "Only response_type=code is supported.");
  if (sent.response_mode !== undefined && sent.response_mode !== "query")
    return invalidRequest("Only response_mode=query is supported.");
  if (sent.code_challenge_method !== "S256" || !challenge_form.test(sent.code_challenge ?? ""))
    return invalidRequest("PKCE is required: code_challenge with code_challenge_method=S256.");
  if (sent.prompt?.split(" ").includes("none"))
    return new ProtocolError("interaction_required", "A person has to allow it.");
  return null;
}
