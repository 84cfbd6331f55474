/** The events that sessions store so that a client can resume are bounded for all sessions together. */

import { expect, test } from "bun:test";
import { mcp_limits } from "../../src/mcp/limits.ts";
import { RecentEvents, StoredEvents } from "../../src/mcp/sessions/event_store.ts";

const call = { ids: [1], keys_sha256: new Set<string>(), named: [], repeatable: null };
const answer = (text: string) => ({ jsonrpc: "2.0" as const, id: 1, result: { text } });

/** Stores an answer of a call in a session of its own. Returns the id of its event. */
const store = (session: RecentEvents, text: string): Promise<string> =>
  session.during(call, () => session.storeEvent("stream", answer(text)));

test("the oldest of all sessions are dropped, and the latest can be resumed", async () => {
  const all = new StoredEvents();
  const sessions = Array.from({ length: 400 }, (_, n) => new RecentEvents(n.toString(16), all));
  const large = "x".repeat(mcp_limits.mcp_session_event_chars_max - 100);
  const ids: string[] = [];
  for (const session of sessions) ids.push(await store(session, large));
  expect(all.chars).toBeLessThanOrEqual(mcp_limits.mcp_event_chars_max);
  expect(all.chars).toBeGreaterThan(mcp_limits.mcp_event_chars_max / 2);
  expect(sessions[0]!.callsOf(ids[0]!)).toBeNull();
  expect(sessions.at(-1)!.callsOf(ids.at(-1)!)).toEqual(call);
});

test("a session that is not in use any more has none, and counts for none", async () => {
  const all = new StoredEvents();
  const session = new RecentEvents("a", all);
  const id = await store(session, "hello");
  session.clear();
  expect(session.callsOf(id)).toBeNull();
  expect(all.chars).toBe(0);
});

test("a session has as many as its own limits allow", async () => {
  const all = new StoredEvents();
  const session = new RecentEvents("a", all);
  const ids: string[] = [];
  for (let n = 0; n <= mcp_limits.mcp_session_events_max; n++) ids.push(await store(session, String(n)));
  expect(session.callsOf(ids[0]!)).toBeNull();
  expect(session.callsOf(ids[1]!)).toEqual(call);
});

test("an event that is larger than all that a session may store is not stored, and counts for nothing", async () => {
  const all = new StoredEvents();
  const session = new RecentEvents("a", all);
  const ids = Array.from({ length: 10 }, () => "\u0001".repeat(1_021));
  const many = { ...call, ids };
  for (const text of ["hello", "x".repeat(mcp_limits.mcp_session_event_chars_max - 60)]) {
    const id = await session.during(many, () =>
      session.storeEvent("stream", { ...answer(text), id: ids[0]! }),
    );
    expect(session.callsOf(id)).toBeNull();
    expect(all.chars).toBe(0);
  }
  // One that is as large with its ids is a lost answer.
  const id = await store(session, "x".repeat(mcp_limits.mcp_session_event_chars_max - 41));
  expect(session.callsOf(id)).toEqual(call);
  expect(all.chars).toBeLessThan(1_000);
  session.clear();
  expect(all.chars).toBe(0);
});

test("the answers of a session have as many characters as its own limit allows", async () => {
  const session = new RecentEvents("a", new StoredEvents());
  const half = "x".repeat(mcp_limits.mcp_session_event_chars_max / 2 - 100);
  const ids = [await store(session, half), await store(session, half), await store(session, half)];
  expect(ids.map((id) => session.callsOf(id) !== null)).toEqual([false, true, true]);
});
