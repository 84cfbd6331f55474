/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The index of lockers: owners and slot names. */

import { Html } from "@elysiajs/html";
import type { LockerIndex } from "../src/locker/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { NextPage } from "./components.tsx";
import { counted, nameInAddress } from "./text.ts";

export async function lockerIndexPage({ base, navigation }: Site, index: LockerIndex): Promise<string> {
  return (
    <Layout
      frame={{
        title: "Lockers",
        description: index.what_this_shows,
        base,
        navigation,
        alternates: [
          { type: "text/markdown", href: `${base}/locker.md` },
          { type: "application/json", href: `${base}/api/locker/index` },
        ],
      }}
    >
      <h1>Lockers</h1>
      <p safe>{index.what_this_shows}</p>
      <p safe>{index.what_it_does_not_show}</p>
      <p class="about" safe>{`${counted(index.count, "locker")}, ${counted(index.slots_total, "slot")}`}</p>
      <ul class="rooms">
        {index.lockers.map(({ name, slots }) => (
          <li>
            <a href={`${base}/name/${nameInAddress(name)}`} safe>
              {name}
            </a>
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
