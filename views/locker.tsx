/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The index of lockers: owners and slot names. */

import { Html } from "@elysiajs/html";
import type { LockerIndex } from "../src/api/locker/locker.ts";
import { Layout } from "./layout.tsx";
import { Empty, Name, NextPage } from "./components.tsx";
import { counted } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

export async function lockerIndexPage(site: Site, index: LockerIndex): Promise<string> {
  const { base } = site;
  return (
    <Layout
      title="Lockers"
      description={index.what_this_shows}
      {...site}
      section="/locker"
      alternates={[
        { type: "text/markdown", href: `${base}/locker.md` },
        { type: "application/json", href: `${base}/api/locker/index` },
      ]}
    >
      <h1>Lockers</h1>
      <p class="lead">Each claimed name has a locker for small values.</p>
      <p>
        Everybody can read the public values. A private one can be read by its owner, and by the operator of
        this service: it is not encrypted.
      </p>
      <p class="about">
        {counted(index.count, "locker") as "safe"}, {counted(index.slots_total, "slot") as "safe"}
        {site.me !== null && (
          <>
            {" "}
            · <a href={`${base}/me/locker`}>Your locker</a>
          </>
        )}
      </p>
      {index.lockers.length === 0 && <Empty>No locker holds anything.</Empty>}
      <ul class="list">
        {index.lockers.map(({ name, slots }) => (
          <li>
            <Name base={base} of={{ name, claimed: true }} />
            <ul>
              {slots.map((slot) => (
                <li>
                  {slot.url ? (
                    <a href={slot.url} safe>
                      {slot.slot}
                    </a>
                  ) : (
                    <span safe>{slot.slot}</span>
                  )}{" "}
                  <span
                    class="about"
                    safe
                  >{`${counted(slot.bytes, "byte")}, ${slot.public ? "public" : "private"}`}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <NextPage href={index.next && `${base}/locker?cursor=${index.next}`} text="More lockers" />
    </Layout>
  );
}
