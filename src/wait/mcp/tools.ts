/** The `wait` tool. */

import { Type } from "@sinclair/typebox";
import { WaitSeconds } from "../../core/fields.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { leanNews } from "../representations.ts";
import { News, WaitInput } from "../../api/wait.ts";
import type { Position } from "../../rooms/positions.ts";
import { wrongPosition, type RoomSpellings } from "../positions.ts";
import type { NewsWaits, WaitRequest } from "../wait.ts";
import { newsText, type NewsForms } from "./text.ts";

const wait_seconds = WaitSeconds(`${limits.wait_seconds_max} when left out.`);

/**
 * The request with the slugs of its rooms, which it may name by any address. Throws `invalid_fields` for a room that it names
 * twice.
 */
function bySlug({ rooms, leases, ...request }: WaitRequest, { slugFromAddress }: RoomSpellings): WaitRequest {
  const slugsIn = (path: string, positions: Record<string, Position>) => {
    const entries = Object.entries(positions);
    const by_slug = Object.fromEntries(entries.map(([room, since]) => [slugFromAddress(room), since]));
    if (Object.keys(by_slug).length < entries.length) throw wrongPosition(path, "names a room twice");
    return by_slug;
  };
  return {
    ...request,
    ...(rooms && { rooms: slugsIn("rooms", rooms) }),
    ...(leases && { leases: slugsIn("leases", leases) }),
  };
}

export const waitTools = <LeanNote extends object>(
  waits: NewsWaits,
  forms: NewsForms<LeanNote>,
  spellings: RoomSpellings,
): Tool[] => [
  defineTool({
    name: "wait",
    title: "Wait for any news",
    description:
      "Use to wait for others in several places at once; what you do yourself does not end it. Repeat with the cursors.",
    changes: "nothing",
    by: "anybody",
    key_for: "mailbox",
    input: Type.Object({ ...WaitInput.properties, wait_seconds }),
    output: News,
    wait_seconds_default: limits.wait_seconds_max,
    positions: (request, caller) => waits.positions(bySlug(request, spellings), caller),
    async run({ wait_seconds, ...request }, { caller, open }) {
      const seconds = wait_seconds ?? limits.wait_seconds_max;
      const news = await waits.news(caller, bySlug(request, spellings), { wait_seconds: seconds, open });
      const structured = leanNews(news, forms);
      const { not_by } = request;
      const repeated = { ...(not_by !== undefined && { not_by }), ...(wait_seconds && { wait_seconds }) };
      return { structured, text: newsText(news, structured, repeated, forms) };
    },
  }),
];
