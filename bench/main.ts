/**
 * Measures the service against its baselines, side by side, `wharf dev`, and counts tokens and turns. Writes the tables into
 * RESULTS.md. `builds OLD NEW` compares two binaries and writes nothing.
 */

import { join } from "node:path";
import { benchAttacks } from "./attacks.ts";
import { benchBackup } from "./backup.ts";
import { compareBuilds } from "./builds.ts";
import { benchBeacon } from "./beacon.ts";
import { benchCosts } from "./costs.ts";
import { devSection, heading as dev_heading } from "./dev.ts";
import { benchDisk } from "./disk.ts";
import { benchMcp } from "./mcp.ts";
import { benchMemory } from "./memory.ts";
import { benchPosts } from "./posts.ts";
import { benchPages } from "./pages.ts";
import { benchPlaces } from "./places.ts";
import { heading as postgres_heading, postgresSection } from "./postgres.ts";
import { benchPrivate } from "./private.ts";
import { benchReceipts } from "./receipts.ts";
import { benchRetention } from "./retention.ts";
import { benchReads, benchReadsBesideWrites } from "./reads.ts";
import { cleanUp } from "./servers.ts";
import { benchSize } from "./size.ts";
import { benchStart } from "./start.ts";
import { machine, table, type Row } from "./table.ts";
import { heading as tokens_heading, tokensSection } from "./tokens/table.ts";
import { benchStreams } from "./streams.ts";
import { heading as turns_heading, turnsSection } from "./turns.ts";
import { benchWaits } from "./waits.ts";
import { benchWebhooks } from "./webhooks.ts";

const families: Record<string, () => Promise<Row[]>> = {
  posts: benchPosts,
  reads: benchReads,
  beside: benchReadsBesideWrites,
  private: benchPrivate,
  pages: benchPages,
  places: benchPlaces,
  receipts: benchReceipts,
  beacon: benchBeacon,
  mcp: benchMcp,
  waits: benchWaits,
  streams: benchStreams,
  webhooks: benchWebhooks,
  size: benchSize,
  disk: benchDisk,
  start: benchStart,
  memory: benchMemory,
  backup: benchBackup,
  retention: benchRetention,
  attacks: benchAttacks,
  costs: benchCosts,
};

const speed_heading = "## Speed";

const how = `Each comparison was measured side by side in this run, in interleaved rounds; the figures are medians. Load and
server share the machine's cores. Durable means that COMMIT, with fsync, comes before the answer. The baselines are
in \`bench/baselines\`. Beside attacks, a victim at another address reads and posts at fixed times, for 20 s each; all but the
flood and the readers of different pages come to a service that counts nobody's calls. Goals are those of the project; a missed one says so.`;

const file = join(import.meta.dir, "RESULTS.md");
const sections = (await Bun.file(file).text()).split(/(?=^## )/m);

/** The section about speed: a table of all families. With names of families it measures those alone. */
async function speedSection(chosen: string[]): Promise<string> {
  const rows: Row[] = [];
  const where = machine();
  try {
    for (const [name, measure] of Object.entries(families)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      console.error(`measuring ${name} …`);
      rows.push(...(await measure()));
    }
  } catch (error) {
    // A whole run takes long: what was measured before a failure is not lost.
    console.log(table(rows));
    throw error;
  } finally {
    await cleanUp();
  }
  return `${speed_heading}\n\n${where}\n\n${table(rows)}\n\n${how}`;
}

/** The section with this heading as it is in RESULTS.md. */
const stored = (heading: string): string =>
  sections.find((section) => section.startsWith(heading))?.trim() ?? heading;

const chosen = process.argv.slice(2);
if (chosen[0] === "builds") {
  const [, old_binary, new_binary] = chosen;
  if (old_binary === undefined || new_binary === undefined)
    throw new Error("usage: bun run bench builds <old binary> <new binary>");
  console.log(machine());
  console.log(await compareBuilds(old_binary, new_binary).finally(cleanUp));
  process.exit(0);
}

// Some families alone are only printed: a table of speeds is written as a whole. `postgres`, `dev`, `tokens` and `turns` have tables of their own.
const families_chosen = chosen.filter((name) => Object.hasOwn(families, name));
const all = chosen.length === 0;
const speed = all || families_chosen.length > 0 ? await speedSection(families_chosen) : undefined;
const postgres = all || chosen.includes("postgres") ? await postgresSection() : undefined;
const dev = all || chosen.includes("dev") ? await devSection() : undefined;
const tokens = all || chosen.includes("tokens") ? await tokensSection() : undefined;
const turns = all || chosen.includes("turns") ? await turnsSection() : undefined;
console.log([speed, postgres, dev, tokens, turns].filter(Boolean).join("\n\n"));
const written = [
  (all && speed) || stored(speed_heading),
  postgres ?? stored(postgres_heading),
  dev ?? stored(dev_heading),
  tokens ?? stored(tokens_heading),
  turns ?? stored(turns_heading),
];
await Bun.write(file, `# Results of \`bun run bench\`\n\n${written.join("\n\n")}\n`);
Bun.spawnSync(["bun", "fmt", "--no-script", file]);
