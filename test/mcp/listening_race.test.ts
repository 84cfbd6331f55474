/** A reader of what not everybody may read that is removed between the look at it and the beginning of a stream. */

import { expect, test } from "bun:test";
import type { Caller } from "../../src/core/caller.ts";
import { OpenCalls } from "../../src/core/open_calls.ts";
import { Topics } from "../../src/core/topics.ts";
import { ResourceNotFound } from "../../src/mcp/errors.ts";
import { Listeners } from "../../src/mcp/subscriptions/listen.ts";
import type { Endpoint, Place } from "../../src/mcp/types.ts";
import { FakeClock } from "../support/clock.ts";
import { following } from "../support/mcp_messages.ts";

test("a stream does not follow what its reader was removed from before it followed it", async () => {
  const open_calls = new OpenCalls();
  const topics = new Topics();
  const caller = { address: "192.0.2.1", name: "ann", session: null, grant: null };
  const place = {
    open: () => open_calls.add(caller, () => {}),
    keepStreamOpen: () => () => {},
  } as unknown as Place;
  let looks = 0;
  const endpoint = {
    info: { name: "test", version: "1" },
    follow(uri: string) {
      if (uri === "test://all") return Promise.resolve({ topic: "all", reader: null });
      if (++looks > 1) return Promise.reject(new ResourceNotFound(uri, "It is not there."));
      return Promise.resolve({ topic: "some", reader: { canonical: "ann", key_sha256: "00" } });
    },
  } as unknown as Endpoint;
  const listeners = new Listeners(topics, new FakeClock());
  const message = {
    jsonrpc: "2.0" as const,
    id: 1,
    method: "subscriptions/listen",
    params: following(["test://all", "test://some"]),
  };
  const { body } = await listeners.open(message, {} as Caller, place, endpoint);
  topics.publish("some");
  topics.publish("all");
  listeners.close();
  const sent = await new Response(body).text();
  expect(sent).toContain("test://all");
  expect(sent).not.toContain("test://some");
  expect([topics.subscriptions, open_calls.count(() => true)]).toEqual([0, 0]);
});
