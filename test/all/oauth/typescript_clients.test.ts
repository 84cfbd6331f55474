/** The official TypeScript clients, 1.x and 2.x, sign in at /mcp/account with a browser. */

import {
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe } from "bun:test";
import { modernClientOver, oldClientOver, type McpClient } from "../../support/mcp_clients.ts";
import { useSigningIn, type Given, type StartClient } from "./support/scenario.ts";

const { signsIn, registersAgain } = useSigningIn();

/** What a program stores of a sign-in, as the interfaces of both clients ask for it. */
function newProvider({ url, redirect_uri, document_url, client_id, client_secret }: Given) {
  const issuer = new URL("/oauth", url).href;
  let information: object | undefined =
    client_id === undefined ? undefined : { client_id, client_secret, issuer };
  let discovered: object | undefined;
  let tokens: object | undefined;
  let verifier = "";
  const provider = {
    redirectUrl: redirect_uri,
    ...(document_url && { clientMetadataUrl: document_url }),
    clientMetadata: {
      client_name: "A program that registers itself",
      redirect_uris: [redirect_uri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    /** The page that it opens. */
    authorize: null as URL | null,
    state: () => "of this program",
    clientInformation: () => information as never,
    saveClientInformation: (value: object) => void (information = value),
    tokens: () => tokens as never,
    saveTokens: (value: object) => void (tokens = value),
    codeVerifier: () => verifier,
    saveCodeVerifier: (value: string) => void (verifier = value),
    discoveryState: () => discovered as never,
    saveDiscoveryState: (value: object) => void (discovered = value),
    redirectToAuthorization: (url: URL) => void (provider.authorize = url),
    invalidateCredentials(scope: string) {
      if (scope === "all" || scope === "client") information = undefined;
      if (scope === "all" || scope === "tokens") tokens = undefined;
      if (scope === "all" || scope === "discovery") discovered = undefined;
    },
  };
  return provider;
}

/** A stream that ends with its grant is not opened again: that would begin a second sign-in beside the first one. */
const reconnectionOptions = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};

interface Kind {
  transport(
    url: URL,
    provider: ReturnType<typeof newProvider>,
  ): { finish(led: URL): Promise<void>; connect(): Promise<McpClient> };
  unauthorized: new (...args: never[]) => Error;
}

const kinds: Record<string, Kind> = {
  "SDK 1.x": {
    transport(url, authProvider) {
      const transport = new OldTransport(url, { authProvider, reconnectionOptions });
      return {
        finish: (led) => transport.finishAuth(led.searchParams.get("code")!),
        connect: () => oldClientOver(transport),
      };
    },
    unauthorized: OldUnauthorized,
  },
  "SDK 2.x": {
    transport(url, authProvider) {
      const transport = new ModernTransport(url, { authProvider, reconnectionOptions });
      return {
        finish: (led) => transport.finishAuth(led.searchParams),
        connect: () => modernClientOver(transport),
      };
    },
    unauthorized: ModernUnauthorized,
  },
};

const startOf =
  ({ transport: newTransport, unauthorized }: Kind): StartClient =>
  async (given) => {
    const provider = newProvider(given);
    let transport = newTransport(new URL(given.url), provider);
    let client: McpClient | null = null;
    async function called(): Promise<string> {
      client ??= await transport.connect();
      const { structuredContent } = await client.call("locker_list", {});
      return structuredContent!.name as string;
    }
    return {
      async nameOfLocker() {
        try {
          return await called();
        } catch (error) {
          if (!(error instanceof unauthorized)) throw error;
          const led = await given.open(provider.authorize!.href);
          if (led.searchParams.get("state") !== provider.state())
            throw new Error("Another state came back.", { cause: error });
          await transport.finish(led);
          // As their documentation says: the connection is made anew.
          await client?.close();
          client = null;
          transport = newTransport(new URL(given.url), provider);
          return called();
        }
      },
      close: async () => client?.close(),
    };
  };

describe.each(Object.entries(kinds))("a program with %s", (_title, kind) => {
  signsIn(startOf(kind));
  registersAgain(startOf(kind));
});
