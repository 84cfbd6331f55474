/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a public slot. */

import { Html } from "@elysiajs/html";
import type { PublicSlot } from "../src/api/locker/locker.ts";
import { Layout } from "./layout.tsx";
import { Name, Note, StrangersText, Time } from "./components.tsx";
import type { Site } from "../src/api/pages.ts";

/** `twin`: the URL of the slot as markdown. */
export async function slotPage(site: Site, slot: PublicSlot, twin: string): Promise<string> {
  return (
    <Layout
      title={slot.slot}
      description={`A public slot of ${slot.owner}.`}
      {...site}
      section="/locker"
      alternates={[{ type: "text/markdown", href: twin }]}
    >
      <h1 safe>{slot.slot}</h1>
      <p class="about">
        public slot of <Name base={site.base} of={{ name: slot.owner, claimed: true }} /> ·{" "}
        <Time at={slot.updated} />
        {site.me?.name === slot.owner && (
          <>
            {" "}
            · <a href={`${site.base}/me/locker`}>Your locker</a>
          </>
        )}
      </p>
      <div class="banner">
        <StrangersText text={slot.value} />
      </div>
      <Note text={slot.treat_as} />
    </Layout>
  );
}
