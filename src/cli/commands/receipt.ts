/** `wharf receipt verify`: checks a receipt with public keys. Calls no address that the caller has not named. */

import { Command } from "commander";
import { UsageError } from "../../core/settings.ts";
import { quotedJson } from "../../core/text_form.ts";
import { verdictOf } from "../../api/receipts/attestations.ts";
import type { Check } from "../../verifier/checks.ts";
import { sha256, toHex, type Bytes } from "../../verifier/hashes.ts";
import { unverified, type Keys } from "../../verifier/jws.ts";
import { verifyReceipt, type ReceiptClaims } from "../../verifier/receipt.ts";
import { sentenceOf } from "../../../views/receipt_text.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { checkLines, exit_codes, fetch_ms, keysIn, statusOf, textAt } from "../verification.ts";
import { receiptKeysCommand } from "./receipt_keys.ts";

interface VerifyOptions {
  keys?: string;
  url?: string;
  fetchKeys?: true;
  text?: string;
  sha256?: string;
  json?: true;
}

export interface ReceiptReport {
  /** Whether every check passed. */
  holds: boolean;
  /** The file or the address of the keys. */
  keys: string;
  checks: Check[];
  payload: ReceiptClaims | null;
  /** What a valid receipt proves, the text that its sha256 covers, and what it does not prove. */
  attests?: string;
  sha256_of?: string;
  warning?: string;
  does_not_attest?: string;
}

/** The file name that means standard input. */
const standard = "-";

export function receiptCommand(terminal: Terminal): Command {
  const { print, setStatus } = terminal;
  const verifying = new Command("verify")
    .description("check a receipt with the public keys of its service, and say what it attests")
    .argument(
      "[file]",
      "the receipt, or a text or an answer of the service with it, as JSON; - is standard input",
      standard,
    )
    .option("--keys <file>", "the keys as a JWK set or PEM: a file, or an http or https address")
    .option("--url <url>", "the service that you expect: its keys are read from its /.well-known/jwks.json")
    .option("--fetch-keys", "read the keys from the address in the receipt (iss), which its author chose")
    .option("--text <file>", "the text that the receipt must be about")
    .option("--sha256 <hex>", "the SHA-256 of that text")
    .option("--json", "the report as JSON")
    .addHelpText(
      "after",
      `\nWithout --url and --fetch-keys, and with a file of keys, nothing is sent over the network.${exit_codes}`,
    )
    .action(async (file: string, options: VerifyOptions) => {
      const report = await verify(file, options);
      if (options.json) print(quotedJson(report));
      else for (const line of linesOf(report)) print(line);
      setStatus(statusOf(report));
    });
  withExamples(
    verifying,
    "wharf receipt verify receipt.txt --keys jwks.json",
    "wharf receipt verify answer.json --url http://127.0.0.1:4273 --text post.txt",
    "wharf receipt verify - --fetch-keys --json",
  );
  return withExamples(
    new Command("receipt")
      .description("check a receipt from outside, and save the keys for that")
      .addCommand(verifying)
      .addCommand(receiptKeysCommand(terminal)),
    "wharf receipt verify receipt.txt --keys jwks.json",
  );
}

async function verify(file: string, options: VerifyOptions): Promise<ReceiptReport> {
  const places = [options.keys, options.url, options.fetchKeys].filter((option) => option !== undefined);
  if (places.length > 1) throw new UsageError("give one of --keys, --url and --fetch-keys.");
  if (options.text !== undefined && options.sha256 !== undefined) {
    throw new UsageError("give one of --text and --sha256.");
  }
  if (options.sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(options.sha256)) {
    throw new UsageError("--sha256 must be 64 hex characters.");
  }
  const receipt = receiptIn(await (file === standard ? Bun.stdin.text() : Bun.file(file).text()));
  const place = keysPlace(receipt, options);
  const keys = await keysAt(place);
  const text_hashes = [
    ...(options.sha256 === undefined ? [] : [options.sha256.toLowerCase()]),
    ...(options.text === undefined ? [] : await hashesOf(await Bun.file(options.text).bytes())),
  ];
  const { checks, claims } = await verifyReceipt(receipt, keys, text_hashes);
  const report = { holds: checks.every(({ holds }) => holds), keys: place, checks, payload: claims };
  if (!claims) return report;
  const { attests, sha256_of, warning, does_not_attest } = verdictOf({ payload: claims });
  return {
    ...report,
    attests,
    ...(sha256_of !== undefined && { sha256_of }),
    ...(warning !== undefined && { warning }),
    does_not_attest,
  };
}

/**
 * The one receipt in a text: the text itself if it is a single word, the member `receipt` of JSON, or a line that is one of these.
 * Nothing is cut out of a line: what is around a receipt could be taken for a part of it. An indented line is a quotation.
 */
function receiptIn(text: string): string {
  const json = jsonIn(text);
  if (typeof json === "string") return json;
  if (json === undefined && /^\s*\S+\s*$/.test(text)) return text.trim();
  const found = new Set(
    json === undefined ? text.split(/\r?\n/).flatMap(receiptsOfLine) : receiptsBelow(json),
  );
  if (found.size === 1) return [...found][0]!;
  throw new UsageError(
    found.size === 0
      ? "there is no receipt in it: give one, alone or in a line of its own, or JSON with it."
      : `there are ${found.size} receipts in it: give one.`,
  );
}

/** The value of a JSON text; undefined if it is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line that begins as the header of a JWS in base64url does, and those in a line of JSON, as an export has them. */
const receiptsOfLine = (line: string): string[] =>
  /^eyJ[\w-]*\.[\w-]+\.[\w-]+\s*$/.test(line)
    ? [line.trim()]
    : line.startsWith("{")
      ? receiptsBelow(jsonIn(line))
      : [];

const receiptsBelow = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === "receipt" && typeof inner === "string" ? [inner] : receiptsBelow(inner),
      );

/** The file or the address of the keys. Throws a `UsageError` if the options name none. */
function keysPlace(receipt: string, { keys, url, fetchKeys }: VerifyOptions): string {
  if (keys !== undefined) return keys;
  const iss = unverified(receipt).payload?.iss;
  const service = url ?? (fetchKeys ? iss : undefined);
  if (service === undefined && !fetchKeys) {
    const named =
      typeof iss === "string" ? ` The receipt names ${quotedJson(iss)}: --fetch-keys reads them there.` : "";
    throw new UsageError(`the keys are missing: give --keys or --url.${named}`);
  }
  const address = typeof service === "string" ? URL.parse(service) : null;
  if (address && /^https?:$/.test(address.protocol))
    return `${address.href.replace(/\/+$/, "")}/.well-known/jwks.json`;
  if (url !== undefined) throw new UsageError("--url must be an http or https address.");
  throw new Error("the receipt names no http or https address of its service (iss): give --keys or --url.");
}

async function keysAt(place: string): Promise<Keys> {
  const is_address = /^https?:/i.test(place);
  const text = is_address ? await textAt(place, AbortSignal.timeout(fetch_ms)) : await Bun.file(place).text();
  if (text === null) throw new Error(`there are no keys at ${place}.`);
  return keysIn(text, place);
}

/** The SHA-256 of a text as it is, and without a line feed at its end, which editors add. */
const hashesOf = async (text: Bytes): Promise<string[]> =>
  Promise.all(
    [text, ...(text.at(-1) === 10 ? [text.slice(0, -1)] : [])].map(async (bytes) =>
      toHex(await sha256(bytes)),
    ),
  );

/** The report in lines. Texts of the receipt are JSON strings in which everything can be seen. */
function linesOf({ holds, keys, checks, payload, ...words }: ReceiptReport): string[] {
  const end = `the receipt ${holds ? "holds" : "does NOT hold"} (keys: ${keys})`;
  if (!payload) return [...checkLines(checks), end];
  const sentence = sentenceOf(payload).map((part) =>
    typeof part === "string" ? part : quotedJson("name" in part ? part.name : part.path),
  );
  return [
    ...checkLines(checks),
    `${sentence.join("")}.`,
    `${words.attests} Its sha256 is of ${words.sha256_of}: ${payload.sha256}`,
    ...(words.warning === undefined ? [] : [words.warning]),
    `It does not attest: ${words.does_not_attest}`,
    `It names as its service ${quotedJson(payload.iss)}, and as its id ${quotedJson(payload.jti)}.`,
    end,
  ];
}
