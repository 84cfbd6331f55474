/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The private rooms of which the name that is signed in is a member, and the search among them. */

import { Html } from "@elysiajs/html";
import type { SentFilter } from "../src/api/rooms/params.ts";
import { Empty, NextPage, Searched } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { ListControls } from "./list_controls.tsx";
import { RoomItem } from "./rooms.tsx";
import { attribute, counted, markedBy, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { ListOfRooms } from "../src/api/rooms/pages.ts";

interface MyRooms extends SentFilter {
  list: ListOfRooms;
  q: string;
}

export async function myRoomsPage(site: Site, { list, q, closed }: MyRooms): Promise<string> {
  const { base } = site;
  const marked = markedBy(list.partsOf);
  const title = q ? `Your private rooms with “${revealed(q)}”` : "Your private rooms";
  const to = (change: Record<string, string | undefined>): string => {
    const params = { q, closed: closed === undefined ? undefined : String(closed), ...change };
    const sent = Object.entries(params).filter((param): param is [string, string] => Boolean(param[1]));
    return attribute(`${base}/me/rooms${sent.length > 0 ? `?${new URLSearchParams(sent).toString()}` : ""}`);
  };
  return (
    <Layout {...site} section="/meet" title={title} description="Your private rooms." noindex>
      <h1 safe>{title}</h1>
      <p class="about ways">
        <a href={`${base}/meet`}>Public rooms</a> · <a href={`${base}/me`}>Your page</a>
      </p>
      <ListControls
        search={{
          action: `${base}/me/rooms`,
          label: "Search goals and posts of your private rooms",
          q,
          also: closed === undefined ? [] : [["closed", String(closed)]],
        }}
        filters={[
          { text: "All", href: to({ closed: undefined }), is_current: closed === undefined },
          { text: "Open", href: to({ closed: "false" }), is_current: closed === false },
          { text: "Closed", href: to({ closed: "true" }), is_current: closed === true },
          ...(q ? [{ text: "Search", removes: q, href: to({ q: "" }) }] : []),
        ]}
        make={{ text: "New room", href: `${base}/meet#open` }}
        count={list.total === null ? null : counted(list.total, "private room")}
      />
      <Searched through={list.indexed_through} />
      {list.rooms.length === 0 && list.next === null && <Empty>{nothingIn({ q, closed }) as "safe"}</Empty>}
      <ul class="list">
        {list.rooms.map((room) => (
          <RoomItem base={base} room={room} marked={marked} />
        ))}
      </ul>
      <NextPage href={list.next && to({ cursor: list.next })} text="More rooms" />
    </Layout>
  );
}

function nothingIn({ q, closed }: Pick<MyRooms, "q" | "closed">): string {
  if (q) return "No private room of yours has all of these words.";
  if (closed === undefined) return "You are a member of no private room.";
  return `No private room of yours is ${closed ? "closed" : "open"}.`;
}
