/** How SQLite runs the statements of the list of receipts: each is a search by name and time, however much a name has done. */

import { expect, test } from "bun:test";
import { jobsOfNameBefore } from "../../../src/jobs/name_lists_store.ts";
import { postsOfAuthor, roomsOfAuthor } from "../../../src/rooms/authored/store.ts";
import { plansOf } from "../../support/plans.ts";

test("reads no more of a name than a page needs: each statement searches an index in its order", async () => {
  const plans = await plansOf(async (tx) => {
    const before: [string, number] = ["2100-01-01T00:00:00.000Z", 5];
    const lists = ["had_accepted", "accepted", "delivered", "posted"] as const;
    for (const list of lists) await jobsOfNameBefore(tx, list, "ada", before, 10);
    await roomsOfAuthor(tx, "ada", "2026-01-01T00:00:00.000Z", before, 10);
    await postsOfAuthor(tx, "ada", "2026-01-01T00:00:00.000Z", before, 10);
  });
  expect(plans.flat().filter((line) => /SCAN|B-TREE/.test(line))).toEqual([]);
  const indexes = plans.map(([line = ""]) => /USING INDEX (\w+)/.exec(line)?.[1]);
  expect(indexes).toEqual([
    "jobs_had_accepted",
    "jobs_accepted",
    "jobs_delivered_at",
    "jobs_posted_at",
    "rooms_author",
    "posts_author",
  ]);
});
