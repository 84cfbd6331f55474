/** Clients of MCP as vendors have documented them, from the 401 to the tokens, and the https server with their documents. */

import { join } from "node:path";
import { wharf_command } from "./binary.ts";
import { makeCertificate } from "./certificates.ts";
import { call, get, post, send } from "./http.ts";
import { ask, handshake, message, type Rpc } from "./mcp_messages.ts";
import { claim, type Holder } from "./names.ts";
import { lacks } from "./programs.ts";
import { decided, newPkce, requestQuery, token, whoamiWith, type Issued } from "./oauth.ts";
import { newDirectory, removeDirectory, startProgram, type TestService } from "./service.ts";
import { signedIn, type Browser } from "./sign_in.ts";

/** Whether there can be no documents here. */
export const without_documents = lacks("clients with documents", "openssl");

/** What a client knows of a service before it registers. */
export interface Discovered {
  /** The address of MCP. */
  account: string;
  resource: string;
  issuer: string;
  server: ServerMetadata;
}

interface ServerMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  scopes_supported: string[];
  code_challenge_methods_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  grant_types_supported: string[];
  response_types_supported: string[];
  client_id_metadata_document_supported: boolean;
  authorization_response_iss_parameter_supported: boolean;
}

const text_headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** The address that a challenge names (RFC 9728, section 5.1). */
export const metadataIn = (challenge: string | null): string =>
  /resource_metadata="([^"]+)"/.exec(challenge ?? "")![1]!;

/** Calls `initialize` without a token and follows the 401. Throws if a document is not where it has to be. */
export async function discovered(account: string): Promise<Discovered> {
  const probe = await send("POST", account, text_headers, JSON.stringify(message("initialize", handshake)));
  if (probe.status !== 401) throw new Error(`initialize: ${probe.status}`);
  const of_resource = await get<{ resource: string; authorization_servers: string[] }>(
    metadataIn(probe.headers.get("www-authenticate")),
  );
  const { resource, authorization_servers } = of_resource.body;
  const issuer = authorization_servers[0]!;
  const { origin, pathname } = new URL(issuer);
  const of_server = await get<ServerMetadata>(`${origin}/.well-known/oauth-authorization-server${pathname}`);
  if (of_server.body.issuer !== issuer) throw new Error(`Another issuer: ${of_server.body.issuer}`);
  return { account, resource, issuer, server: of_server.body };
}

/** Registers a client. Returns the answer. */
export const registeredAt = ({ server }: Discovered, metadata: object) =>
  post<{ client_id: string; client_secret?: string; redirect_uris: string[]; error_description?: string }>(
    server.registration_endpoint,
    metadata,
  );

interface AccessRequest {
  client_id: string;
  redirect_uri: string;
  /** Further parameters of the request. */
  params?: Record<string, string>;
  /** Named so often. */
  resources?: string[];
}

/** A code that a client got, and what it needs for it. */
export interface Coded {
  code: string;
  verifier: string;
  /** Where the browser was led. */
  led: URL;
}

/** A person lets the client in. Expects the answer to be at its address, with its state and the issuer that it has discovered. */
export async function letInBy(
  browser: Browser,
  { issuer, resource }: Discovered,
  { client_id, redirect_uri, params = {}, resources = [resource] }: AccessRequest,
): Promise<Coded> {
  const { verifier, challenge } = newPkce();
  const state = crypto.randomUUID();
  const query = new URLSearchParams(
    requestQuery({ client_id, redirect_uri, code_challenge: challenge, ...params, state }),
  );
  for (const one of resources) query.append("resource", one);
  const led = await decided(browser, query.toString());
  const [address] = led.href.split("?");
  if (address !== new URL(redirect_uri).href) throw new Error(`Led to ${address}`);
  if (led.searchParams.get("state") !== state) throw new Error("Another state");
  if (led.searchParams.get("iss") !== issuer) throw new Error("Another issuer");
  return { code: led.searchParams.get("code")!, verifier, led };
}

/** The form in which a client exchanges its code. */
export const codeForm = (
  { code, verifier }: Coded,
  { client_id, redirect_uri }: AccessRequest,
): Record<string, string> => ({
  grant_type: "authorization_code",
  ...{ client_id, redirect_uri, code, code_verifier: verifier },
});

/** Lets a client in and gets its tokens, as a public client. Throws unless it gets them. */
export async function signedInAs(
  browser: Browser,
  found: Discovered,
  access: AccessRequest,
): Promise<Issued> {
  const coded = await letInBy(browser, found, access);
  const resource = access.resources?.[0] ?? found.resource;
  const issued = await token(serviceOf(found), { ...codeForm(coded, access), resource });
  if (issued.status !== 200) throw new Error(`No tokens: ${JSON.stringify(issued.body)}`);
  return issued.body;
}

/** The base URL of the service. */
export const serviceOf = ({ issuer }: Discovered): string => issuer.replace(/\/oauth$/, "");

/** Begins a session with a token and calls a tool that only names can use. Returns the name; the status of a refusal. */
export async function nameAt(account: string, { access_token }: Pick<Issued, "access_token">) {
  const bearer = { authorization: `Bearer ${access_token}` };
  const begun = await ask(account, "initialize", handshake, bearer);
  if (begun.status !== 200) return begun.status;
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
  const sent = message("tools/call", { name: "mailbox_read", arguments: {} });
  const { body } = await post<Rpc<{ isError?: true }>>(account, sent, {
    ...text_headers,
    ...bearer,
    ...session,
  });
  if (!body.result || body.result.isError) throw new Error(JSON.stringify(body));
  const [, name] = await whoamiWith(new URL(account).origin, access_token);
  return name;
}

/** A service that fetches documents from a server on this machine. */
export interface DocumentedService {
  url: string;
  account: string;
  ada: Holder;
  /** Signed in as Ada. */
  browser: Browser;
  /** Publishes a document below `path`. Returns its address, which is its `client_id`. */
  publish(path: string, document: object): string;
  stop(): Promise<void>;
}

/** Starts both. The service is a process of its own, because only a new one trusts another authority. */
export async function startWithDocuments(): Promise<DocumentedService> {
  const directory = newDirectory();
  const authority = makeCertificate(directory, "authority");
  const { settings: tls } = makeCertificate(directory, "documents", 90, "DNS:localhost", authority);
  const documents = new Map<string, object>();
  const server = Bun.serve({
    hostname: "localhost",
    port: 0,
    tls: { cert: Bun.file(tls.tls_cert), key: Bun.file(tls.tls_key) },
    fetch(request) {
      const document = documents.get(new URL(request.url).pathname);
      return document ? Response.json(document) : new Response(null, { status: 404 });
    },
  });
  const root = join(import.meta.dir, "../..");
  const service: TestService = await startProgram(
    wharf_command,
    { data_dir: join(directory, "data"), oauth: true, fetch_allow: ["127.0.0.0/8", "::1/128"] },
    { NODE_EXTRA_CA_CERTS: authority.cert },
    root,
  );
  const ada = await claim(service.url, "Ada");
  return {
    url: service.url,
    account: `${service.url}/mcp/account`,
    ada,
    browser: await signedIn(service.url, ada),
    publish(path, document) {
      const client_id = `https://localhost:${server.port}${path}`;
      documents.set(path, { client_id, ...document });
      return client_id;
    },
    async stop() {
      await service.stop();
      await server.stop(true);
      removeDirectory(directory);
    },
  };
}

/** Whether a service answers a GET at an address as if nothing were there. */
export const isAbsent = async (url: string): Promise<boolean> => (await call("GET", url)).status === 404;
