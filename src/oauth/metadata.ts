/** The documents by which a client finds the authorization server and what it can do. */

import { account_path, call_scope, consent_path } from "../api/account.ts";
import { oauth_path } from "./addresses.ts";
import { all_scopes } from "./scope.ts";

/** Of the resource (RFC 9728, section 2). `reached`: the base URL by which the client came, which it compares with `resource`. */
export const resourceMetadata = (base: string, reached: string, title: string) => ({
  resource: `${reached}${account_path}`,
  authorization_servers: [`${base}${oauth_path}`],
  scopes_supported: [call_scope],
  bearer_methods_supported: ["header"],
  resource_name: title,
  resource_documentation: `${reached}${account_path}`,
});

/** What registration grants every program (RFC 7591, section 2), too. */
export const grant_types = ["authorization_code", "refresh_token"];
export const response_types = ["code"];
/** How a program can show itself. */
export const auth_methods = ["none", "client_secret_post", "client_secret_basic"];

/** Of the authorization server (RFC 8414, section 2). */
export function serverMetadata(base: string) {
  const issuer = `${base}${oauth_path}`;
  return {
    issuer,
    authorization_endpoint: `${base}${consent_path}`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: all_scopes,
    response_types_supported: response_types,
    response_modes_supported: ["query"],
    grant_types_supported: grant_types,
    token_endpoint_auth_methods_supported: auth_methods,
    revocation_endpoint_auth_methods_supported: auth_methods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** The same where clients of OpenID Connect look: they refuse a document without these members. No ID token is ever issued. */
export const openIdMetadata = (base: string) => ({
  ...serverMetadata(base),
  jwks_uri: `${base}/.well-known/jwks.json`,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["EdDSA"],
});

/**
 * The paths of these documents for the issuer and for the resource of a service below `base_path`. Inserted ones lie between the host and
 * the path (RFC 8414, section 3.1; RFC 9728, section 3.1), so that a proxy that passes on one path has to pass them on, too.
 */
export function metadataPaths(base_path: string) {
  const below = base_path === "/" ? [""] : ["", base_path];
  const inserted = (kind: string, path: string) =>
    below.map((prefix) => `/.well-known/${kind}${prefix}${path}`);
  return {
    resource: inserted("oauth-protected-resource", account_path),
    server: [
      ...inserted("oauth-authorization-server", oauth_path),
      `${oauth_path}/.well-known/oauth-authorization-server`,
    ],
    open_id: [
      ...inserted("openid-configuration", oauth_path),
      `${oauth_path}/.well-known/openid-configuration`,
    ],
  };
}
