/** Whether the metadata says what clients compare: addresses byte for byte, and what the service can do. */

import { callOf, faultOfDocument, type Answer, type OauthAddresses } from "./oauth_calls.ts";
import { findingsOf, type Finding } from "./finding.ts";

type Members = NonNullable<Answer["members"]>;

const base_url_remedy = "Start the service with --base-url and exactly the address that clients use.";
const metadata_remedy =
  "Have the proxy pass /.well-known/ to the service as it is: no redirect, no sign-in, no slash added. Below a path see docs/connect.md.";

/** Checks the metadata of the resource (RFC 9728). `named`: its address in the challenge; null if that has none. */
export async function checkResource(addresses: OauthAddresses, named: string | null): Promise<Finding> {
  const { ok, failed } = findingsOf("oauth-resource");
  const { account, issuer, resource_metadata } = addresses;
  // Some clients take the address in the challenge, others make it from that of the resource.
  for (const url of new Set([named ?? resource_metadata, resource_metadata])) {
    const answer = await callOf(url);
    const fault = faultOfDocument(answer);
    if (fault !== null) return failed(fault, metadata_remedy);
    const { resource, authorization_servers: servers } = answer.members!;
    if (resource !== account)
      return failed(`The resource at ${url} is ${shown(resource)}, and not ${account}.`, base_url_remedy);
    if (!Array.isArray(servers) || servers.length !== 1) {
      return failed(
        `${url} has the authorization servers ${shown(servers)}, where one belongs.`,
        "Have the proxy change no metadata.",
      );
    }
    if (servers[0] !== issuer)
      return failed(`${url} names the issuer ${shown(servers[0])}, and not ${issuer}.`, base_url_remedy);
  }
  return ok(`The resource is ${account}, byte for byte.`);
}

interface FoundIssuer {
  finding: Finding;
  /** The first of the documents that could be read; null if none could. */
  metadata: Members | null;
}

/** Checks the metadata of the issuer at each address where clients look for it. */
export async function checkIssuer({ issuer, issuer_metadata }: OauthAddresses): Promise<FoundIssuer> {
  const { ok, failed } = findingsOf("oauth-issuer");
  const answers: Answer[] = [];
  for (const url of issuer_metadata) answers.push(await callOf(url));
  const metadata = answers.find((answer) => faultOfDocument(answer) === null)?.members ?? null;
  const faults = answers.flatMap((answer) => faultOfDocument(answer) ?? []);
  if (faults.length > 0) return { finding: failed(faults.join(" "), metadata_remedy), metadata };
  const other = answers.find(({ members }) => members!.issuer !== issuer);
  if (other === undefined) return { finding: ok(`The issuer is ${issuer}, byte for byte.`), metadata };
  const is_slash = other.members!.issuer === `${issuer}/`;
  return {
    finding: failed(
      `The issuer at ${other.url} is ${shown(other.members!.issuer)}, and not ${issuer}${is_slash ? ": it ends with a slash" : ""}.`,
      base_url_remedy,
    ),
    metadata,
  };
}

/** Lists in the metadata, and what each has to have: the failures of clients without it. */
const wanted_lists: Record<string, string[]> = {
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
  scopes_supported: ["offline_access"],
};
const wanted_switches = [
  "client_id_metadata_document_supported",
  "authorization_response_iss_parameter_supported",
];
const endpoints = ["authorization_endpoint", "token_endpoint", "registration_endpoint"] as const;
export type Endpoint = (typeof endpoints)[number];

/** The address of an endpoint; null unless it is absolute and at the origin of the service, so that nothing is sent elsewhere. */
export function endpointOf(metadata: Members | null, name: Endpoint, origin: string): string | null {
  const url = metadata?.[name];
  return typeof url === "string" && URL.canParse(url) && new URL(url).origin === origin ? url : null;
}

/** Whether the service says that it can do what clients need. */
export function checkAbilities(metadata: Members, { issuer_origin: origin }: OauthAddresses): Finding {
  const { ok, failed } = findingsOf("oauth-abilities");
  const elsewhere = endpoints.filter((name) => endpointOf(metadata, name, origin) === null);
  if (elsewhere.length > 0) {
    const found = elsewhere.map((name) => `${name} is ${shown(metadata[name])}`).join(", ");
    return failed(
      `In the metadata ${found}: an absolute address at ${origin} belongs there.`,
      base_url_remedy,
    );
  }
  const listed = Object.entries(wanted_lists).flatMap(([name, values]) => {
    const list: unknown[] = Array.isArray(metadata[name]) ? metadata[name] : [];
    return values.filter((value) => !list.includes(value)).map((value) => `${value} in ${name}`);
  });
  const missing = [...listed, ...wanted_switches.filter((name) => metadata[name] !== true)];
  if (missing.length > 0) {
    return failed(
      `The metadata lacks ${missing.join(", ")}.`,
      "Have the proxy change no metadata; if it does not, update the service.",
    );
  }
  return ok(
    "The metadata has what clients need: PKCE, public clients, metadata documents, refresh tokens, iss.",
  );
}

const shown = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value));
