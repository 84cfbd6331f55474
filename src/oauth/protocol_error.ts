/** Errors in the form of OAuth: JSON with `error` and `error_description` (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */

/** What an authorization server may answer with: of RFC 6749, sections 4.1.2.1 and 5.2, RFC 7591, RFC 8707 and OpenID Connect. */
type ProtocolCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "access_denied"
  | "interaction_required"
  | "temporarily_unavailable"
  | "server_error";

export class ProtocolError extends Error {
  override name = "ProtocolError";

  /** `description`: for the developer of the program, in ASCII without `"` and `\` (RFC 6749, section 5.2). */
  constructor(
    readonly code: ProtocolCode,
    readonly description: string,
    readonly status: number = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(`${code}: ${description}`);
  }
}

export const invalidRequest = (description: string): ProtocolError =>
  new ProtocolError("invalid_request", description);

export const invalidGrant = (description: string): ProtocolError =>
  new ProtocolError("invalid_grant", description);

/** A program that is not known gets 401, so that it registers again. `basic`: whether it has sent HTTP Basic. */
export const invalidClient = (description: string, basic = false): ProtocolError =>
  new ProtocolError(
    "invalid_client",
    description,
    401,
    basic ? { "www-authenticate": 'Basic realm="wharf"' } : {},
  );
