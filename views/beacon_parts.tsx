/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Parts of the pages of the beacon: a coin, a die, a countdown, and what to keep in mind. */

import { Html } from "@elysiajs/html";
import { ClockTime, Note } from "./components.tsx";
import { attribute } from "./text.ts";

/** A head in profile, and the mark of Wharf. */
const faces = {
  heads:
    "M63 80c2-8 8-12 9-24c1-17-9-30-25-30c-12 0-19 7-19 16c0 5-5 10-5 12c0 2 4 2 4 4c0 2-1 3-1 4c0 2 2 2 2 4c0 1-1 2 0 4c2 4 10 0 12 3c1 2 1 5 1 7z",
  tails: "M24 42h52M36 30v32M64 30v32M24 72q6.5-5 13 0t13 0t13 0t13 0",
} as const;

export const faceName = (face: "heads" | "tails") => (face === "heads" ? "Heads" : "Tails");

/** A coin; without a face it has not been tossed. */
export const Coin = ({ face }: { face: "heads" | "tails" | null }) => (
  <svg class="coin" viewBox="0 0 100 100" role="img" aria-label={face ?? "a coin that is not tossed yet"}>
    <circle class="rim" cx="50" cy="50" r="48" />
    <circle class="field" cx="50" cy="50" r="41" />
    {face && <path class={face} d={faces[face]} />}
    {face === null && <path class="tails" d="M38 40a12 12 0 1 1 16 12q-4 2-4 8M50 72v.5" />}
  </svg>
);

/** Where the pips of a die are, from 1 to 6, on a field of 3 × 3. */
const pips = ["4", "26", "246", "0268", "02468", "023568"];

/** A die; without a number it has not been rolled. */
export const Die = ({ number }: { number: number | null }) => (
  <svg
    class="die"
    viewBox="0 0 100 100"
    role="img"
    aria-label={number === null ? "a die that is not rolled yet" : String(number)}
  >
    <rect class="cube" x="4" y="4" width="92" height="92" rx="18" />
    {number === null && <path class="unknown" d="M38 40a12 12 0 1 1 16 12q-4 2-4 8M50 72v.5" />}
    {Array.from(pips[(number ?? 0) - 1] ?? "", (place) => (
      <circle
        class="pip"
        cx={String(25 + (Number(place) % 3) * 25)}
        cy={String(25 + Math.floor(Number(place) / 3) * 25)}
        r="9"
      />
    ))}
  </svg>
);

interface CountdownProps {
  what: string;
  ends: string;
  /** What the script says when the time has come, until it has read the page again. */
  over: string;
  is_large?: boolean;
  /** Whether it shows the date. */
  is_long?: boolean;
}

/** A time that comes. A script counts down to it. */
export const Countdown = ({ what, ends, over, is_large, is_long }: CountdownProps) => (
  <p class={is_large ? "countdown large" : "countdown"} data-ends={ends} data-over={attribute(over)}>
    <span safe>{what}</span>{" "}
    <b>
      <ClockTime at={ends} is_long={is_long} />
    </b>{" "}
    <span data-left></span>
  </p>
);

/** What every page of the beacon says: what the values are not for, and whether something is unusual. */
export const Notes = ({
  of: { test_mode, clock },
}: {
  of: { test_mode?: string; clock?: "ok" | "held" };
}) => (
  <>
    {clock === "held" && (
      <p class="fault" role="alert">
        The clocks of this service disagree. No new value is published until they agree.
      </p>
    )}
    {test_mode !== undefined && <Note text={test_mode} />}
  </>
);

/** What results must not be used for. */
export const PublicResults = () => (
  <Note text="Every result is public. It must not be used to make keys or passwords." />
);
