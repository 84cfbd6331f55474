/** `wharf receipt keys`: the public keys of a service, for checks of its receipts without it. */

import { existsSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { quotedJson } from "../../core/text_form.ts";
import { writeDurably } from "../../storage/sqlite/durable.ts";
import { connect } from "../shell/connection.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { fetch_ms, keysIn, textAt } from "../verification.ts";

interface KeysOptions {
  url?: string;
  save?: string;
}

export function receiptKeysCommand(terminal: Terminal): Command {
  const command = new Command("keys")
    .description("print or save the public keys of a service, with which receipts can be checked without it")
    .option("--url <url>", "the service (or WHARF_URL; default: that of wharf login)")
    .option("--save <file>", "write them into this file, as a JWK set")
    .action(async (options: KeysOptions) => {
      const place = `${connect(options, terminal).url}/.well-known/jwks.json`;
      const text = await textAt(place, AbortSignal.timeout(fetch_ms));
      if (text === null) throw new Error(`there are no keys at ${place}.`);
      await keysIn(text, place);
      // The set is the text of another service.
      const set = quotedJson(JSON.parse(text));
      if (options.save === undefined) return terminal.print(set);
      await save(options.save, set, place);
      terminal.print(
        `The keys are in ${options.save}. 'wharf receipt verify FILE --keys ${options.save}' checks receipts with it.`,
      );
    });
  return withExamples(
    command,
    "wharf receipt keys --save jwks.json",
    "wharf receipt keys --url http://127.0.0.1:4273",
  );
}

const keyLines = (set: string): string[] =>
  (JSON.parse(set) as { keys: { kid: string; x: string }[] }).keys.map(({ kid, x }) => `${kid} ${x}`);

/** Writes a JWK set. A service lists a key permanently, so a file that has another key is not replaced: it may be the only proof. */
async function save(file: string, set: string, place: string): Promise<void> {
  if (existsSync(file)) {
    const stored = readFileSync(file, "utf8");
    await keysIn(stored, file);
    const listed = keyLines(set);
    if (!stored.trim().startsWith("{") || keyLines(stored).some((key) => !listed.includes(key))) {
      throw new Error(
        `${file} has a key that ${place} does not list, so it stays as it is. Name another file.`,
      );
    }
  }
  writeDurably(file, `${set}\n`);
}
