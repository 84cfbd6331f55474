/**
 * Finds what no answer and no log may contain: secrets outside of the answers that issue them, hashes of secrets, and
 * private values. Loaded before all tests (bunfig.toml). It scans every answer that `http.ts` reads and every service's
 * output; a file fails after its last test if something was found.
 */

import { afterAll, expect } from "bun:test";
import { isSecret, sha256Hex } from "../../src/core/secrets.ts";
import { base_path } from "./base_path_proxy.ts";

/** Put into values that only their owner may read. */
export const privateValue = (): string => `private-canary-${crypto.randomUUID()}`;

const secret_form = /wf[krhstocx]_[0-9A-Za-z]{49}/g;
/** Secrets of webhooks. */
const webhook_secret_form = /whsec_[0-9A-Za-z+/]{43}=/g;
/** Secrets of every kind: a log has no use for any. */
const any_secret_form = /wf[a-z]_[0-9A-Za-z]{49}/g;
const canary_form = /private-canary-[0-9a-f-]{36}/g;
const digest_form = /\b[0-9a-f]{64}\b/g;

/** SHA-256 of every secret that was given in an answer. */
const digests = new Set<string>();
const leaks: string[] = [];
/** Outputs of services that have not been stopped. */
const outputs = new Map<string, () => string>();

interface Body {
  key?: string;
  recovery_code?: string;
  host_key?: string;
  access_token?: string;
  refresh_token?: string;
  client_secret?: string;
  secret?: string;
  value?: string;
  /** Of a slot: returned to its owner only. */
  version?: number;
  result?: { structuredContent?: Body };
}

/** The secrets that the answer to `call` (such as `POST /api/name`) is allowed to contain. */
function givenIn(call: string, text: string, body: Body | null): string[] {
  const result = body?.result?.structuredContent;
  const places: [RegExp, (string | undefined)[]][] = [
    [/^POST \/api\/name(?:\/rotate|\/recover)?$/, [body?.key, body?.recovery_code]],
    [/^POST \/api\/meet\/rooms$/, [body?.host_key]],
    [
      /^GET \/claim\/key$/,
      Array.from(text.matchAll(/<code[^>]*>(wf[kr]_\w+)<\/code>/g), ([, secret]) => secret),
    ],
    [/^GET \/meet\/r\/[^/]+\/key$/, [/<code[^>]*>(wfh_\w+)<\/code>/.exec(text)?.[1]]],
    [/^POST \/oauth\/token$/, [body?.access_token, body?.refresh_token]],
    [/^POST \/(?:oauth\/register|api\/admin\/clients)$/, [body?.client_secret]],
    [/^PUT \/api\/mailbox\/webhook$/, [body?.secret]],
    [/^(?:GET|POST) \/me\/webhook$/, matches(text, webhook_secret_form)],
    [/^POST \/mcp/, [result?.host_key]],
    [/^POST \/mcp$/, [result?.key, result?.recovery_code, result?.version ? result.value : undefined]],
    [/^GET \/api\/locker\/(?!index$)/, [body ? body.value : text]],
    [/^GET \/me\/locker\/./, [/<textarea[^>]*>\n?([^<]*)/.exec(text)?.[1]]],
  ];
  return places
    .filter(([place]) => place.test(call))
    .flatMap(([, given]) => given.filter((text) => text !== undefined && text !== null));
}

const matches = (text: string, form: RegExp): string[] => text.match(form) ?? [];
const secretsIn = (text: string, form = secret_form): string[] =>
  matches(text, form).filter((found) => isSecret(found.slice(0, 4), found));

/** The leaks in an answer. `body` is its JSON, or null if it is no JSON. */
export function leaksIn(call: string, text: string, body: unknown): string[] {
  const given = givenIn(call, text, body as Body | null);
  for (const secret of given) digests.add(sha256Hex(secret));
  const rest = given
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((left, secret) => left.replaceAll(secret, ""), text);
  return [
    ...secretsIn(rest),
    ...matches(rest, webhook_secret_form),
    ...matches(rest, canary_form),
    ...matches(rest, digest_form).filter((digest) => digests.has(digest)),
  ];
}

/** The forms whose answers set a cookie: that of a session, or one with what a page shows once. */
const givesCookie = /^POST \/(?:signin|signout|claim|claim\/key|me\/webhook|meet|meet\/r\/[^/]+\/host)$/;

/** Scans an answer. */
export function watchAnswer(
  method: string,
  url: string,
  headers: Headers,
  text: string,
  body: unknown,
): void {
  const { pathname } = new URL(url);
  const call = `${method} ${pathname.startsWith(`${base_path}/`) ? pathname.slice(base_path.length) : pathname}`;
  const { "set-cookie": cookie, ...others } = Object.fromEntries(headers);
  // The one redirect that takes a code to its program.
  if (call === "POST /oauth/authorize") others["location"] = withoutCode(others["location"] ?? "");
  if (cookie && !givesCookie.test(call)) leaks.push(`a cookie in the answer to ${call}`);
  for (const [session] of (cookie ?? "").matchAll(secret_form)) digests.add(sha256Hex(session));
  for (const leak of leaksIn(call, text, body).concat(leaksIn("", JSON.stringify(others), null))) {
    leaks.push(`${leak} in the answer to ${call}`);
  }
}

/** The address without its code, which must appear nowhere else. */
function withoutCode(location: string): string {
  const code = URL.parse(location)?.searchParams.get("code");
  if (!code) return location;
  digests.add(sha256Hex(code));
  return location.replace(code, "");
}

/** The leaks in a log or a banner. A log has no use for any digest at all. */
export const leaksInOutput = (output: string): string[] => [
  ...secretsIn(output, any_secret_form),
  ...matches(output, webhook_secret_form),
  ...matches(output, canary_form),
  ...matches(output, digest_form),
];

/** Scans a service's output when the returned function is called, or after the last test. */
export function watchOutput(url: string, output: () => string): () => void {
  const look = () => {
    outputs.delete(url);
    for (const leak of leaksInOutput(output())) leaks.push(`${leak} in the output of a service`);
  };
  outputs.set(url, output);
  return look;
}

afterAll(() => {
  for (const output of outputs.values()) {
    for (const leak of leaksInOutput(output())) leaks.push(`${leak} in the output of a service`);
  }
  outputs.clear();
  expect(leaks.splice(0)).toEqual([]);
});
