/** The declarations of rooms for the rest of the service. */

import { underName, withRules, type CommandDefinitions } from "../core/commands.ts";
import type { SearchDefinitions } from "../core/search.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import { commandOf, type Tx } from "../core/storage.ts";
import * as admin from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { room_errors } from "./errors.ts";
import { asHost } from "./host_rights.ts";
import { room_hints } from "./hints.ts";
import { putMember, removeMember } from "./members/commands.ts";
import { searchMentions } from "./mentions.ts";
import { setPace } from "./pace/commands.ts";
import { speakAll } from "./posting.ts";
import { redactPost } from "./redaction.ts";
import { indexNext, roomsBacklog } from "./indexing_store.ts";
import { searchOwn } from "./members/search.ts";
import { searchGoals, searchRooms } from "./search.ts";

const by_admin = "an admin causes it";

const roomCommands = (rules: commands.SpeakRules) => {
  const bound = withRules<commands.RoomRules>(rules);
  const withSpeakers = withRules(rules);
  /** A command that speaks. The runner checks whether its caller may. */
  const speaking = <Input, Result>(
    command: (tx: Tx, rules: commands.SpeakRules, input: Input) => Promise<Result>,
  ) => ({ run: withSpeakers(command), speaks: true as const });
  return {
    "rooms.open": { ...speaking(commands.openRoom), counted_as: "open_room", numbers: "rooms" },
    "rooms.speak": {
      run: commandOf(withSpeakers(speakAll)),
      speaks: true,
      // Its id is new, and names other than the caller's are only read.
      changes: ["room"],
      counted_as: "write",
    },
    "rooms.close": {
      run: asHost<commands.RoomRules>(rules)(commands.closeRoom),
      counted_as: "write",
      over_budget_because: "changes a row, and ends what grows",
    },
    "rooms.take_over": {
      run: underName(rules)(bound(commands.takeOverRoom)),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "rooms.set_pace": {
      run: asHost<commands.RoomRules>(rules)(setPace),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "rooms.put_member": {
      run: asHost<commands.RoomRules>(rules)(putMember),
      counted_as: "write",
    },
    "rooms.remove_member": {
      run: asHost<commands.RoomRules>(rules)(removeMember),
      counted_as: "write",
      over_budget_because: "removes rows",
    },
    "rooms.conclude": { ...speaking(commands.concludeRoom), counted_as: "write" },
    "rooms.redact": {
      run: bound(redactPost),
      counted_as: "write",
      over_budget_because: "frees the text of a post",
    },
    "rooms.hide_post": { run: bound(admin.hidePost), bounded_because: by_admin },
    "rooms.restore_post": { run: bound(admin.restorePost), bounded_because: by_admin },
    "rooms.erase_post": { run: bound(admin.erasePost), bounded_because: by_admin },
    "rooms.admin_close": { run: bound(admin.closeRoom), bounded_because: by_admin },
    "rooms.reopen": { run: bound(admin.reopenRoom), bounded_because: by_admin },
    "rooms.delete": { run: bound(admin.deleteRoom), bounded_because: by_admin },
    "rooms.empty_deleted": {
      run: async (tx: Tx, _input: null) => ({ more: await admin.emptyNext(tx) }),
      bounded_because: "erases the posts of rooms that an admin deleted",
    },
    "rooms.remove_posts": {
      run: admin.removePosts,
      bounded_because: "removes posts that are old, and none twice",
    },
    "rooms.finish_removal": {
      run: (tx: Tx, _input: null) => admin.finishRemoval(tx),
      bounded_because: "stores nothing",
    },
    /** Indexes the latest posts, so that a search finds every post that was acknowledged before it. */
    "rooms.index": {
      run: async (tx: Tx, _input: null) => ({ more: await indexNext(tx) }),
      bounded_because: "indexes what was written before, and nothing twice",
      runs_alone: true,
      waits_for_space: true,
    },
  } satisfies CommandDefinitions;
};

export type RoomCommands = ReturnType<typeof roomCommands>;

const indexed = { backlog: roomsBacklog, indexed_by: "rooms.index" };

const roomSearches = (rules: Pick<commands.SpeakRules, "canonicalName" | "claimedSince">) =>
  ({
    "rooms.search": { run: searchRooms, ...indexed },
    "rooms.search_own": { run: withRules(rules)(searchOwn), ...indexed },
    /** Slugs of rooms by the words of their goals, to complete one. */
    "rooms.goals": { run: searchGoals, ...indexed },
    /** Mentions of a name that is claimed now. */
    "rooms.mentions": { run: withRules(rules)(searchMentions), ...indexed },
  }) satisfies SearchDefinitions;

export type RoomSearches = ReturnType<typeof roomSearches>;

export const roomFeature = (rules: commands.SpeakRules) =>
  ({
    commands: roomCommands(rules),
    searches: roomSearches(rules),
    chores: [admin.emptyDeleted, indexNext],
    errors: room_errors,
    hints: room_hints,
  }) satisfies FeatureDeclaration;
