/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a public slot. */

import { Html } from "@elysiajs/html";
import type { PublicSlot } from "../src/api/locker/locker.ts";
import { Layout } from "./layout.tsx";
import { Name, Note, SlotValue, Time } from "./components.tsx";
import type { Site } from "../src/api/pages.ts";

/** `html`: the value, if it is Markdown. `twin`: the URL of the slot as markdown. */
export async function slotPage(
  site: Site,
  slot: PublicSlot,
  html: string | null,
  twin: string,
): Promise<string> {
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
        Public slot of <Name base={site.base} of={{ name: slot.owner, claimed: true }} /> ·{" "}
        <Time at={slot.updated} />
        {site.me?.name === slot.owner && (
          <>
            {" "}
            · <a href={`${site.base}/me/locker`}>Your locker</a>
          </>
        )}
      </p>
      <SlotValue value={slot.value} html={html} />
      <Note text={slot.treat_as} />
    </Layout>
  );
}
