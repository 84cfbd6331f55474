/**
 * Generated clients: `bun run interop` generates a client with each generator, compiles it and makes a round trip with it, and
 * writes the results into docs/interop.md. `bun run interop go` does it for the clients with this word in their name. Exits with
 * status 1 if a client fails. A client whose tools are missing and cannot be installed is skipped.
 */

import { join } from "node:path";
import { attempt, steps, type Outcome } from "./interop/attempt.ts";
import { clients, type Client } from "./interop/clients.ts";
import { startService } from "./interop/service.ts";
import { writeRow } from "./table_rows.ts";

const root = join(import.meta.dir, "..");

/** The results of the steps for the table. Those before a failed one succeeded. */
function cells(outcome: Outcome): string[] {
  const failed = outcome.state === "failed" ? steps.indexOf(outcome.step) : steps.length;
  return steps.map((_, index) => (index < failed ? "yes" : index === failed ? "no" : ""));
}

/** The packages and the language of a client, with versions. */
function versionsOf({ used, language: [name, ...command] }: Client): string {
  const number = /\d[\d.]*/.exec(Bun.spawnSync(command).stdout.toString())?.[0];
  return `${used}, ${name} ${number}`;
}

const words = process.argv.slice(2);
const chosen = clients.filter(({ name }) => words.every((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`No client has this name. There are: ${clients.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const day = new Date(Date.now()).toISOString().slice(0, 10);
const service = await startService([process.execPath, join(root, "src/main.ts")]);
const document = await (await fetch(`${service.url}/openapi.json`)).text();
let failures = 0;
for (const client of chosen) {
  const began = performance.now();
  const outcome = await attempt(client, service.url, document);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  if (outcome.state === "skipped") {
    console.log(`${client.name}: SKIPPED: ${outcome.reason}`);
    continue;
  }
  if (outcome.state === "failed") {
    failures++;
    console.log(`${client.name}: FAILED: ${outcome.step}, in ${outcome.folder}\n${outcome.output}`);
  } else console.log(`${client.name}: passed, ${seconds} s`);
  const row = [client.name, versionsOf(client), day, ...cells(outcome)];
  await writeRow(join(root, "docs/interop.md"), row);
}
await service.stop();
process.exit(failures === 0 ? 0 : 1);
