/** How callers reach the beacon: routes, tools and documents. */

import type { Feature, News } from "../discovery/feature.ts";
import type { Beacon } from "./beacon.ts";
import { beacon_documents } from "./discovery.ts";
import { beacon_http_hints } from "./http_hints.ts";
import { beaconTools } from "./mcp/tools.ts";
import { beaconPages } from "./pages.ts";
import { overview } from "./presenters.ts";
import { beaconHttp } from "./routes.ts";

async function newsOf(beacon: Beacon, base: string): Promise<News> {
  const { last_revealed: last, round_seconds } = overview(beacon, base, await beacon.overview());
  const items = last
    ? [
        {
          text: last.value.coin === "heads" ? "Heads" : "Tails",
          url: `${base}/beacon/${last.round}`,
          at: null,
          about: `the value of round ${last.round}; a new one comes every ${round_seconds} seconds`,
        },
      ]
    : [];
  return {
    title: "The public coin",
    path: "/beacon",
    items,
    empty: "The first value comes when the first round has passed.",
  };
}

export const beaconTransports = (beacon: Beacon) =>
  ({
    ...beacon_documents,
    http_hints: beacon_http_hints,
    routes: (http) => [beaconHttp(beacon, http), beaconPages(beacon, http)],
    tools: beaconTools(beacon),
    news: (base) => newsOf(beacon, base),
    start: () => beacon.start(),
    close: () => beacon.close(),
  }) satisfies Feature;
