/**
 * The service in a process of its own, with a clock that a test moves: a process reads the authorities that it trusts only when it
 * starts. Takes the data directory. Prints the URL, and a line for each line of standard input, once the clock has advanced by so many
 * seconds.
 */

import { serve } from "../../../../src/app/serve.ts";
import { createLog } from "../../../../src/core/log.ts";
import { default_config } from "../../../../src/core/settings.ts";
import { seededRandom } from "../../../../src/dev/random.ts";
import { FakeClock } from "../../../support/clock.ts";

const clock = new FakeClock();
const service = await serve(
  {
    ...{ ...default_config, port: 0, rate_limit: false, data_dir: process.argv[2]! },
    ...{ oauth: true, fetch_allow: ["127.0.0.0/8", "::1/128"] },
  },
  { clock, random: seededRandom(1), log: createLog(clock, "error", (line) => process.stderr.write(line)) },
);
console.log(service.url);
for await (const line of console) {
  clock.advance(Number(line));
  console.log("advanced");
}
await service.stop();
