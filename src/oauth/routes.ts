/** The addresses of the authorization server that programs call: its metadata, registration, tokens and revocation. */

import { titleOf } from "../core/about.ts";
import type { Caller } from "../core/caller.ts";
import { ServiceError } from "../core/errors.ts";
import { formText, mediaType, readFields, readJson } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { basicOf } from "../web/credential.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { problemHeaders, statusOf } from "../web/problems.ts";
import { sendJson, sendTagged, taggedJson } from "../web/responses.ts";
import { oauth_path, resourceOf } from "./addresses.ts";
import type { ClientCredential, Clients } from "./clients.ts";
import { metadataPaths, openIdMetadata, resourceMetadata, serverMetadata } from "./metadata.ts";
import { invalidClient, invalidRequest, ProtocolError } from "./protocol_error.ts";
import type { Tokens } from "./tokens.ts";

interface OAuthRoutesDeps {
  clients: Clients;
  tokens: Tokens;
  /** The base URL of the service, without a slash at the end. */
  base(): string;
  /** Its path: `/` if it has none. */
  base_path: string;
}

interface Call {
  request: Request;
  caller: Caller;
  /** The base URL by which the program came. */
  base: string;
}

/** The fields of a form that have values; one that is sent twice is refused (RFC 6749, section 3.2). */
async function formOf(request: Request): Promise<Map<string, string>> {
  if (mediaType(request) !== "application/x-www-form-urlencoded")
    throw invalidRequest("Send a form: Content-Type application/x-www-form-urlencoded.");
  const form = new Map<string, string>();
  for (const [name, value] of await readFields(request)) {
    if (value === "") continue;
    // Several resources may be named (RFC 8707, section 2). Ours is one.
    if (form.has(name) && form.get(name) !== value)
      throw invalidRequest("A parameter was sent more than once.");
    form.set(name, value);
  }
  return form;
}

/** What a program shows of itself: in the form, or by HTTP Basic (RFC 6749, section 2.3.1). Throws `invalid_client`. */
function credentialIn(request: Request, form: Map<string, string>): ClientCredential {
  const client_id = form.get("client_id");
  const secret = form.get("client_secret") ?? null;
  const { user, password } = basicOf(request.headers.get("authorization") ?? "");
  if (user === "") {
    if (!client_id) throw invalidClient("client_id is missing.");
    return { client_id, secret, is_basic: false };
  }
  const basic_id = formDecoded(user);
  if (secret !== null || (client_id !== undefined && client_id !== basic_id))
    throw invalidRequest("The program shows itself in two ways: send HTTP Basic or the form.");
  return { client_id: basic_id, secret: formDecoded(password), is_basic: true };
}

function formDecoded(text: string): string {
  try {
    return formText(text);
  } catch {
    throw invalidRequest("HTTP Basic is not validly encoded.");
  }
}

/** 43 to 128 unreserved characters (RFC 7636, section 4.1). */
const verifier_form = /^[A-Za-z0-9._~-]{43,128}$/;

/** The challenge of a verifier by S256 (RFC 7636, section 4.2). */
const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");

export function oauthRoutes(deps: OAuthRoutesDeps, { access, navigation }: Http) {
  const { clients, tokens } = deps;

  /** Runs a call of a program. Errors are in the form of OAuth. */
  const answered =
    (run: (call: Call) => Promise<Response>) =>
    async ({ request, caller, base }: Call): Promise<Response> => {
      try {
        return await run({ request, caller, base });
      } catch (error) {
        return sendError(error);
      }
    };

  async function tokenFor({ request, base }: Call): Promise<Response> {
    const form = await formOf(request);
    const client = await clients.authenticate(credentialIn(request, form));
    const named = form.get("resource");
    const resource = named === undefined ? null : resourceOf(deps.base(), base, [named]);
    if (named !== undefined && resource === null)
      throw new ProtocolError("invalid_target", "Tokens are for /mcp/account of this service.");
    switch (form.get("grant_type") ?? "") {
      case "authorization_code": {
        const [code, verifier] = [form.get("code"), form.get("code_verifier")];
        if (!code || !verifier_form.test(verifier ?? ""))
          throw invalidRequest("code or code_verifier is missing or not valid.");
        const redirect_uri = form.get("redirect_uri") ?? null;
        const challenge = challengeOf(verifier!);
        return sendJson(await tokens.exchange({ code, client, redirect_uri, resource, challenge }), 200);
      }
      case "refresh_token": {
        const token = form.get("refresh_token");
        if (!token) throw invalidRequest("refresh_token is missing.");
        return sendJson(await tokens.refresh(client, token, resource), 200);
      }
      default:
        throw new ProtocolError(
          "unsupported_grant_type",
          "grant_type is authorization_code or refresh_token.",
        );
    }
  }

  /** RFC 7009, section 2: also a token that is not known is answered with 200. */
  async function revoke({ request }: Call): Promise<Response> {
    const form = await formOf(request);
    const client = await clients.authenticate(credentialIn(request, form));
    const token = form.get("token");
    if (!token) throw invalidRequest("token is missing.");
    await tokens.revoke(client, token);
    return sendJson({}, 200);
  }

  async function register({ request, caller }: Call): Promise<Response> {
    const metadata = await readJson(request);
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
      throw new ProtocolError("invalid_client_metadata", "The body is no JSON object.");
    return sendJson(await clients.register(caller, metadata as Record<string, unknown>), 201, caller);
  }

  const calls = { token: tokenFor, revoke, register };
  for (const [name, run] of Object.entries(calls)) {
    access.post(`${oauth_path}/${name}`, answered(run), { needs: "public", parse: "none", ...undocumented });
  }

  const documents = { resource: resourceDocument, server: serverMetadata, open_id: openIdMetadata };
  function resourceDocument(base: string, reached: string) {
    return resourceMetadata(base, reached, titleOf(navigation.about));
  }
  const paths = metadataPaths(deps.base_path);
  for (const [kind, make] of Object.entries(documents)) {
    for (const path of paths[kind as keyof typeof documents]) {
      access.get(path, ({ request, base }) => sendTagged(request, taggedJson(make(deps.base(), base))), {
        needs: "public",
        ...undocumented,
      });
    }
  }
}

/** An error of a call of a program (RFC 6749, section 5.2). Throws one that is no refusal. */
function sendError(error: unknown): Response {
  if (error instanceof ProtocolError) {
    const { code, description, status, headers } = error;
    return sendJson({ error: code, error_description: description }, status, null, {
      pragma: "no-cache",
      ...headers,
    });
  }
  if (!(error instanceof ServiceError)) throw error;
  const status = statusOf(error.definition);
  const { "www-authenticate": _challenge, ...headers } = problemHeaders(error);
  const body = { error: codeOf(status), error_description: error.detail };
  return sendJson(body, status === 401 || status === 403 ? 400 : status, null, headers);
}

/** What OAuth calls a refusal of the service with this status. A name whose key was replaced has a grant that is over. */
const codeOf = (status: number): string => {
  if (status === 401 || status === 403) return "invalid_grant";
  if (status === 429 || status >= 503) return "temporarily_unavailable";
  return status < 500 ? "invalid_request" : "server_error";
};
