/** The authorization server (OAuth 2.1) for claimed names: what it is made of. */

import type { Identity } from "../core/caller.ts";
import type { GuardedFetch } from "../core/guarded_fetch.ts";
import type { OperationDeps } from "../core/commands.ts";
import type { Meter } from "../core/meter.ts";
import type { OpenCalls } from "../core/open_calls.ts";
import type { Tx } from "../core/storage.ts";
import { account_path } from "../api/account.ts";
import { readClientDocument } from "./client_document.ts";
import { createClients } from "./clients.ts";
import { createDocumentCache } from "./document_cache.ts";
import type { OAuthCommands } from "./feature.ts";
import { countClients } from "./store.ts";
import { createTokens } from "./tokens.ts";

export interface OAuthDeps extends OperationDeps<OAuthCommands> {
  open_calls: OpenCalls;
  meter: Meter;
  /** 32 bytes in hex, stored in the database and never returned. */
  server_secret: string;
  /** The name with this key. Throws `unknown_credential` or `name_suspended`. */
  identityWithKey(tx: Tx, canonical: string, key_sha256: string, now_ms: number): Promise<Identity>;
  /** The base URL of the service, without a slash at the end. */
  base(): string;
  guardedFetch: GuardedFetch;
}

export function createOAuth(deps: OAuthDeps) {
  const { clock, identityWithKey, base, guardedFetch } = deps;

  const fetchDocument = createDocumentCache({
    guardedFetch,
    clock,
    isUsable: (url, body) => !("fault" in readClientDocument(url, body)),
  });
  const clients = createClients({ ...deps, fetchDocument });
  const tokens = createTokens({
    ...deps,
    identify: (tx, canonical, key_sha256) => identityWithKey(tx, canonical, key_sha256, clock.now()),
    resource: () => `${base()}${account_path}`,
  });

  deps.meter.reading(
    { name: "wharf_oauth_clients", type: "gauge", help: "Programs that have registered or were added." },
    () => deps.storage.read(countClients),
  );
  return { clients, tokens };
}
