/** Calls as clients make them that sign in: over the network, and without following a redirect. */

import { messageOf } from "../core/log.ts";

/** claude.ai waits for so long. */
const answer_seconds_max = 10;

/** What an address has answered. */
export interface Answer {
  url: string;
  /** 0 if there was no answer. */
  status: number;
  headers: Headers;
  /** The JSON object in the body; null if it has none. */
  members: Record<string, unknown> | null;
  /** What happened, as the second part of a sentence, such as `answers 404`. */
  what: string;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls `url`. Never rejects: a failure is an answer with the status 0. */
export async function callOf(url: string, { headers, ...sent }: Sent = {}): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...sent,
      headers: { "user-agent": "wharf-doctor", ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(answer_seconds_max * 1000),
    });
    const members = membersOf(await response.text());
    return { url, status: response.status, headers: response.headers, members, what: whatOf(response) };
  } catch (error) {
    const what = `cannot be reached: ${messageOf(error)}`;
    return { url, status: 0, headers: new Headers(), members: null, what };
  }
}

function whatOf({ status, headers }: Response): string {
  const to = headers.get("location");
  return status >= 300 && status < 400 && to !== null ? `is redirected to ${to}` : `answers ${status}`;
}

function membersOf(body: string): Answer["members"] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** What `answer` failed with, as a sentence, if a JSON object with the status 200 was expected; null if it is one. */
export const faultOfDocument = ({ url, status, members, what }: Answer): string | null =>
  status !== 200
    ? `${url} ${what}.`
    : members === null
      ? `${url} answers 200, with something else than a JSON object.`
      : null;

/** The addresses of a service that clients use to sign in. */
export interface OauthAddresses {
  base: string;
  /** The part of `base` before its path. */
  origin: string;
  mcp: string;
  account: string;
  /** Metadata of `account` (RFC 9728, section 3.1). */
  resource_metadata: string;
  issuer: string;
  /** The origin at which its endpoints belong. */
  issuer_origin: string;
  /** Metadata of `issuer`, in the order in which clients look (RFC 8414, section 3.1, and OpenID Connect Discovery). */
  issuer_metadata: string[];
}

/** `base`: the public address of a service, without a slash at its end. `issuer`: that of its metadata. */
export function oauthAddresses(base: string, issuer = `${base}/oauth`): OauthAddresses {
  const { origin } = new URL(base);
  const path = base.slice(origin.length);
  const issuer_origin = new URL(issuer).origin;
  const issuer_path = issuer.slice(issuer_origin.length);
  return {
    base,
    origin,
    mcp: `${base}/mcp`,
    account: `${base}/mcp/account`,
    resource_metadata: `${origin}/.well-known/oauth-protected-resource${path}/mcp/account`,
    issuer,
    issuer_origin,
    issuer_metadata: [
      `${issuer_origin}/.well-known/oauth-authorization-server${issuer_path}`,
      `${issuer_origin}/.well-known/openid-configuration${issuer_path}`,
      `${issuer}/.well-known/openid-configuration`,
    ],
  };
}

/** The first message of an MCP client, as a call without a credential. */
export const initialize: Sent = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "wharf-doctor", version: "1" },
    },
  }),
};
