/** Whether the addresses of MCP answer as clients need it: with a sign-in at one, and without at the other. */

import { callOf, initialize, type Answer, type OauthAddresses, type Sent } from "./oauth_calls.ts";
import { findingsOf, type Finding } from "./finding.ts";

const pass_all =
  "Have the proxy pass all paths below the base URL to the service as they are, and exempt them from a sign-in of its own.";

/** Whether `/mcp` can be used without a sign-in. */
export async function checkMcp({ mcp }: OauthAddresses): Promise<Finding> {
  const { ok, warning, failed } = findingsOf("oauth-mcp");
  const answer = await callOf(mcp, initialize);
  if (answer.status === 401) {
    return failed(
      `${mcp} answers 401: a client without a name gets a sign-in there.`,
      "Start the service with --oauth, which opens initialize and the lists; look whether the proxy has a sign-in of its own.",
    );
  }
  if (answer.status !== 200) return failed(`${mcp} ${answer.what}.`, pass_all);
  const read = await callOf(mcp, { headers: { accept: "application/json" } });
  if (read.status === 200 && read.members !== null) {
    return warning(
      `GET ${mcp} answers 200 with a JSON object, which some clients take for metadata.`,
      "Have the proxy pass GET on to the service, which answers 405.",
    );
  }
  return ok(`${mcp} answers without a sign-in.`);
}

/** The address of the metadata in a challenge (RFC 9728, section 5.1); null if it has none. */
export const metadataOf = ({ headers }: Answer): string | null =>
  /\bresource_metadata="?([^",\s]+)"?/.exec(headers.get("www-authenticate") ?? "")?.[1] ?? null;

/** Whether `challenge`, the answer to a call of `account` without a token, starts a sign-in. */
export function checkChallenge(challenge: Answer, { account, origin }: OauthAddresses): Finding {
  const { ok, failed } = findingsOf("oauth-challenge");
  const { status, what } = challenge;
  if (status === 404) return failed(`${account} ${what}.`, `Start the service with --oauth. ${pass_all}`);
  if (status !== 401) return failed(`${account} ${what}, where 401 starts a sign-in.`, pass_all);
  const named = metadataOf(challenge);
  if (named === null) {
    return failed(
      `The 401 of ${account} names no resource_metadata.`,
      "Have the proxy pass WWW-Authenticate on, and answer no 401 itself.",
    );
  }
  if (!URL.canParse(named)) {
    return failed(
      `The 401 of ${account} names the metadata by ${named}, which is no absolute address.`,
      "Have the proxy pass WWW-Authenticate on as it is.",
    );
  }
  if (new URL(named).origin !== origin) {
    return failed(
      `The 401 of ${account} names metadata elsewhere: ${named}.`,
      "Start the service with --base-url and the address that clients use.",
    );
  }
  return ok(`${account} answers 401, and names ${named}.`);
}

/** Parts of the User-Agent of clients that vendors host. */
const vendors = ["Claude-User", "ChatGPT-User", "openai-mcp"];

/** Whether the clients of vendors get the answers that others get. `checked`: an address, and how to call it. */
export async function checkBots(checked: [url: string, sent: Sent][]): Promise<Finding> {
  const { ok, failed } = findingsOf("oauth-bots");
  const differing: string[] = [];
  for (const [url, sent] of checked) {
    const { status: usual } = await callOf(url, sent);
    for (const vendor of vendors) {
      const headers = { ...sent.headers, "user-agent": `${vendor}/1.0` };
      const { status, what } = await callOf(url, { ...sent, headers });
      if (status !== usual) differing.push(`${url} ${what} to ${vendor}, and ${usual} to others`);
    }
  }
  if (differing.length === 0) return ok(`${vendors.join(", ")} get the answers that others get.`);
  return failed(
    `${differing.join("; ")}.`,
    "Exempt /mcp, /oauth and /.well-known/ of the service from the rules against bots of the CDN or the proxy.",
  );
}

const root_documents = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"];

/** Whether there is metadata at the root of the host, which clients of any address there take for theirs. */
export async function checkRoot({ base, origin }: OauthAddresses): Promise<Finding> {
  const { ok, warning, failed } = findingsOf("oauth-root");
  for (const name of root_documents) {
    const url = `${origin}/.well-known/${name}`;
    const { status, members } = await callOf(url);
    if (status !== 200 || members === null) continue;
    const found = `There is metadata at ${url}: clients of ${base}/mcp start a sign-in by it.`;
    const names = JSON.stringify(members);
    return base === origin || names.includes(`${base}/`)
      ? failed(found, "Have the proxy answer 404 there, as the service does.")
      : warning(found, "It is of another service at this host. Give Wharf a host of its own.");
  }
  return ok("There is no metadata at the root of the host.");
}

const foreign_origin = "https://wharf-doctor.invalid";

/** Whether web pages can read the answers that lead to a sign-in. `token`: the token endpoint; null if it is not known. */
export async function checkCors(
  { account, resource_metadata }: OauthAddresses,
  token: string | null,
): Promise<Finding> {
  const { ok, warning } = findingsOf("oauth-cors");
  const origin = { origin: foreign_origin };
  const challenge = await callOf(account, { ...initialize, headers: { ...initialize.headers, ...origin } });
  const preflight = { ...origin, "access-control-request-method": "POST" };
  const answers = [
    challenge,
    await callOf(resource_metadata, { headers: origin }),
    ...(token === null ? [] : [await callOf(token, { method: "OPTIONS", headers: preflight })]),
  ];
  const closed = answers.filter(
    ({ headers }) => !["*", foreign_origin].includes(headers.get("access-control-allow-origin") ?? ""),
  );
  const remedy =
    "Have the proxy pass the Access-Control headers on. Clients that run in a browser need them.";
  if (closed.length > 0)
    return warning(`Web pages cannot read ${closed.map(({ url }) => url).join(", ")}.`, remedy);
  if (!/www-authenticate|\*/i.test(challenge.headers.get("access-control-expose-headers") ?? ""))
    return warning(`Web pages cannot read WWW-Authenticate of ${account}.`, remedy);
  return ok("Web pages can read what leads to a sign-in.");
}
