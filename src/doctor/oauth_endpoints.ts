/** Whether the endpoints of a sign-in answer. What is sent to them is invalid, so that nothing is stored. */

import { callOf, type Answer, type Sent } from "./oauth_calls.ts";
import { findingsOf, type Finding } from "./finding.ts";

const routed =
  "Have the proxy pass /oauth of the service on as it is: no redirect, no sign-in, no rule for POST.";

/** Whether the page of a sign-in is the service's. */
export async function checkAuthorize(url: string): Promise<Finding> {
  const { ok, failed } = findingsOf("oauth-authorize");
  const answer = await callOf(url, { headers: { accept: "text/html" } });
  if (answer.status === 400) return ok(`${url} answers, and refuses a request without a client.`);
  return failed(`${url} ${answer.what} to a request without a client, where 400 belongs.`, routed);
}

/** A request for a token with a code that nobody was given. */
export const invalid_token_request: Sent = {
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  body: new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "wharf-doctor",
    code: "wharf-doctor",
    redirect_uri: "http://127.0.0.1/callback",
    code_verifier: "wharf-doctor-wharf-doctor-wharf-doctor-wharf-doctor",
  }).toString(),
};

/** Whether the token endpoint answers with an error of RFC 6749, section 5.2. */
export async function checkToken(url: string): Promise<Finding> {
  const answer = await callOf(url, invalid_token_request);
  const expected = ["invalid_grant", "invalid_client", "invalid_request"];
  return refusalOf("oauth-token", "an invalid code", answer, expected);
}

/** Addresses to which clients have their answers sent: claude.ai, ChatGPT, VS Code, Cursor, and programs on the person's machine. */
const usual_redirects = [
  "https://claude.ai/api/mcp/auth_callback",
  "https://claude.com/api/mcp/auth_callback",
  "https://chatgpt.com/connector_platform_oauth_redirect",
  "https://vscode.dev/redirect",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "http://127.0.0.1:33418/",
  "http://localhost:49152/callback",
];
/** No redirect address may have a fragment (RFC 6749, section 3.1.2). */
const refused_redirect = "https://wharf-doctor.invalid/callback#refused";

/** Whether clients can register, and with the redirect addresses that they have. */
export async function checkRegister(url: string): Promise<Finding> {
  const { failed } = findingsOf("oauth-register");
  const answer = await callOf(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      client_name: "wharf-doctor",
      redirect_uris: [...usual_redirects, refused_redirect],
      token_endpoint_auth_method: "none",
    }),
  });
  // Each address that is refused is named, by its place or as it is.
  const description = String(answer.members?.error_description ?? "");
  const strict = usual_redirects.filter(
    (redirect, place) =>
      description.includes(redirect) || new RegExp(`redirect_uris/${place}\\b`).test(description),
  );
  if (strict.length > 0) {
    return failed(
      `${url} refuses redirect addresses that clients use: ${strict.join(", ")}.`,
      "Have the proxy change no registration; if it does not, update the service.",
    );
  }
  return refusalOf("oauth-register", "an invalid registration", answer, [
    "invalid_redirect_uri",
    "invalid_client_metadata",
  ]);
}

/** The finding of an endpoint that had to refuse what it was sent, with one of the codes `expected`. */
function refusalOf(
  check: string,
  sent: string,
  { url, status, members, what }: Answer,
  expected: string[],
): Finding {
  const { ok, warning, failed } = findingsOf(check);
  const code = members?.error;
  if ((status === 400 || status === 401) && typeof code === "string" && expected.includes(code))
    return ok(`${url} answers, and refuses ${sent} with ${code}.`);
  if (status === 429)
    return warning(`${url} answers 429: this machine has called too often.`, "Try again later.");
  const form = typeof code === "string" ? ` with the error ${code}` : "";
  return failed(`POST ${url} ${what}${form} to ${sent}, where a JSON error with 400 belongs.`, routed);
}
