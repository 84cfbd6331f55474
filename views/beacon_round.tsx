/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a round or a toss: before its end the agreement, after it the result and how to check it. */

import { Html } from "@elysiajs/html";
import { Notes, PublicResults } from "./beacon_parts.tsx";
import { Result } from "./beacon_result.tsx";
import { Agreed, isDie, type RoundView } from "./beacon_toss.tsx";
import { Layout } from "./layout.tsx";
import { shortTime } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

export async function beaconRoundPage(site: Site, view: RoundView): Promise<string> {
  const { base } = site;
  const { round, query } = view;
  const number = String(round.round);
  const title = titleOf(view);
  return (
    <Layout
      {...site}
      section="/beacon"
      title={`${title}, ${shortTime(round.ends)}`}
      description={`Round ${number} of the beacon, with its proof.`}
      noindex={query !== ""}
      scripts={["beacon.js"]}
      alternates={[
        { type: "text/markdown", href: `${base}/beacon/${number}.md` },
        { type: "application/json", href: `${base}/api/beacon/${number}` },
      ]}
    >
      <h1 safe>{title}</h1>
      <Notes of={round} />
      <p class="unseen" role="status" id="said"></p>
      <div id="toss" data-fresh>
        {round.seed === null ? <Agreed base={base} view={view} /> : <Result base={base} view={view} />}
      </div>
      <PublicResults />
    </Layout>
  );
}

function titleOf({ request, label }: RoundView): string {
  if (!request) return label ? "A coin toss" : "The public toss";
  if (request.kind === "int") return isDie(request) ? "A roll of a die" : "A random number";
  return request.kind === "pick" ? "A random pick" : "A random order";
}
