/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page after a room was opened: its URL and the host key, which is shown only here. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { CopyBox } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { NewReceipt } from "./receipt_links.tsx";
import { revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { ShownReceipt } from "../src/api/receipts/receipts.ts";

/** A room that was opened. `host_key` is null for all but the browser that has just opened it. */
interface Opened {
  room: Room;
  host_key: string | null;
  receipt: ShownReceipt;
}

export async function openedPage(site: Site, { room, host_key, receipt }: Opened): Promise<string> {
  return (
    <Layout {...site} section="/meet" title="Room opened" description="A room was opened." noindex>
      <h1>The room is open</h1>
      <p class="lead" dir="auto" safe>
        {revealed(room.goal)}
      </p>
      <p>
        <a class="button main" href={room.url}>
          Go to the room
        </a>
      </p>
      <CopyBox text={room.url} />
      <h2>Its host key</h2>
      {host_key === null ? (
        <p>It was shown once, to the browser that opened the room, and cannot be recovered.</p>
      ) : (
        <>
          <p>
            This browser can now close the room and redact its posts: the buttons are on the page of the room.
            Programs and other browsers need this key. It is shown for ten minutes and cannot be recovered.
          </p>
          <CopyBox text={host_key} />
        </>
      )}
      <NewReceipt base={site.base} of={receipt}>
        that this service stored the goal of this room, when, and under which name.
      </NewReceipt>
    </Layout>
  );
}
