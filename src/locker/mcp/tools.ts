/** The locker tools. Each calls an operation and returns its result as structured data and as text. */

import type { Hints } from "../../core/errors.ts";
import { locker_limits } from "../limits.ts";
import { memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Precondition } from "../commands.ts";
import type { Lockers } from "../locker.ts";
import * as schema from "./schema.ts";
import * as text from "./text.ts";
import * as shown from "../presenters.ts";

const next_calls: Hints = {
  slot_not_found: "locker_list shows your own slots, locker_index those of everybody.",
  contains_key:
    "Take the key out, or keep the value private. If others may have seen the key, revoke it: no tool does that, /api.md says how.",
  slot_too_large: "Cut the value into parts and locker_put each in a slot of its own.",
  locker_slots_full: "locker_list shows your slots, locker_delete takes one away.",
  locker_full: "locker_list shows your slots, locker_delete takes one away.",
  precondition_failed:
    "locker_get reads the slot as it is. Decide, then call again with its version as expected_version.",
};

const onlyOver = (expected_version: number | undefined): Precondition =>
  expected_version === undefined ? {} : { expected_version };

export function lockerTools(lockers: Lockers): Tool[] {
  return [
    defineTool({
      name: "locker_put",
      title: "Keep a text",
      description:
        "Use to keep a text for a later session, or with public: true to publish it. Writes over what the slot held, also " +
        `whether it is public. A name has ${locker_limits.slots_per_locker} slots of ${locker_limits.slot_bytes_max} bytes, ` +
        `${locker_limits.locker_bytes_max} bytes in all. Names of slots are public; private values are not encrypted.`,
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.PutInput,
      key_belongs_in: "value",
      output: schema.PutOutput,
      next_calls,
      async run({ expected_version, ...sent }, { caller, base, call }) {
        const { slot, value, public: is_public, expires_in } = sent;
        const request = { slot, value, public: is_public, expires_in };
        const precondition = onlyOver(expected_version);
        const put = await lockers.put(caller, { ...request, precondition }, call);
        return memberOutput({
          ...shown.written(base, caller.identity!.name, put),
          next: `locker_get ${JSON.stringify({ slot })} reads it.`,
        });
      },
    }),
    defineTool({
      name: "locker_get",
      title: "Read a slot",
      description:
        "Use to read one of your slots; with owner, a public slot of that name, for which you need no key. Changes nothing.",
      changes: "nothing",
      by: "a claimed name",
      input: schema.GetInput,
      output: schema.GetOutput,
      next_calls,
      async run({ slot, owner }, { caller }) {
        if (owner !== undefined) {
          const next = "locker_index shows what else others have made public.";
          const found = { ...shown.publicSlot(await lockers.getPublic(owner, slot)), next };
          return { structured: found, text: text.slotText(found) };
        }
        const row = await lockers.get(caller, slot);
        const over = JSON.stringify({ slot, expected_version: row.version });
        const next = `locker_put ${over} with value writes over it, unless it has changed meanwhile.`;
        const found = { ...shown.slot(row), next };
        return { structured: found, text: text.slotText(found) };
      },
    }),
    defineTool({
      name: "locker_list",
      title: "List your slots",
      description:
        "Use to see what your locker holds and how much of it is used: all slots, no values. Changes nothing.",
      changes: "nothing",
      by: "a claimed name",
      input: schema.ListInput,
      output: schema.ListOutput,
      next_calls,
      async run(_, { caller }) {
        // A locker never has more slots than fit on one page.
        const { next: _none, ...locker } = shown.locker(
          await lockers.list(caller, locker_limits.slots_per_locker),
        );
        const next = locker.slots[0]
          ? `locker_get ${JSON.stringify({ slot: locker.slots[0].slot })} reads the first.`
          : "locker_put keeps a text.";
        return { structured: { ...locker, next }, text: text.lockerText(locker, next) };
      },
    }),
    defineTool({
      name: "locker_delete",
      title: "Delete a slot",
      description:
        "Use to take away a slot of yours and its value, for good. With expected_version only what you have seen.",
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.DeleteInput,
      output: schema.DeleteOutput,
      next_calls,
      async run({ slot, expected_version }, { caller, call }) {
        await lockers.remove(caller, slot, onlyOver(expected_version), call);
        return memberOutput({ slot, deleted: true as const, next: "locker_list shows what is left." });
      },
    }),
    defineTool({
      name: "locker_index",
      title: "See all lockers",
      description:
        "Use to find what others have made public: every name with a locker and the names of its slots, private ones too, no values. Changes nothing.",
      changes: "nothing",
      by: "anybody",
      input: schema.IndexInput,
      output: schema.IndexOutput,
      next_calls,
      async run({ limit = locker_limits.mcp_lockers_page_default, cursor }, { base }) {
        const { next: next_cursor, ...page } = shown.index(base, await lockers.index(limit, cursor));
        const index = { ...page, ...(next_cursor && { next_cursor }) };
        const readable = index.lockers.flatMap(({ name, slots }) =>
          slots.filter((slot) => slot.public).map(({ slot }) => ({ owner: name, slot })),
        );
        const next = readable[0]
          ? `locker_get ${JSON.stringify(readable[0])} reads a public slot.`
          : "No slot here is public: there is nothing to read.";
        const { treat_as } = text;
        return { structured: { ...index, next, treat_as }, text: text.indexText(index, next) };
      },
    }),
  ];
}
