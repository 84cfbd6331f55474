/** Builds `dist/wharf`, a single executable. `--quiet` prints nothing; `--target T` builds for another system. */

import { $ } from "bun";

const quiet = process.argv.includes("--quiet");
const target = process.argv[process.argv.indexOf("--target") + 1];
const for_target = process.argv.includes("--target") ? [`--target=${target}`] : [];

await $`bun build --compile --bytecode --format=esm --sourcemap ${for_target} \
  --no-compile-autoload-dotenv --no-compile-autoload-bunfig --entry-naming "[name].[ext]" \
  src/main.ts src/app/writer_worker.ts src/app/search_worker.ts src/app/integrity_worker.ts src/app/backup_worker.ts --outfile dist/wharf`.quiet(
  quiet,
);
if (!quiet) console.log("dist/wharf is built");
