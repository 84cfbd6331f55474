/** Sessions in use follow what is stored of them, also after the storage could not be read. */

import { expect, test } from "bun:test";
import { sessionTopic } from "../../src/mcp/sessions/commands.ts";
import { LiveSessions } from "../../src/mcp/sessions/session_cache.ts";
import type { SessionRecord, Sessions } from "../../src/mcp/sessions/sessions.ts";
import type { SessionDeps } from "../../src/mcp/sessions/session.ts";
import { UpdateStream } from "../../src/mcp/subscriptions/stream.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { Topics } from "../../src/core/topics.ts";
import { everybody_reads } from "../support/mcp_messages.ts";

const id = "s";
const topic = sessionTopic(sha256Hex(id));

async function prepare() {
  /** What the storage answers: a record, none, or an error. */
  const stored: { record: SessionRecord | null; is_broken: boolean } = {
    record: { id, address: "/mcp", handshake: {}, subscriptions: { "meet://room/a": "room:a" }, read_ms: 0 },
    is_broken: false,
  };
  const topics = new Topics();
  const sessions = {
    find() {
      if (stored.is_broken) throw new Error("The storage does not answer.");
      return Promise.resolve(stored.record);
    },
    isOld: () => false,
  } as unknown as Sessions;
  const live = new LiveSessions(sessions, {
    sessions,
    topics,
    readers: everybody_reads,
    onError() {},
  } as unknown as SessionDeps);
  const session = (await live.find(id, "/mcp"))!;
  const stream = new UpdateStream(":\n\n");
  session.updates.sendOn(stream);
  const reader = stream.body.getReader();
  const next = async () => {
    const { value, done } = await reader.read();
    return done ? null : (/"uri":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1] ?? "");
  };
  expect(await next()).toBe("");
  expect(await next()).toBe("meet://room/a");
  const publish = async (published: string) => {
    await live.changed(published);
    topics.publish(published);
  };
  return { stored, live, next, publish };
}

test("a session sends nothing by an old record, and reads it again when a topic is published", async () => {
  const { stored, live, next, publish } = await prepare();
  stored.is_broken = true;
  const first = next();
  await publish(topic);
  await publish("room:a");
  expect(live.find(id, "/mcp")).rejects.toThrow("does not answer");
  stored.is_broken = false;
  // Unsubscribed meanwhile: the change before is not sent.
  stored.record = { ...stored.record!, subscriptions: { "meet://room/b": "room:b" } };
  await publish("room:c");
  expect(await first).toBe("meet://room/b");
  await publish("room:a");
  await publish("room:b");
  expect(await next()).toBe("meet://room/b");
});

test("a session that has ended elsewhere ends its stream, and is not found", async () => {
  const { stored, live, next, publish } = await prepare();
  stored.record = null;
  await publish(topic);
  expect(await next()).toBeNull();
  expect(await live.find(id, "/mcp")).toBeNull();
});
