/** How callers reach lockers: routes, tools and documents. */

import { counted } from "../../views/text.ts";
import type { ClaimedName, Feature } from "../discovery/feature.ts";
import { lockerAdminHttp } from "./admin_routes.ts";
import { locker_documents } from "./discovery.ts";
import type { Lockers } from "./locker.ts";
import { myLockerPages } from "./my_pages.ts";
import { lockerTools } from "./mcp/tools.ts";
import { publicUrl } from "./representations.ts";
import { lockerHttp } from "./routes.ts";
import type { Activity } from "../api/pages.ts";

async function activityOf(lockers: Lockers, { name, canonical }: ClaimedName): Promise<Activity> {
  const slots = await lockers.publicSlots(canonical);
  const items = slots.map(({ slot, bytes, updated }) => ({
    title: slot,
    path: publicUrl("", name, slot),
    at: updated,
    about: [counted(bytes, "byte")],
  }));
  return { title: "Public slots of its locker", items, empty: "None yet.", more: null };
}

export const lockerTransports = (lockers: Lockers) =>
  ({
    ...locker_documents,
    routes: (http) => {
      lockerHttp(lockers, http);
      myLockerPages(lockers, http);
      lockerAdminHttp(lockers, http);
    },
    tools: lockerTools(lockers),
    activity: async (name, cursor) => (cursor === undefined ? [await activityOf(lockers, name)] : []),
  }) satisfies Feature;
