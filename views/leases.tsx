/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Who holds what in a room. `room.js` replaces the section after a change: see "Pages of a room" in docs/contract.md. */

import { Html } from "@elysiajs/html";
import type { Lease, ShownLeases } from "../src/api/leases.ts";
import { Ask } from "./asks.tsx";
import { ClockTime, Name } from "./components.tsx";
import { revealed } from "./text.ts";

interface HeldProps {
  base: string;
  /** The URLs of the room. */
  room: { url: string; api: string };
  leases: ShownLeases | undefined;
  is_host: boolean;
}

/** The section: hidden if nothing is held. */
export function Held({ base, room, leases, is_host }: HeldProps) {
  if (!leases) return <section id="held" data-live="copy" hidden></section>;
  return (
    <section id="held" class="held" aria-labelledby="held-now" data-live="copy">
      <h2 id="held-now">Held now</h2>
      <ul>
        {leases.leases.map((lease) => (
          <li>
            <LeaseOf base={base} lease={lease} />
            {is_host && <End room={room.url} lease={lease} />}
          </li>
        ))}
      </ul>
      {leases.more && (
        <p class="about">
          <a href={`${room.api}/leases`}>All that is held, as JSON</a>
        </p>
      )}
    </section>
  );
}

const LeaseOf = ({ base, lease: { holder, paths, purpose, until } }: { base: string; lease: Lease }) => (
  <>
    <p class="about">
      <Name base={base} of={{ name: holder, claimed: true }} /> until <ClockTime at={until} is_long />
    </p>
    <ul class="paths">
      {paths.map((path) => (
        <li>
          <bdi>
            <code safe>{revealed(path)}</code>
          </bdi>
        </li>
      ))}
    </ul>
    {purpose !== undefined && (
      <p class="purpose" dir="auto" safe>
        {revealed(purpose)}
      </p>
    )}
  </>
);

/** Ends a lease, for the host of the room. */
const End = ({ room, lease: { holder, paths } }: { room: string; lease: Lease }) => (
  <Ask
    text="End this lease"
    asks={`End the lease of “${revealed(holder)}”? Others can then take what it holds, and the holder finds a note.`}
    action={`${room}/break`}
    fields={{ paths: paths.join("\n") }}
    button="End it"
  />
);
