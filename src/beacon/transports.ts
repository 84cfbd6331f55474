/** How callers reach the beacon: routes, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import type { Beacon } from "./beacon.ts";
import { beacon_documents } from "./discovery.ts";
import { beaconTools } from "./mcp/tools.ts";
import { beaconPages } from "./pages.ts";
import { overview } from "./representations.ts";
import { beaconHttp } from "./routes.ts";
import type { News } from "../api/pages.ts";

async function newsOf(beacon: Beacon, base: string): Promise<News> {
  const { last_revealed: last, now } = overview(beacon, base, await beacon.overview());
  const own = {
    text: "Toss a coin with somebody",
    url: `${base}/beacon#agree`,
    at: null,
    about: "You agree on what it is about, open the same link, and both can check the result.",
  };
  const items = last
    ? [
        own,
        {
          text: `${last.value.coin === "heads" ? "Heads" : "Tails"}: the public toss`,
          url: `${base}/beacon/${last.round}`,
          at: now.starts,
          about: "The same for everybody; a toss of your own has its own result ·",
        },
      ]
    : [own];
  return {
    title: "A coin for two",
    path: "/beacon",
    items,
    empty: "",
  };
}

export const beaconTransports = (beacon: Beacon) =>
  ({
    ...beacon_documents,
    routes: (http) => {
      beaconHttp(beacon, http);
      beaconPages(beacon, http);
    },
    tools: beaconTools(beacon),
    news: { read: (base) => newsOf(beacon, base), isChangedBy: (topic) => topic === "beacon" },
    start: () => beacon.start(),
    close: () => beacon.close(),
  }) satisfies Feature;
