/**
 * What no answer and no log may hold: secrets where they are not given, the hashes of secrets, private values. Loaded
 * before all tests (bunfig.toml); every answer that `http.ts` reads and every service's output is looked through, and
 * the run fails after its last test when something was found.
 */

import { afterAll, expect } from "bun:test";
import { isSecret, sha256Hex } from "../../src/core/secrets.ts";

/** Put into values that only their owner may read. */
export const privateValue = (): string => `private-canary-${crypto.randomUUID()}`;

const secret_form = /wf[krh]_[0-9A-Za-z]{49}/g;
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
  value?: string;
  /** Of a slot: told to its owner only. */
  version?: number;
  result?: { structuredContent?: Body };
}

/** What the answer to `call` (such as `POST /api/name`) gives rightly. */
function givenIn(call: string, text: string, body: Body | null): string[] {
  const told = body?.result?.structuredContent;
  const places: [RegExp, (string | undefined)[]][] = [
    [/^POST \/api\/name(?:\/rotate|\/recover)?$/, [body?.key, body?.recovery_code]],
    [/^POST \/api\/meet\/rooms$/, [body?.host_key]],
    [/^POST \/meet$/, [/<code[^>]*>(wfh_\w+)<\/code>/.exec(text)?.[1]]],
    [/^POST \/mcp/, [told?.host_key]],
    [/^POST \/mcp$/, [told?.key, told?.recovery_code, told?.version ? told.value : undefined]],
    [/^GET \/api\/locker\/(?!index$)/, [body ? body.value : text]],
  ];
  return places
    .filter(([place]) => place.test(call))
    .flatMap(([, given]) => given.filter((text) => text !== undefined && text !== null));
}

const matches = (text: string, form: RegExp): string[] => text.match(form) ?? [];
const secretsIn = (text: string): string[] =>
  matches(text, secret_form).filter((found) => isSecret(found.slice(0, 4), found));

/** What an answer holds that it must not: `body` is its JSON, or null where it is no JSON. */
export function leaksIn(call: string, text: string, body: unknown): string[] {
  const given = givenIn(call, text, body as Body | null);
  for (const secret of given) digests.add(sha256Hex(secret));
  const rest = given
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((left, secret) => left.replaceAll(secret, ""), text);
  return [
    ...secretsIn(rest),
    ...matches(rest, canary_form),
    ...matches(rest, digest_form).filter((digest) => digests.has(digest)),
  ];
}

/** Looks through an answer. */
export function watchAnswer(
  method: string,
  url: string,
  headers: Headers,
  text: string,
  body: unknown,
): void {
  const call = `${method} ${new URL(url).pathname}`;
  for (const leak of leaksIn(call, text, body).concat(leaksIn("", [...headers].join("\n"), null))) {
    leaks.push(`${leak} in the answer to ${call}`);
  }
}

/** What a log or a banner holds that it must not. A log has no use for any digest at all. */
export const leaksInOutput = (output: string): string[] => [
  ...secretsIn(output),
  ...matches(output, canary_form),
  ...matches(output, digest_form),
];

/** Has a service's output looked through when the answer is called, or after the last test. */
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
  expect(leaks).toEqual([]);
});
