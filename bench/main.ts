/** Measures the service against its baselines, side by side, and writes the table into RESULTS.md. */

import { join } from "node:path";
import { benchAttacks } from "./attacks.ts";
import { benchBeacon } from "./beacon.ts";
import { benchMcp } from "./mcp.ts";
import { benchPosts } from "./posts.ts";
import { benchReceipts } from "./receipts.ts";
import { benchReads, benchReadsBesideWrites } from "./reads.ts";
import { cleanUp } from "./servers.ts";
import { benchSize } from "./size.ts";
import { benchStart } from "./start.ts";
import { machine, table, type Row } from "./table.ts";
import { benchWaits } from "./waits.ts";

const families: Record<string, () => Promise<Row[]>> = {
  posts: benchPosts,
  reads: benchReads,
  beside: benchReadsBesideWrites,
  receipts: benchReceipts,
  beacon: benchBeacon,
  mcp: benchMcp,
  waits: benchWaits,
  size: benchSize,
  start: benchStart,
  attacks: benchAttacks,
};

const how = `Each comparison was measured side by side in this run, in interleaved rounds; the figures are medians. Load and
server share the machine's cores. Durable means that COMMIT, with fsync, comes before the answer. The baselines are
in \`bench/baselines\`. Beside attacks, a victim at another address reads and posts at fixed times, for 20 s each; all but the
flood come to a service that counts nobody's calls. Goals are those of the project; a missed one says so.`;

// Names of families measure those alone and write nothing.
const chosen = process.argv.slice(2);
const rows: Row[] = [];
const where = machine();
try {
  for (const [name, measure] of Object.entries(families)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.error(`measuring ${name} …`);
    rows.push(...(await measure()));
  }
} finally {
  await cleanUp();
}
const result = `# Results of \`bun run bench\`\n\n${where}\n\n${table(rows)}\n\n${how}\n`;
console.log(result);
if (chosen.length === 0) {
  const file = join(import.meta.dir, "RESULTS.md");
  await Bun.write(file, result);
  Bun.spawnSync(["bun", "fmt", "--no-script", file]);
}
