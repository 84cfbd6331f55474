/** The authorization server (OAuth 2.1) for claimed names: what it is made of. */

import type { Identity } from "../core/caller.ts";
import { FetchFailure, type FetchFault, type GuardedFetch } from "../core/guarded_fetch.ts";
import type { OperationDeps } from "../core/commands.ts";
import type { OpenCalls } from "../core/open_calls.ts";
import type { Tx } from "../core/storage.ts";
import { account_path } from "./addresses.ts";
import { createClients } from "./clients.ts";
import type { OAuthCommands } from "./feature.ts";
import { oauth_limits } from "./limits.ts";
import { createTokens } from "./tokens.ts";

export interface OAuthDeps extends OperationDeps<OAuthCommands> {
  open_calls: OpenCalls;
  /** 32 bytes in hex, stored in the database and never returned. */
  server_secret: string;
  /** The name with this key. Throws `unknown_credential` or `name_suspended`. */
  identityWithKey(tx: Tx, canonical: string, key_sha256: string, now_ms: number): Promise<Identity>;
  /** The base URL of the service, without a slash at the end. */
  base(): string;
  fetch: GuardedFetch;
}

/** What a person reads of a failed fetch. */
const faults: Record<FetchFault, string> = {
  invalid_address: "its address is not valid.",
  not_https: "its address is not https.",
  no_such_host: "there is no such host.",
  not_public: "its host is not on the public Internet.",
  unreachable: "its host cannot be reached.",
  tls: "the certificate of its host is not valid.",
  timeout: "its host does not answer.",
  redirect: "its address leads to another one.",
  too_large: `it is larger than ${oauth_limits.document_bytes_max} bytes.`,
  invalid_answer: "its host does not answer it.",
};

export function createOAuth(deps: OAuthDeps) {
  const { clock, identityWithKey, base, fetch } = deps;

  async function fetchDocument(url: string): Promise<Uint8Array> {
    try {
      const { status, body } = await fetch(url, {
        headers: { accept: "application/json" },
        answer_bytes_max: oauth_limits.document_bytes_max,
        timeout_seconds: oauth_limits.document_timeout_seconds,
      });
      if (status !== 200) throw new FetchFailure("invalid_answer");
      return body;
    } catch (error) {
      if (error instanceof FetchFailure) throw new Error(faults[error.fault]);
      throw error;
    }
  }

  const clients = createClients({ ...deps, fetchDocument });
  const tokens = createTokens({
    ...deps,
    identify: (tx, canonical, key_sha256) => identityWithKey(tx, canonical, key_sha256, clock.now()),
    resource: () => `${base()}${account_path}`,
  });

  return { clients, tokens };
}
