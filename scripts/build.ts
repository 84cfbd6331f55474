/** Builds `dist/wharf`, a single executable for this machine. `--quiet` prints nothing. */

import { join } from "node:path";
import { buildHere } from "./release/binaries.ts";
import { releaseFacts, root } from "./release/facts.ts";
import { targetOfMachine } from "./release/targets.ts";

const exe = process.platform === "win32" ? ".exe" : "";
const path = join(root, `dist/wharf${exe}`);
await buildHere(path, releaseFacts()?.commit ?? null, targetOfMachine()?.name ?? null);
if (!process.argv.includes("--quiet")) console.log("dist/wharf is built");
