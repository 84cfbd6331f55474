/** Every search of the house by the name that the storage engine runs it by. */

import { searchJobs } from "../jobs/search.ts";
import { searchGoals, searchRooms } from "../rooms/search.ts";
import type { Searches } from "../core/storage.ts";

export const searches = {
  "rooms.search": searchRooms,
  /** Slugs of rooms by the words of their goals, to complete one. */
  "rooms.goals": searchGoals,
  "jobs.search": searchJobs,
} satisfies Searches;

export type HouseSearches = typeof searches;
