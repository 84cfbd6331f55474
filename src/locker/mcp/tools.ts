/** The locker tools. Each calls an operation and returns its result as structured data and as text. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../core/caller.ts";
import { charsIn, memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool, type ToolCall } from "../../mcp/tool.ts";
import type { Precondition } from "../commands.ts";
import type { Lockers } from "../locker.ts";
import * as schema from "../../api/locker/tools.ts";
import * as text from "./text.ts";
import { aboutPublicSlot, ownSlotLine, publicSlotText } from "../markdown.ts";
import * as shown from "../representations.ts";
import type { SlotRow } from "../store.ts";
import { locker_limits } from "../../api/limits.ts";
import { locker_internal_limits } from "../limits.ts";

const onlyOver = (expected_version: number | undefined): Precondition =>
  expected_version === undefined ? {} : { expected_version };

type Page = Static<typeof schema.IndexInput>;

const too_long = "Its value is longer than max_tokens.";

/** The result for a slot of the caller. */
function ownSlot(row: SlotRow, chars_max: number | undefined) {
  const structured = shown.leanSlot(row, chars_max);
  const line = ownSlotLine(shown.slot(row));
  return "value" in structured
    ? { structured, text: line, own_text: structured.value }
    : { structured, text: `${line}, ${row.bytes} bytes. ${too_long}\nmore: 1` };
}

/** The result for a public slot. */
function publicSlot(row: SlotRow & { name: string }, chars_max: number | undefined) {
  const structured = shown.leanPublicSlot(row, chars_max);
  const slot = shown.publicSlot(row);
  const text =
    "value" in structured
      ? publicSlotText(slot)
      : `${aboutPublicSlot(slot)}, ${row.bytes} bytes. ${too_long}\nmore: 1`;
  return { structured, text };
}

export function lockerTools(lockers: Lockers): Tool[] {
  async function ownLocker(caller: Caller, { limit = locker_limits.slots_per_locker, cursor }: Page) {
    const locker = shown.leanLocker(await lockers.list(caller, limit, cursor));
    return { structured: locker, text: text.lockerText(locker) };
  }

  async function allLockers(
    { limit = locker_limits.mcp_lockers_page_default, cursor }: Page,
    reserve: ToolCall["reserve"],
  ) {
    await reserve(locker_internal_limits.lockers_page_bytes_max);
    const index = shown.leanIndex(await lockers.index(limit, cursor));
    return { structured: index, text: text.indexText(index) };
  }

  return [
    defineTool({
      name: "locker_put",
      title: "Keep a text",
      description:
        "Use to store a text for a later session, or to publish it. Replaces what the slot has, also whether it is public. " +
        "Names of slots are public.",
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.PutInput,
      key_belongs_in: "value",
      output: schema.PutOutput,
      async run({ expected_version, ...sent }, { caller, base, call }) {
        const { slot, value, public: is_public, expires_in } = sent;
        const request = { slot, value, public: is_public, expires_in };
        const precondition = onlyOver(expected_version);
        const put = await lockers.put(caller, { ...request, precondition }, call);
        const { version, expires_at, public_url } = shown.written(base, caller.identity!.name, put);
        return memberOutput({
          slot,
          version,
          ...(expires_at && { expires_at }),
          ...(public_url && { public_url }),
        });
      },
    }),
    defineTool({
      name: "locker_get",
      title: "Read a slot",
      description: "Use to read your slot, or a public slot of owner, which needs no key.",
      changes: "nothing",
      by: "a claimed name",
      input: schema.GetInput,
      output: schema.GetOutput,
      async run({ slot, owner, max_tokens }, { caller }) {
        const chars_max = charsIn(max_tokens);
        if (owner === undefined) return ownSlot(await lockers.get(caller, slot), chars_max);
        return publicSlot(await lockers.getPublic(owner, slot), chars_max);
      },
    }),
    defineTool({
      name: "locker_list",
      title: "List slots",
      description:
        'Use to see your slots and how much space they use; or with of: "all" to find what others publish: the names of all ' +
        "slots, no values.",
      changes: "nothing",
      by: "a claimed name",
      input: schema.ListInput,
      output: schema.ListOutput,
      async run({ of, ...page }, { caller, reserve }) {
        return of === "all" ? allLockers(page, reserve) : ownLocker(caller, page);
      },
    }),
    defineTool({
      name: "locker_delete",
      title: "Delete a slot",
      description: "Use to delete your slot, for good.",
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.DeleteInput,
      output: schema.DeleteOutput,
      async run({ slot, expected_version }, { caller, call }) {
        await lockers.remove(caller, slot, onlyOver(expected_version), call);
        return memberOutput({ slot, deleted: true as const });
      },
    }),
    // A former tool (src/mcp/former_tools.ts).
    defineTool({
      name: "locker_index",
      title: "See all lockers",
      description: "Use to find what others publish: the names of all slots, no values.",
      changes: "nothing",
      by: "anybody",
      input: schema.IndexInput,
      output: schema.IndexOutput,
      run: (page, { reserve }) => allLockers(page, reserve),
    }),
  ];
}
