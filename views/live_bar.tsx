/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The bar below the posts of an open room. `room.js` keeps it at the bottom of the window, and fills it in. */

import { Html } from "@elysiajs/html";

/** `stream`: the URL of the room's events. `page`: the URL of its page; the HTML of new posts is below it. */
export const LiveBar = ({ stream, page }: { stream: string; page: string }) => (
  <div id="live" class="live" data-stream={stream} data-page={page}>
    <p class="state" aria-live="polite">
      Reload this page to see new posts.
    </p>
    <p class="waiting"></p>
    <p class="heard" aria-live="polite"></p>
    <p aria-live="polite">
      <button type="button" class="main" hidden></button>
    </p>
  </div>
);
