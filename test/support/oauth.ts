/** A program that signs in by OAuth, as the service sees it, and the browser that lets it in. */

import { call, post, send, type Answer } from "./http.ts";
import type { Browser } from "./sign_in.ts";

const form_type = { "content-type": "application/x-www-form-urlencoded" };

export interface Issued {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export interface Refused {
  error: string;
  error_description: string;
}

/** The verifier of PKCE and its challenge by S256. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = crypto
    .getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  return { verifier, challenge: new Bun.CryptoHasher("sha256").update(verifier).digest("base64url") };
}

/** Registers a program; returns its client_id. */
export async function registered(url: string, metadata: object): Promise<string> {
  const answer = await post<{ client_id: string }>(`${url}/oauth/register`, metadata);
  if (answer.status !== 201)
    throw new Error(`Not registered: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.client_id;
}

/** The query of a request to be let in. */
export const requestQuery = (params: Record<string, string>): string =>
  new URLSearchParams({
    response_type: "code",
    code_challenge_method: "S256",
    state: "s1",
    ...params,
  }).toString();

/** The hidden fields of the form on a page. */
export const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll("&amp;", "&").replaceAll("&#34;", '"').replaceAll("&#39;", "'"),
    ]),
  );

/** Opens the page of a request and answers its form. Returns where the browser is led. */
export async function decided(browser: Browser, query: string, answer = "allow"): Promise<URL> {
  const page = await browser.get(`/oauth/authorize?${query}`);
  if (page.status !== 200) throw new Error(`No page: ${page.status} ${page.body}`);
  const sent = await browser.post("/oauth/authorize", { ...hiddenFields(page.body), answer });
  if (sent.status !== 303) throw new Error(`Not led anywhere: ${sent.status} ${sent.body}`);
  return new URL(sent.headers.get("location")!);
}

/** Calls the token endpoint. */
export async function token<Body = Issued>(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const sent = new URLSearchParams(form).toString();
  const {
    status,
    headers: got,
    body,
  } = await send("POST", `${url}/oauth/token`, { ...form_type, ...headers }, sent);
  return { status, headers: got, body: JSON.parse(body) as Body };
}

export const refreshed = <Body = Issued>(url: string, client_id: string, refresh_token: string) =>
  token<Body>(url, { grant_type: "refresh_token", client_id, refresh_token });

/** Ends the grant of a token (RFC 7009). */
export const revoked = (url: string, client_id: string, one: string) =>
  send("POST", `${url}/oauth/revoke`, form_type, new URLSearchParams({ client_id, token: one }).toString());

const redirect_uri = "http://127.0.0.1:33418/callback";

/** A program that has registered and was let in by the browser's name: its client_id and its tokens. */
export async function letIn(
  url: string,
  browser: Browser,
  metadata: object = { client_name: "A program", redirect_uris: [redirect_uri] },
): Promise<Issued & { client_id: string }> {
  const client_id = await registered(url, metadata);
  const { verifier, challenge } = newPkce();
  const led = await decided(browser, requestQuery({ client_id, redirect_uri, code_challenge: challenge }));
  const code = led.searchParams.get("code")!;
  const issued = await token(url, {
    ...{ grant_type: "authorization_code", client_id, code, code_verifier: verifier, redirect_uri },
  });
  if (issued.status !== 200) throw new Error(`No tokens: ${issued.status} ${JSON.stringify(issued.body)}`);
  return { ...issued.body, client_id };
}

/** The status of a call of a tool of the whole service with this token, and its name. */
export async function whoamiWith(url: string, access_token: string): Promise<[number, unknown]> {
  const answer = await call<{ name?: string; code?: string }>("POST", `${url}/api/name/whoami`, undefined, {
    authorization: `Bearer ${access_token}`,
  });
  return [answer.status, answer.body.name ?? answer.body.code];
}
