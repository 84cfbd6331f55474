/** Programs: those that have registered or were added are stored, others have a document at the address that is their client_id. */

import type { Caller } from "../core/caller.ts";
import type { OperationDeps } from "../core/commands.ts";
import { randomSlug } from "../core/random.ts";
import { newSecret, sameDigest, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import { isDocumentAddress, readClientDocument } from "./client_document.ts";
import type { OAuthCommands } from "./feature.ts";
import { auth_methods, grant_types, response_types } from "./metadata.ts";
import { programName } from "./program_name.ts";
import { invalidClient, ProtocolError } from "./protocol_error.ts";
import { checkRedirectUris, faultsText, receiverOf } from "./redirects.ts";
import { whole_scope } from "./scope.ts";
import { findClient } from "./store.ts";

/** A program that may ask to be let in. */
export interface Client {
  id: string;
  /** What it calls itself; may be empty. */
  name: string;
  redirect_uris: string[];
  /** The host of its document; null if it has none. */
  host: string | null;
}

/** What a program sends to show that it is the one with its client_id. */
export interface ClientCredential {
  client_id: string;
  secret: string | null;
  /** Whether they came as HTTP Basic. */
  is_basic: boolean;
}

interface ClientsDeps extends OperationDeps<OAuthCommands> {
  /** Fetches the document at an address for a caller. Rejects with a clause that says why it cannot be read. */
  fetchDocument(url: string, caller_address: string): Promise<Uint8Array>;
}

/** A program cannot be let in: its page says why. */
export class UnusableClient extends Error {
  override name = "UnusableClient";
}

export type Clients = ReturnType<typeof createClients>;

export function createClients({ storage, commands, clock, random, fetchDocument }: ClientsDeps) {
  async function fromDocument(client_id: string, { address }: Caller): Promise<Client> {
    let body: Uint8Array;
    try {
      body = await fetchDocument(client_id, address);
    } catch (error) {
      throw new UnusableClient(`Its document cannot be read: ${(error as Error).message}`);
    }
    const document = readClientDocument(client_id, body);
    if ("fault" in document) throw new UnusableClient(`Its document cannot be used. ${document.fault}`);
    return { id: client_id, ...document, host: new URL(client_id).host };
  }

  return {
    /** The program with this client_id, for a caller who wants to let it in. Throws UnusableClient. */
    async find(client_id: string, caller: Caller): Promise<Client> {
      if (isDocumentAddress(client_id)) return fromDocument(client_id, caller);
      const row = await storage.read((tx) => findClient(tx, client_id));
      if (!row) throw new UnusableClient("No program here has its client_id: it has to register again.");
      return {
        id: row.id,
        name: row.name,
        redirect_uris: JSON.parse(row.redirect_uris) as string[],
        host: null,
      };
    },

    /** The client_id of the program that calls, once it has shown its secret if it has one (RFC 6749, section 2.3). Throws `invalid_client`. */
    async authenticate({ client_id, secret, is_basic }: ClientCredential): Promise<string> {
      // It is public: what it holds is the code or the refresh token, and the verifier of PKCE.
      if (isDocumentAddress(client_id)) return client_id;
      const row = await storage.read((tx) => findClient(tx, client_id));
      if (!row) throw invalidClient("No program here has this client_id: register again.", is_basic);
      const is_right = row.secret_sha256 === null || sameDigest(row.secret_sha256, sha256Hex(secret ?? ""));
      if (!is_right) throw invalidClient("The client_secret is missing or wrong.", is_basic);
      return client_id;
    },

    /** Registers a program (RFC 7591, sections 2 and 3). Throws ProtocolError, and `rate_limited`. */
    async register(caller: Caller, metadata: Record<string, unknown>): Promise<object> {
      const checked = checkRedirectUris(metadata.redirect_uris);
      if ("faults" in checked) throw new ProtocolError("invalid_redirect_uri", faultsText(checked.faults));
      const name = programName(metadata.client_name);
      if (name === null)
        throw new ProtocolError(
          "invalid_client_metadata",
          "client_name has characters that no name may have",
        );
      const wanted = metadata.token_endpoint_auth_method;
      const method = auth_methods.find((one) => one === wanted) ?? "none";
      const secret = method === "none" ? null : newSecret(secret_prefixes.client_secret, random);
      const id = randomSlug(random, 130);
      const at = clock.moment();
      await commands.run(caller, "oauth.register", null, {
        id,
        name,
        redirect_uris: checked.uris,
        secret_sha256: secret === null ? null : sha256Hex(secret),
        ...at,
      });
      // Without null: a client may take it for a value of another type.
      return {
        client_id: id,
        client_id_issued_at: Math.floor(at.now_ms / 1000),
        ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
        ...(name !== "" && { client_name: name }),
        redirect_uris: checked.uris,
        grant_types,
        response_types,
        token_endpoint_auth_method: method,
        scope: whole_scope,
      };
    },
  };
}

/** Who gets the answers of a program: the host of its document, or of the address of its answers. */
export const hostOf = ({ host }: Client, redirect_uri: string): string => host ?? receiverOf(redirect_uri);
