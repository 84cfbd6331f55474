/**
 * `kill -9` of the service while mentions come to a session with a channel: each note is in exactly one message.
 * WHARF_TEST_OPERATIONS: how many mentions; WHARF_TEST_KILLS: how many kills.
 */

import { expect, test } from "bun:test";
import type { Announcements } from "../../src/bridge/deps.ts";
import { systemClock, type Clock } from "../../src/core/clock.ts";
import { startBridge } from "../support/bridge.ts";
import { announcementsIn, mention, messagesOf } from "../support/channels.ts";
import { freePort } from "../support/free_port.ts";
import { claim } from "../support/names.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const mentions_count = Number(process.env.WHARF_TEST_OPERATIONS ?? 300);
const kills_count = Number(process.env.WHARF_TEST_KILLS ?? 12);

/** A minute takes half a second, so that there are many messages. */
const speedup = 120;
const fast_clock: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * speedup,
  after: (delay_ms, run) => systemClock.after(delay_ms / speedup, run),
};

test("each note is in exactly one message", async () => {
  const random = testRandom("channel kills");
  const [data_dir, state] = [newDirectory(), newDirectory()];
  const port = await freePort();
  let service = await startBinary({ data_dir, port, rate_limit: false });
  const { url } = service;
  const grace = await claim(url, "grace");
  /** The seqs of the notes of all messages. */
  const announced: number[] = [];
  const saved = announcementsIn(state);
  const channel: Announcements = {
    claim(mailbox, unread, latest_seq) {
      const claimed = saved.claim(mailbox, unread, latest_seq);
      announced.push(...claimed.notes.map(({ seq }) => seq));
      return claimed;
    },
  };
  const client = startBridge(`${url}/mcp`, { headers: grace.pair, clock: fast_clock, channel });
  await client.begin();

  let made = 0;
  for (let killed = 0; made < mentions_count; made++) {
    // Each in a room of its own: notes of one room are folded.
    await mention(url, grace.name);
    if (random.below(10) === 0) await client.call("meet_rooms", {});
    if (random.below(Math.ceil(mentions_count / kills_count)) === 0 && killed < kills_count) {
      killed++;
      service.process.kill("SIGKILL");
      await service.process.exited;
      service = await startBinary({ data_dir, port, rate_limit: false });
    }
  }
  while (announced.length < mentions_count) await Bun.sleep(5);
  await client.call("meet_rooms", {});
  await client.end();

  const messages = messagesOf(client);
  console.log(`${made} mentions came in ${messages.length} messages.`);
  expect(announced.toSorted((a, b) => a - b)).toEqual(Array.from({ length: made }, (_, i) => i + 1));
  expect(messages.reduce((sum, { meta }) => sum + Number(meta.notes), 0)).toBe(made);
  expect(messages.at(-1)!.meta.through).toBe(String(made));
  expect(messages.length).toBeGreaterThan(1);
  await service.stop();
  for (const directory of [data_dir, state]) removeDirectory(directory);
});
