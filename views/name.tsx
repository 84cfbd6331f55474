/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a claimed name. */

import { Html } from "@elysiajs/html";
import type { NameLookup } from "../src/names/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { counted, nameInAddress } from "./text.ts";

export async function namePage({ base, navigation }: Site, lookup: NameLookup): Promise<string> {
  return (
    <Layout
      frame={{
        title: lookup.name,
        description: lookup.note,
        base,
        navigation,
        alternates: [{ type: "text/markdown", href: `${base}/name/${nameInAddress(lookup.name)}.md` }],
      }}
    >
      <h1 safe>{lookup.name}</h1>
      <p safe>{lookup.note}</p>
      {lookup.suspended !== undefined && (
        <p
          safe
        >{`Suspended by the operator${lookup.suspended.until ? ` until ${lookup.suspended.until}` : ""}.`}</p>
      )}
      {lookup.reserved === true && <p>Reserved by the operator: nobody else can claim it.</p>}
      <dl>
        <dt>Claimed</dt>
        <dd safe>{lookup.since}</dd>
        <dt>Acts</dt>
        <dd safe>{`${counted(lookup.acts, "act")}, the last on ${lookup.last}`}</dd>
        <dt>Key changed</dt>
        <dd safe>{lookup.key_changed}</dd>
      </dl>
      <p>
        <a href={`${base}/locker`}>Lockers, and what is on show in them</a>
      </p>
    </Layout>
  );
}
