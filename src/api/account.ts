/** The resource of programs that sign in by OAuth (RFC 9728): its address, its scope, its challenge, and the page that leads to it. */

/** The address of MCP for them, below the base URL. */
export const account_path = "/mcp/account";

/** The page on which a person lets them in, below the base URL. */
export const consent_path = "/oauth/authorize";

/** The scope of every call (RFC 6749, section 3.3). */
export const call_scope = "wharf";

/** Where RFC 9728, section 3.1, has the metadata of the resource: between the host and its path. */
const resource_metadata_path = `/.well-known/oauth-protected-resource${account_path}`;

/** The challenge of the resource to a caller without a token (RFC 9728, section 5.1). `error`: of RFC 6750, section 3.1. */
export const challengeOf = (base: string, error?: "invalid_token"): string =>
  [
    `Bearer resource_metadata="${base}${resource_metadata_path}"`,
    `scope="${call_scope}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
  ].join(", ");
