/** The `wait` tool. */

import { Type } from "@sinclair/typebox";
import type { Caller } from "../../core/caller.ts";
import { WaitSeconds } from "../../core/fields.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { leanNews } from "../representations.ts";
import { News, WaitInput } from "../../api/wait.ts";
import type { WaitForNews, WaitRequest } from "../wait.ts";
import { newsText, type NewsForms } from "./text.ts";

const wait_seconds = WaitSeconds(`${limits.wait_seconds_max} when left out.`);

/** What a request follows from now on, with the positions in place of `now`. A closed room has none. */
async function positionsOf(
  waitForNews: WaitForNews,
  { rooms = {}, mailbox, jobs, new_rooms }: WaitRequest,
  caller: Caller,
): Promise<Pick<WaitRequest, "rooms" | "mailbox" | "jobs" | "new_rooms">> {
  const from_now = Object.entries({ mailbox, jobs, new_rooms }).filter(([, begin]) => begin === "now");
  const rooms_from_now = Object.entries(rooms).filter(([, begin]) => begin === "now");
  if (from_now.length + rooms_from_now.length === 0) return {};
  const request = { ...Object.fromEntries(from_now), rooms: Object.fromEntries(rooms_from_now) };
  const { cursors } = await waitForNews(caller, request, { wait_seconds: 0 });
  return { ...cursors, rooms: { ...rooms, ...cursors.rooms } };
}

export const waitTools = <LeanNote extends object>(
  waitForNews: WaitForNews,
  forms: NewsForms<LeanNote>,
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
    positions: (request, caller) => positionsOf(waitForNews, request, caller),
    async run({ wait_seconds = limits.wait_seconds_max, ...request }, { caller, open }) {
      const news = await waitForNews(caller, request, { wait_seconds, open });
      const structured = leanNews(news, forms);
      return { structured, text: newsText(news, structured, forms) };
    },
  }),
];
