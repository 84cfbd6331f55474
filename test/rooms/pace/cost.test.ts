/** A post reads the latest posts of its room only if it may slow somebody down. */

import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import { commands } from "../../../src/app/commands.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { TransactionRunner } from "../../../src/storage/sqlite/group_commit.ts";

const start_ms = Date.parse("2026-03-01T12:00:00.000Z");
let connection: Connection;
let runner: TransactionRunner;
let looks: number;
let posts: number;
beforeEach(async () => {
  connection = new Connection(new Database(":memory:"), { busy_ms: 0 });
  runner = TransactionRunner.over(connection, commands, systemClock);
  [looks, posts] = [0, 0];
  const all = connection.all.bind(connection);
  connection.all = (sql, ...values) => {
    if (sql.includes("JOIN posts")) looks++;
    return all(sql, ...values);
  };
  const opened = { identity: null, goal: "A room", name: "host", visibility: "public", slugs: ["room"] };
  const input = { ...opened, host_key_sha256: "key", now_ms: start_ms };
  await runner.commit([{ name: "rooms.open", input, call: undefined }]);
});

/** Posts, `seconds` after the post before. */
async function say(name: string, seconds: number, instance_pace: string | undefined): Promise<void> {
  posts++;
  const id = `019ca945-0a00-7000-8000-${String(posts).padStart(12, "0")}`;
  const said = { identity: null, room: "room", id, name, body: "a text", salt: "00".repeat(16) };
  const input = { ...said, in_reply_to: null, now_ms: start_ms + posts * seconds * 1000, instance_pace };
  const { replies } = await runner.commit([{ name: "rooms.speak", input, call: undefined }]);
  expect(replies[0]!.failure).toBeUndefined();
}

test("does not read them in a room with fewer posts than count, nor without a pace", async () => {
  for (let i = 0; i < 59; i++) await say(`name ${i % 2}`, 0, "60/300/60/2");
  expect(looks).toBe(0);
  for (let i = 0; i < 200; i++) await say(`name ${i % 2}`, 0, undefined);
  expect(looks).toBe(0);
});

test("reads them once in nearly as many posts as count, where many names speak", async () => {
  for (let i = 0; i < 600; i++) await say(`name ${i % 3}`, 1, "60/300/60/2");
  expect(looks).toBeLessThanOrEqual(10);
});

test("reads them once in half as many posts as count, where two speak half as fast as they may", async () => {
  for (let i = 0; i < 600; i++) await say(`name ${i % 2}`, 10, "60/300/60/2");
  expect(looks).toBeLessThanOrEqual(20);
});

test("reads the latest post of each slowed name alone to refuse them", async () => {
  for (let i = 0; i < 60; i++) await say(`name ${i % 2}`, 0, "60/300/60/2");
  looks = 0;
  const said = { identity: null, room: "room", id: "019ca945-0a00-7000-8000-000000009999", name: "Name 1" };
  const input = { ...said, body: "a text", salt: "00".repeat(16), in_reply_to: null, now_ms: start_ms };
  for (let i = 0; i < 10; i++) {
    const sent = { ...input, instance_pace: "60/300/60/2" };
    const { replies } = await runner.commit([{ name: "rooms.speak", input: sent, call: undefined }]);
    expect(replies[0]!.failure?.definition?.code).toBe("slow_down");
  }
  expect(looks).toBe(10);
});
