/** Open calls in private rooms when the storage does not know what has changed. */

import { expect, test } from "bun:test";
import { OpenCalls } from "../../../src/core/open_calls.ts";
import type { ChangeListener } from "../../../src/core/storage.ts";
import { createAdmission } from "../../../src/rooms/members/admission.ts";

const caller = { address: "192.0.2.1", name: "ann", session: null, grant: null };

function prepare() {
  const open_calls = new OpenCalls();
  let changed: ChangeListener = () => {};
  const storage = { onChange: (_phase: string, listener: ChangeListener) => void (changed = listener) };
  createAdmission({ storage, open_calls } as unknown as Parameters<typeof createAdmission>[0]);
  const following = (...topics: string[]) => {
    const call = open_calls.add(caller, () => {});
    call.follow(topics);
    return call;
  };
  return { following, publish: (topic: string | null) => void changed(topic) };
}

test("calls in private rooms end with storage_busy, others go on", async () => {
  const { following, publish } = prepare();
  const [in_private, of_leases, in_public] = [
    following("jobs", "room:private--a"),
    following("leases:private--a"),
    following("room:private-a", "leases:private-a"),
  ];
  publish(null);
  for (const call of [in_private, of_leases]) {
    expect(call.signal.aborted).toBe(true);
    expect(call.check()).rejects.toMatchObject({ code: "storage_busy", extra: { retry_after_seconds: 1 } });
  }
  expect(in_public.signal.aborted).toBe(false);
});

test("a departure ends the calls of that name in that room", async () => {
  const { following, publish } = prepare();
  const [one, other] = [following("room:private--a"), following("room:private--b")];
  publish("member left:private--a ben");
  publish("member left:private--a");
  expect(one.signal.aborted).toBe(false);
  publish("member left:private--a ann");
  expect(one.check()).rejects.toMatchObject({ code: "room_not_found" });
  expect(other.signal.aborted).toBe(false);
});
