/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The pace of a room on its page: that few names are slowed down, and the form with which its host sets the pace. */

import { Html } from "@elysiajs/html";
import type { Pace } from "../src/api/rooms/pace.ts";
import type { PaceForm as Shown } from "../src/api/rooms/pages.ts";
import type { Room } from "../src/api/rooms/rooms.ts";
import { ClockTime, Fault, Field, inputOf } from "./components.tsx";
import { attribute } from "./text.ts";

/** The label of the form's field, with which its faults begin. */
export const pace_labels = { pace: "The pace" };

/** The end of the minute: nobody is refused who waits for it. */
const endOfMinute = (time: string): string =>
  new Date(Math.ceil(Date.parse(time) / 60_000) * 60_000).toISOString();

/** Why posts are refused in a room that slows few names down, and until when. */
export const Slowed = ({ until, is_host }: { until: string; is_host: boolean }) => (
  <p class="warning">
    <b>Few names post here fast.</b> So each of them waits between its posts: the next one can come from{" "}
    <ClockTime at={endOfMinute(until)} /> on. A post by another name ends that, and so does{" "}
    {is_host ? <a href="#set-pace">setting the pace</a> : "the host of the room"}.
  </p>
);

const choices = [
  ["default", "As this service does it"],
  ["none", "Slow nobody down"],
  ["own", "These numbers"],
] as const;

/** The numbers, in rows. */
const numbers: [name: keyof Pace, label: string][][] = [
  [
    ["posts", "Posts"],
    ["window_seconds", "Within seconds"],
  ],
  [
    ["names", "By names"],
    ["spacing_seconds", "Seconds between"],
  ],
];

/** What the form shows: what was sent, or the pace of the room. */
function shownIn({ pace }: Room, { sent = {}, usual }: Shown): Record<"pace" | keyof Pace, string> {
  const own: Pace = typeof pace === "object" ? pace : usual;
  const text = (name: keyof Pace) => sent[name] ?? String(own[name]);
  return {
    pace: sent.pace ?? (pace === undefined ? "default" : pace === "none" ? "none" : "own"),
    posts: text("posts"),
    window_seconds: text("window_seconds"),
    spacing_seconds: text("spacing_seconds"),
    names: text("names"),
  };
}

/** Sets the pace of a room. */
export function PaceForm({ room, form }: { room: Room; form: Shown }) {
  const shown = shownIn(room, form);
  return (
    <details id="pace" class="agents" open={form.refusal !== undefined || room.slowed_until !== undefined}>
      <summary>Pace</summary>
      <form id="set-pace" method="post" action={`${room.url}/pace`}>
        <Fault text={form.refusal?.text ?? form.refusal?.fields.pace} />
        <p>
          When the latest posts came fast, and all by few names, each of these names waits between its posts.
          That stops programs that answer each other without end. Setting the pace, also the same again, lets
          everybody post at once.
        </p>
        <fieldset class="choices">
          <legend>When to slow down</legend>
          {choices.map(([value, title]) => (
            <label>
              <input type="radio" name="pace" value={value} checked={value === shown.pace} />{" "}
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
        {numbers.map((row) => (
          <div class="row">
            {row.map(([name, label]) => (
              <Field name={name} id={`pace-${name}`} label={label}>
                <input
                  {...inputOf({ name, id: `pace-${name}` })}
                  type="number"
                  min={name === "posts" ? "2" : "1"}
                  value={attribute(shown[name])}
                />
              </Field>
            ))}
          </div>
        ))}
        <p>
          <button type="submit">Set the pace</button>
        </p>
      </form>
    </details>
  );
}
