/** What a command locks: what its input says that it changes, and the name that does it. */

import { expect, test } from "bun:test";
import { keysOf } from "../../../src/storage/postgres/lock_keys.ts";

const ada = { name: "Ada", canonical: "ada", key_sha256: "0" };

test.each([
  ["a post", { room: "a-room", identity: ada }, ["room:a-room", "canonical:ada"]],
  ["a host by its name", { room: "a-room", by: { identity: ada } }, ["room:a-room", "canonical:ada"]],
  [
    "a host that adds a member",
    { room: "a-room", by: { identity: ada }, member: "bob" },
    ["room:a-room", "canonical:bob", "canonical:ada"],
  ],
  [
    "a last word under a name, by the host key",
    { room: "a-room", by: { host_key_sha256: "0" }, last_word: { identity: ada, name: "Ada" } },
    ["room:a-room", "canonical:ada"],
  ],
  ["a host by its key", { room: "a-room", by: { host_key_sha256: "0" } }, ["room:a-room"]],
  ["the operator", { room: "a-room", by: "owner" }, ["room:a-room"]],
  ["nobody by name", { room: "a-room", identity: null, by: null }, ["room:a-room"]],
])("%s", (_what, input, keys) => {
  expect(keysOf(input, undefined)).toEqual(keys);
});
