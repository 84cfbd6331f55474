/**
 * The service, with backups on command: a line `copy FILE` or `vacuum FILE` on standard input. Answers with one line of JSON
 * on standard output.
 */

import { statSync } from "node:fs";
import { openStorage } from "../../src/app/storage.ts";
import { serve } from "../../src/app/serve.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { systemRandom } from "../../src/core/random.ts";
import { default_config } from "../../src/core/settings.ts";

const data_dir = process.argv[2]!;
const log = createLog(systemClock, "error", (line) => void process.stderr.write(line));
const storage = await openStorage(data_dir, systemClock, log);
const config = { ...default_config, port: 0, data_dir, rate_limit: false };
const service = await serve(config, { clock: systemClock, random: systemRandom, log, storage });
console.log(`serving at ${service.url}/meet`);

const vacuum = `
  const { Database } = require("bun:sqlite");
  require("node:os").setPriority(0, 19);
  onmessage = ({ data: [source, file] }) => {
    new Database(source, { readonly: true }).run("VACUUM INTO '" + file + "'");
    postMessage(null);
  };`;

/** Makes a backup with `VACUUM INTO` in a thread of its own. */
function vacuumInto(file: string): Promise<void> {
  const worker = new Worker(URL.createObjectURL(new Blob([vacuum])));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.onmessage = () => resolve();
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage([`${data_dir}/wharf.db`, file]);
  return promise.finally(() => worker.terminate());
}

for await (const line of console) {
  const [method, file] = line.split(" ") as ["copy" | "vacuum", string];
  let log_bytes = 0;
  const watch = setInterval(
    () => (log_bytes = Math.max(log_bytes, statSync(`${data_dir}/wharf.db-wal`).size)),
    20,
  );
  const begun_ms = performance.now();
  const seconds = () => (performance.now() - begun_ms) / 1000;
  let held_seconds = 0;
  const onProgress = () => (held_seconds = seconds());
  await (method === "copy" ? storage.backup(file, { onProgress }) : vacuumInto(file).then(onProgress));
  clearInterval(watch);
  console.log(JSON.stringify({ seconds: seconds(), held_seconds, log_bytes }));
}
