/**
 * Webhooks while the service and their receiver are killed: each note is covered by a call after it, or was read, and no id has two
 * bodies. WHARF_TEST_OPERATIONS: how many notes; WHARF_TEST_KILLS: how many kills.
 */

import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { callThroughKills, measured } from "../support/webhook_kills.ts";

const notes = Number(process.env.WHARF_TEST_OPERATIONS ?? 2_000);
const kills = Number(process.env.WHARF_TEST_KILLS ?? 4);

const root = newDirectory();
afterAll(() => removeDirectory(root));

test(`names are called for ${notes} notes through ${kills} kills of the service and of the receiver`, async () => {
  const course = await callThroughKills({ root, nodes: [{ data_dir: join(root, "data") }], notes, kills });
  expect(course.notes).toBeGreaterThanOrEqual(notes);
  console.log(measured("SQLite", course));
}, 3_600_000);
