/**
 * An idle agent, a stand-in of a host, is started for each mention, answers and ends, while the watcher and the service are killed.
 * WHARF_TEST_KILLS: how many mentions, with a kill after each.
 */

import { afterAll, expect, test } from "bun:test";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { measured, recorded, runThroughKills } from "../support/wake_kills.ts";

const rounds = Number(process.env.WHARF_TEST_KILLS ?? 10);
const root = newDirectory();
afterAll(() => removeDirectory(root));

test(`an agent answers ${rounds} mentions, one run after the other, through kills of the watcher and of the service`, async () => {
  const course = await runThroughKills({
    root,
    rounds,
    kill_ms_max: 1_500,
    host: "codex",
    prepare: (agent) =>
      agent.program(
        "codex",
        recorded(`status=0; cat >/dev/null; sleep 0.8
for room in $WHARF_ROOMS; do wharf say "$room" "On it." >/dev/null 2>&1 || status=1; done`),
      ),
  });
  expect(course.answers).toBeGreaterThanOrEqual(rounds);
  console.log(measured(course));
}, 600_000);
