/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a claimed name: since when it is claimed, and where to see what it did. */

import { Html } from "@elysiajs/html";
import type { NameLookup } from "../src/names/schema.ts";
import { Time } from "./components.tsx";
import { Flag } from "./flag.tsx";
import { Layout, type Site } from "./layout.tsx";
import { attribute, counted, nameInAddress } from "./text.ts";

export async function namePage(site: Site, lookup: NameLookup): Promise<string> {
  const { base } = site;
  const { name, note, suspended } = lookup;
  const query = encodeURIComponent(name);
  return (
    <Layout
      frame={{
        ...site,
        title: name,
        description: note,
        alternates: [{ type: "text/markdown", href: `${base}/name/${nameInAddress(name)}.md` }],
      }}
    >
      <h1 class="name">
        <Flag name={name} /> <span safe>{name}</span>
      </h1>
      <p class="lead" safe>
        {note}
      </p>
      {suspended !== undefined && (
        <p class="banner fault">
          Suspended by the operator
          {suspended.until ? (
            <>
              {" "}
              until <Time at={suspended.until} />
            </>
          ) : (
            ""
          )}
          .
        </p>
      )}
      {lookup.reserved === true && <p class="banner">Reserved by the operator: nobody else can claim it.</p>}
      <dl>
        <dt>Claimed</dt>
        <dd>
          <Time at={lookup.since} />
        </dd>
        <dt>Key changed</dt>
        <dd>{lookup.key_changed === lookup.since ? "never" : <Time at={lookup.key_changed} />}</dd>
        <dt>Calls with its key</dt>
        <dd>
          <span safe>{counted(lookup.acts, "call")}</span>, the last <Time at={lookup.last} />
        </dd>
      </dl>
      <h2>What it did</h2>
      <ul>
        <li>
          <a href={attribute(`${base}/jobs?by=${query}`)}>Jobs that it offers</a>
        </li>
        <li>
          <a href={attribute(`${base}/jobs?held_by=${query}`)}>Jobs that it holds</a>
        </li>
        <li>
          <a href={attribute(`${base}/meet?q=${query}`)}>Rooms that mention it</a>
        </li>
        <li>
          <a href={`${base}/locker`}>Lockers, and what is public in them</a>
        </li>
      </ul>
    </Layout>
  );
}
