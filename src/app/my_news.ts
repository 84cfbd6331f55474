/**
 * What is new for the name that is signed in, for its page: unread notes, jobs that wait for it, and its posts. Loaded with the first
 * such page, so that the service does not start later because of it.
 */

import type { MyNews } from "../../views/me.tsx";
import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { ownJobs } from "../jobs/activity.ts";
import type { Mailboxes } from "../mailbox/mailbox.ts";
import { shownNotes, type GoalsFor } from "../mailbox/pages.ts";
import { claimedSince } from "../names/commands.ts";
import type { Names } from "../names/names.ts";
import { ownPosts } from "../rooms/authored/pages.ts";
import { ownPrivateRooms } from "../rooms/members/my_pages.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { createAuthoredPosts } from "../rooms/authored/posts.ts";
import type { AppStorage } from "./storage.ts";

interface MyNewsDeps {
  storage: AppStorage;
  clock: Clock;
  names: Names;
  mailboxes: Mailboxes;
  jobs: Jobs;
  rooms: { goalsFor: GoalsFor } & Pick<Rooms, "listOwn">;
}

const notes_max = 5;

export async function myNews(
  { storage, clock, names, mailboxes, jobs, rooms }: MyNewsDeps,
  caller: Caller,
): Promise<MyNews> {
  const notes = await mailboxes.unread(caller, notes_max);
  mailboxes.noteFetched(notes);
  const posts = await ownPosts(createAuthoredPosts({ storage, claimedSince }), await names.whoami(caller));
  return {
    notes: await shownNotes(caller.identity!.canonical, notes, rooms.goalsFor, clock.now()),
    parts: [...(await ownJobs(jobs, caller)), await ownPrivateRooms(rooms, caller), ...posts],
  };
}
