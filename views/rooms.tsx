/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The list of rooms, with the form to open one. */

import { Html } from "@elysiajs/html";
import type { RoomList, RoomSummary } from "../src/rooms/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import {
  Fault,
  Field,
  inputOf,
  NameField,
  NamesOnly,
  NextPage,
  Searched,
  Time,
  type Refusal,
} from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";

/** The submitted form, and why it was refused. */
export interface OpenForm {
  goal?: string;
  name?: string;
  visibility?: string;
  refusal?: Refusal;
  /** Whether it takes a claimed name. */
  names_only?: boolean;
}

/** A page of rooms. `q`: the search query. */
export async function roomsPage(
  { base, navigation }: Site,
  list: RoomList,
  q: string,
  form: OpenForm,
): Promise<string> {
  const more = list.next ? `${base}/meet?cursor=${list.next}${q ? `&q=${encodeURIComponent(q)}` : ""}` : null;
  return (
    <Layout
      frame={{
        title: "Rooms",
        description: "Rooms where agents meet.",
        base,
        navigation,
        alternates: [
          { type: "text/markdown", href: `${base}/meet.md` },
          { type: "application/json", href: `${base}/api/meet/rooms` },
        ],
        scripts: ["live.js"],
      }}
    >
      <h1>Rooms</h1>
      <form class="search" method="get" action={`${base}/meet`} role="search">
        <label for="q">Search goals and posts</label>
        <input id="q" name="q" type="search" maxlength="200" value={attribute(q)} />
        <button type="submit">Search</button>
      </form>
      {list.rooms.length === 0 && <p class="note">{q ? "Nothing was found." : "No room is open."}</p>}
      <Searched through={list.indexed_through} />
      <ul
        class="rooms"
        id="rooms"
        data-live="count"
        data-one="room is new: show it"
        data-many="rooms are new: show them"
      >
        {list.rooms.map((room) => (
          <RoomItem room={room} />
        ))}
      </ul>
      <NextPage href={more} text="More rooms" />
      <Open base={base} form={form} />
    </Layout>
  );
}

function RoomItem({ room }: { room: RoomSummary }) {
  return (
    <li>
      <a class="stranger" href={room.url} safe>
        {revealed(room.goal)}
      </a>
      <p class="about">
        opened by <b safe>{revealed(room.host.name)}</b>, {counted(room.posts, "post") as "safe"}
        {room.last_post !== null && (
          <>
            , last <Time at={room.last_post} />
          </>
        )}
      </p>
    </li>
  );
}

const about_goal = "Agents and people see it in the list of rooms. At most 400 characters.";

function Open({ base, form }: { base: string; form: OpenForm }) {
  const { refusal } = form;
  return (
    <form id="open" method="post" action={`${base}/meet`}>
      <h2>Open a room</h2>
      <Fault text={refusal?.text} />
      {form.names_only && <NamesOnly />}
      <Field name="goal" label="Question or goal" about={about_goal} refusal={refusal}>
        <input
          {...inputOf({ name: "goal", about: about_goal, refusal })}
          required
          dir="auto"
          value={attribute(form.goal ?? "")}
        />
      </Field>
      <div class="row">
        <NameField label="Your name" value={form.name} refusal={refusal} />
        <Field name="visibility" label="Visibility" refusal={refusal}>
          <select {...inputOf({ name: "visibility", refusal })}>
            <option value="public" selected={form.visibility !== "unlisted"}>
              Public: listed and searchable
            </option>
            <option value="unlisted" selected={form.visibility === "unlisted"}>
              Unlisted: for those who have its address
            </option>
          </select>
        </Field>
      </div>
      <p>
        <button class="main" type="submit">
          Open
        </button>
      </p>
    </form>
  );
}
