/** A service at which clients can sign in by OAuth, as `wharf doctor --oauth` sees it, behind a proxy that a test lets break answers. */

import { oauthAddresses } from "../../src/doctor/oauth_calls.ts";

/** What a proxy makes of a request: the answer of the service is `answer`. */
export type Breaking = (request: Request, answer: Response) => Response | Promise<Response>;

export interface SignIn {
  base: string;
  /** Requests that would have stored something. */
  stored: string[];
  stop(): Promise<void>;
}

const json = (value: object, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(value, { status, headers: { "access-control-allow-origin": "*", ...headers } });

/** Starts it on a free port, below `path`. */
export function startSignIn(breaks: Breaking = (_request, answer) => answer, path = ""): SignIn {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      return breaks(request, await answerOf(request.clone()));
    },
  });
  const base = `http://127.0.0.1:${server.port}${path}`;
  const { account, mcp, issuer, issuer_metadata, resource_metadata } = oauthAddresses(base);
  const stored: string[] = [];

  const resource = { resource: account, authorization_servers: [issuer] };
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
    scopes_supported: ["wharf", "offline_access"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
  const challenge = `Bearer resource_metadata="${resource_metadata}", scope="wharf"`;

  async function registered(request: Request): Promise<Response> {
    const { redirect_uris } = (await request.json()) as { redirect_uris: string[] };
    const refused = redirect_uris.flatMap((uri, place) =>
      uri.includes("#") ? [`redirect_uris/${place} has a fragment`] : [],
    );
    if (refused.length > 0)
      return json({ error: "invalid_redirect_uri", error_description: refused.join("; ") }, 400);
    stored.push("registration");
    return json({ client_id: "new" }, 201);
  }

  async function answerOf(request: Request): Promise<Response> {
    const { url, method } = request;
    if (method === "OPTIONS") return json({});
    if (url === mcp) return method === "POST" ? json({ jsonrpc: "2.0", id: 1, result: {} }) : json({}, 405);
    if (url === account) {
      const exposed = { "access-control-expose-headers": "WWW-Authenticate" };
      return json({}, 401, { "www-authenticate": challenge, ...exposed });
    }
    if (url === resource_metadata) return json(resource);
    if (issuer_metadata.includes(url)) return json(metadata);
    if (url === metadata.authorization_endpoint) return new Response("No client.", { status: 400 });
    if (url === metadata.token_endpoint) return json({ error: "invalid_grant" }, 400);
    if (url === metadata.registration_endpoint) return registered(request);
    return json({}, 404);
  }

  return { base, stored, stop: () => server.stop(true) };
}
