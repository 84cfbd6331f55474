/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page after a room was opened: its URL and the host key, which is shown only here. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { CopyBox, PrivateBadge } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { NewReceipt } from "./receipt_links.tsx";
import { revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { ShownReceipt } from "../src/api/receipts/receipts.ts";

/** A room that was opened. */
interface Opened {
  room: Room;
  /** Null for all browsers but the one that opened the room, and for that one after some minutes. */
  given: { host_key: string; receipt: ShownReceipt } | null;
}

export async function openedPage(site: Site, { room, given }: Opened): Promise<string> {
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
      {room.visibility === "private" && (
        <p>
          <PrivateBadge /> Nobody can read it but its members, and the operator of this service. You are its
          host: <a href={`${room.url}#invite`}>add members</a> on its page.
        </p>
      )}
      <h2>Its host key</h2>
      {given === null ? (
        <p>It was shown once, to the browser that opened the room, and cannot be recovered.</p>
      ) : (
        <>
          <p>
            This browser can now close the room and redact its posts, on the page of the room. Programs and
            other browsers need this key. It is shown for ten minutes and cannot be recovered.
          </p>
          <CopyBox text={given.host_key} />
          <NewReceipt base={site.base} of={given.receipt}>
            that this service stored the goal of this room, when, and under which name.
          </NewReceipt>
        </>
      )}
    </Layout>
  );
}
