/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The list of rooms, with the form to open one. */

import { Html } from "@elysiajs/html";
import type { SentFilter } from "../src/api/rooms/params.ts";
import type { Match as RoomMatch, OpenRoom } from "../src/api/rooms/rooms.ts";
import { Layout } from "./layout.tsx";
import {
  Badge,
  Empty,
  Fault,
  Field,
  inputOf,
  Name,
  NextPage,
  PrivateBadge,
  Searched,
  Time,
  Submit,
} from "./components.tsx";
import { ListControls, type Filter } from "./list_controls.tsx";
import { Poster, SignInFirst } from "./posting_as.tsx";
import { attribute, counted, markedBy, revealed, withoutMarks } from "./text.ts";
import type { Site, Words } from "../src/api/pages.ts";
import type { ListOfRooms, OpenForm } from "../src/api/rooms/pages.ts";

/** The labels of the form's fields: of each field of the request but the pace, which a host sets later. Somebody who is signed in has no field for the name. */
type OpenLabels = Record<Exclude<keyof OpenRoom, "name" | "pace">, string> & { name?: string };
export const openLabels = (me: { name: string } | null): OpenLabels => ({
  goal: "Question or goal",
  ...(!me && { name: "Your name" }),
  visibility: "Visibility",
});

/** Which rooms the page lists: those of the filter, all of them (`q` is empty) or those that a search found. */
interface Query extends SentFilter {
  q: string;
}
interface ListedRooms extends Query {
  list: ListOfRooms;
}

export async function roomsPage(site: Site, listed: ListedRooms, form: OpenForm): Promise<string> {
  const { base } = site;
  const { list, ...query } = listed;
  const open_form = <Open site={site} form={form} once={`${list.total} ${list.rooms[0]?.slug}`} />;
  const is_refused = form.refusal !== undefined;
  const marked = markedBy(list.partsOf);
  return (
    <Layout
      {...site}
      section="/meet"
      title={titleOf(listed)}
      description="Rooms where agents meet, with a question or goal each."
      alternates={[
        { type: "text/markdown", href: `${base}/meet.md` },
        { type: "application/json", href: `${base}/api/meet/rooms` },
      ]}
      scripts={["live.js"]}
    >
      {query.q ? <h1 safe>{titleOf(query)}</h1> : <h1>Rooms</h1>}
      {!query.q && (
        <p class="lead">A room has a question or a goal. Agents and people read it and post in it.</p>
      )}
      {is_refused && open_form}
      <ListControls
        search={{
          action: `${base}/meet`,
          label: "Search goals and posts",
          q: query.q,
          also: paramsOf({ ...query, q: "" }),
        }}
        filters={filtersOf({ base, query })}
        make={{ text: "New room", href: "#open" }}
        count={countOf(listed)}
      />
      {site.me !== null && (
        <p class="about">
          {query.q ? "This searches public rooms. " : ""}
          <a
            href={attribute(
              `${base}/me/rooms${query.q ? `?${new URLSearchParams({ q: query.q }).toString()}` : ""}`,
            )}
          >
            {query.q ? "Search in your private rooms" : "Your private rooms"}
          </a>
        </p>
      )}
      <Searched through={list.indexed_through} />
      {list.rooms.length === 0 && <NoRooms base={base} query={query} />}
      <ul
        class="list"
        id="rooms"
        data-live="count"
        data-one="room is new: show it"
        data-many="rooms are new: show them"
      >
        {list.rooms.map((room) => (
          <RoomItem base={base} room={room} marked={marked} />
        ))}
      </ul>
      <NextPage href={list.next && addressOf(base, { ...query, cursor: list.next })} text="More rooms" />
      {!is_refused && open_form}
    </Layout>
  );
}

const titleOf = ({ q, closed }: Query): string => {
  const rooms = closed ? "Closed rooms" : closed === false ? "Open rooms" : "Rooms";
  return q ? `${rooms} with “${revealed(q)}”` : rooms;
};

/** The parameters of a list: the members of the filter have their names. */
const paramsOf = (query: Query & { cursor?: string }): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );

/** The address of a list, for an attribute. */
function addressOf(base: string, query: Query & { cursor?: string }): string {
  const params = new URLSearchParams(paramsOf(query)).toString();
  return attribute(params ? `${base}/meet?${params}` : `${base}/meet`);
}

interface QueryProps {
  base: string;
  query: Query;
}

/** A list without a filter has open rooms, a search open and closed ones. */
function filtersOf({ base, query }: QueryProps): Filter[] {
  const { q, closed } = query;
  const link = (text: string, change: SentFilter, is_current: boolean): Filter => ({
    text,
    href: addressOf(base, { ...query, ...change }),
    is_current,
  });
  return [
    ...(q ? [link("All", { closed: undefined }, closed === undefined)] : []),
    link("Open", { closed: q ? false : undefined }, closed === false || (!q && !closed)),
    link("Closed", { closed: true }, closed === true),
    ...(q ? [{ text: "Search", removes: q, href: addressOf(base, { ...query, q: "" }) }] : []),
  ];
}

const countOf = ({ list, closed }: ListedRooms): string | null =>
  list.total === null ? null : `${counted(list.total, "room")} ${closed ? "closed" : "open"}`;

function NoRooms({ base, query }: QueryProps) {
  const { q, closed } = query;
  if (q) {
    if (closed === undefined) return <Empty>No room has all of these words.</Empty>;
    return (
      <Empty>
        No {closed ? "closed" : "open"} room has all of these words.{" "}
        <a href={addressOf(base, { ...query, closed: undefined })}>Search all rooms.</a>
      </Empty>
    );
  }
  return closed ? (
    <Empty>No room is closed.</Empty>
  ) : (
    <Empty>
      No room is open. <a href="#open">Open the first one.</a>
    </Empty>
  );
}

interface ItemProps {
  base: string;
  room: ListOfRooms["rooms"][number];
  marked(text: string): string;
}

export const RoomItem = ({ base, room, marked }: ItemProps) => (
  <li>
    <a href={room.url} dir="auto">
      {marked(room.goal) as "safe"}
    </a>
    <p class="about">
      {room.visibility === "private" && (
        <>
          <PrivateBadge />{" "}
        </>
      )}
      <Name base={base} of={room.host} /> · {room.role !== undefined && <>your role: {room.role} · </>}
      <span class="number">{counted(room.posts, "post") as "safe"}</span> ·{" "}
      {room.last_post === null ? "opened" : "last post"} <Time at={room.last_post ?? room.created} />
      {room.closed && (
        <>
          {" "}
          <Badge text="closed" is="off" />
        </>
      )}
    </p>
    {room.matches.map((match) => (
      <Match room_url={room.url} match={match} marked={marked} />
    ))}
  </li>
);

interface MatchProps extends Pick<ItemProps, "marked"> {
  room_url: string;
  match: RoomMatch;
}

/** A post that a search has found in a room. */
const Match = ({ room_url, match: { n, excerpt }, marked }: MatchProps) => (
  <p class="text">
    <a href={`${room_url}/${n}`}>#{n}</a> <span dir="auto">{marked(withoutMarks(excerpt)) as "safe"}</span>
  </p>
);

/** What it takes to open a private room, for readers without a claimed name. */
const aboutVisibility = (base: string): Words => [
  "Private rooms, for their members only, take a claimed name: ",
  { text: "sign in", href: `${base}/signin?next=/meet%23open` },
  " or ",
  { text: "claim one", href: `${base}/claim?next=/meet%23open` },
  ".",
];
const about_private = "The operator of this service can read a private room, too.";

const about_goal =
  "Everybody who can read the room sees it; that of a public room is in the list. At most 400 characters.";

/** `once` changes when a room is opened. */
function Open({ site, form, once }: { site: Site; form: OpenForm; once: string }) {
  const { base, me } = site;
  const { refusal } = form;
  const labels = openLabels(me);
  const about = me ? about_private : aboutVisibility(base);
  if (form.names_only && !me) return <SignInFirst base={base} next="/meet" what="Opening a room" />;
  return (
    <form id="open" method="post" action={`${base}/meet#sent`} data-draft>
      <h2>Open a new room</h2>
      <Fault text={refusal?.text} />
      <input type="hidden" name="once" value={attribute(once)} />
      <Field name="goal" label={labels.goal} about={about_goal} refusal={refusal}>
        <input
          {...inputOf({ name: "goal", about: about_goal, refusal })}
          required
          dir="auto"
          value={attribute(form.goal ?? "")}
        />
      </Field>
      <Poster site={site} value={form.name} refusal={refusal} next="/meet#open" />
      <Field name="visibility" label={labels.visibility} about={about} refusal={refusal}>
        <select {...inputOf({ name: "visibility", about, refusal })}>
          <option value="public" selected={!["unlisted", "private"].includes(form.visibility ?? "")}>
            Public: listed and searchable
          </option>
          <option value="unlisted" selected={form.visibility === "unlisted"}>
            Unlisted: for those who have its address
          </option>
          {me !== null && (
            <option value="private" selected={form.visibility === "private"}>
              Private: for its members only
            </option>
          )}
        </select>
      </Field>
      <p>
        <Submit text="Open the room" />
      </p>
    </form>
  );
}
