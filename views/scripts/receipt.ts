/** The script of the page of receipts: checks a receipt, and a text against it, in this browser. */

import { verdictOf, type Opened } from "../../src/api/receipts/attestations.ts";
import type { ReceiptPayload, Verdict } from "../../src/api/receipts/receipts.ts";
import { sha256Text } from "../../src/verifier/hashes.ts";
import { openJws, type Keys } from "../../src/verifier/jws.ts";
import { describeVerdict, receiptIn, type Part } from "../receipt_text.ts";
import { revealed, shortTime } from "../text.ts";
import { cannotCheck, serviceKeys, serviceUrl } from "./browser_keys.ts";

/** A receipt has at most 4,096 characters; an answer that contains one may be longer. */
const file_bytes_max = 1_000_000;

/** A field does not keep which lines end with LF and which with CRLF. */
const about_line_ends = `If it has both kinds of line ends, LF and CRLF, this page cannot tell. Save it as it is, and compare it with: wharf receipt verify receipt.txt --url ${serviceUrl("").href} --text text.txt`;

const byId = (id: string) => document.getElementById(id)!;
const form = byId("receipt-form") as HTMLFormElement;
const input = byId("receipt") as HTMLTextAreaElement;
const who_checks = byId("who-checks");
const result = byId("result");
const compare = byId("compare");
const text_input = byId("text") as HTMLTextAreaElement;
const compared = byId("compared");

let keys: Keys;
let payload: ReceiptPayload | undefined;

void start();

async function start(): Promise<void> {
  const sent = "The receipt is sent to this service, which checks it.";
  const reason = cannotCheck();
  if (reason) return say(who_checks, `${reason} ${sent}`);
  const found = await serviceKeys().catch(() => null);
  if (!found) return say(who_checks, `This browser cannot check signatures with Ed25519. ${sent}`);
  keys = found;
  say(who_checks, "This browser checks it, and sends it nowhere. You can also drop a file on this page.");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void check();
  });
  input.addEventListener("input", () => void check());
  text_input.addEventListener("input", () => void compareText());
  takeFiles();
  if (input.value) await check();
}

async function check(): Promise<void> {
  const receipt = receiptIn(input.value);
  const opened = receipt ? await openJws(receipt, "receipt+jwt", keys) : null;
  if (receipt !== receiptIn(input.value)) return;
  const verdict = opened && verdictOf(opened as Opened);
  payload = verdict?.payload;
  compare.hidden = !payload;
  result.replaceChildren(...(verdict ? [resultOf(verdict)] : []));
  await compareText();
}

/**
 * Whether the SHA-256 of the text is that in the receipt, with or without a line end at its end. A field has LF at the end of each
 * line, whatever was pasted. So the text is compared with LF and with CRLF.
 */
async function compareText(): Promise<void> {
  const text = text_input.value;
  if (!payload || text === "") return say(compared, "");
  const shown = [text, text.replace(/\n$/, "")];
  const hashes = await Promise.all(
    [...shown, ...shown.map((lines) => lines.replaceAll("\n", "\r\n"))].map(sha256Text),
  );
  const is_same = hashes.includes(payload.sha256);
  compared.className = is_same ? "is-holds" : "is-wrong";
  const differs =
    "This is not the text: its SHA-256 is not the one in the receipt. Every space and line counts.";
  const advice = text.includes("\n") ? ` ${about_line_ends}` : "";
  say(compared, is_same ? "This is the text: its SHA-256 is the one in the receipt." : differs + advice);
}

/** Lets a file be chosen, or dropped anywhere on the page. */
function takeFiles(): void {
  const chooser = byId("receipt-file") as HTMLInputElement;
  const button = byId("choose-file") as HTMLButtonElement;
  button.hidden = false;
  button.addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => void read(chooser.files?.[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void read(file);
  });
}

async function read(file: File | undefined): Promise<void> {
  if (!file) return;
  if (file.size > file_bytes_max) return say(result, "The file is too large: a receipt is a line of text.");
  input.value = receiptIn(await file.text());
  await check();
}

function say(place: HTMLElement, text: string): void {
  place.textContent = text;
}

function element(tag: string, class_name: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (class_name) made.className = class_name;
  made.append(...children);
  return made;
}

/** The same as `Result` of views/receipt.tsx. */
function resultOf(verdict: Verdict): HTMLElement {
  const { title, sentence, warning, notes, fields } = describeVerdict(verdict);
  const list = element("dl", "hashes");
  for (const [name, value] of fields) {
    list.append(element("dt", "", name), element("dd", "", element("code", "", revealed(value))));
  }
  return element(
    "section",
    `stage result ${verdict.verdict}`,
    element("h2", "", title),
    element("p", "lead", ...sentence.map(partOf)),
    ...(warning ? [element("p", "warning", warning)] : []),
    ...notes.map((note) => element("p", "note", note)),
    ...(fields.length > 0 ? [element("details", "", element("summary", "", "What is in it"), list)] : []),
    element("p", "about", `Checked by this browser on ${shortTime(new Date().toISOString())}.`),
  );
}

function partOf(part: Part): Node | string {
  if (typeof part === "string") return part;
  if ("name" in part) return element("b", "", element("bdi", "", revealed(part.name)));
  const link = element("a", "", part.link) as HTMLAnchorElement;
  link.href = `${result.dataset.base}${part.path}`;
  return link;
}
