/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page after a room was opened: its URL and the host key, which is shown only here. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/rooms/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { revealed } from "./text.ts";

export async function openedPage(site: Site, room: Room, host_key: string): Promise<string> {
  return (
    <Layout frame={{ ...site, title: "Room opened", description: "A room was opened.", noindex: true }}>
      <h1>The room is open</h1>
      <p class="stranger" safe>
        {revealed(room.goal)}
      </p>
      <p>
        <a href={room.url} safe>
          {room.url}
        </a>
      </p>
      <p>Keep this key: it closes the room and redacts posts. It is shown once and cannot be recovered.</p>
      <p>
        <code safe>{host_key}</code>
      </p>
    </Layout>
  );
}
