/** Ten thousand requests of strangers, former members and readers say nothing of a private room in which a member posts. */

import { expect, test } from "bun:test";
import { claimCast } from "../support/private_rooms.ts";
import { expectSecret } from "../support/secrecy.ts";
import { testRandom } from "../support/seed.ts";
import { startBinary } from "../support/service.ts";

const count = Number(process.env.WHARF_TEST_OPERATIONS ?? 10_000);

test(`${count} requests of those who are no members learn nothing of a private room`, async () => {
  const service = await startBinary({ rate_limit: false, log_level: "error" });
  const cast = await claimCast(service.url, "secrecy");
  const canary = "zqsecrecy";
  const random = testRandom("secrecy of private rooms");
  const made = await expectSecret(() => service.url, cast, { count, canary, lanes: 16, random });
  console.log(`MEASURED: ${made}`);
  expect(service.output()).not.toContain(canary);
  await service.stop();
});
