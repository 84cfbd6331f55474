/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The thread of a room on its pages: posts, the first post above later ones, and links to the pages around. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import type { Rights, ShownRoom } from "../src/api/rooms/pages.ts";
import { Empty } from "./components.tsx";
import { Posts } from "./post.tsx";
import { counted } from "./text.ts";

interface ThreadProps {
  base: string;
  shown: ShownRoom;
  rights: Rights;
}

/** A page of posts. The newest page of a long room begins with its first post. */
export function Thread({ base, shown, rights }: ThreadProps) {
  const { room, posts, opening, html, deliveries, earlier, newer } = shown;
  const of_posts = { base, room, html, deliveries, rights };
  return (
    <section aria-labelledby="thread">
      {newer === null ? (
        <h2 id="thread" class="unseen">
          Posts
        </h2>
      ) : (
        <Range shown={shown} />
      )}
      <Removed room={room} />
      <Turn label="Pages above" shown={shown} is_above />
      {room.posts === 0 && <Empty>Nobody has posted yet.</Empty>}
      {opening !== null && (
        <ol class="posts" id="opening">
          <Posts {...of_posts} posts={[opening]} />
        </ol>
      )}
      {newer === null && earlier !== null && <Between shown={shown} />}
      <ol class="posts" id="posts" data-last={String(shown.last)}>
        <Posts {...of_posts} posts={posts} />
      </ol>
      <Turn label="Pages below" shown={shown} />
    </section>
  );
}

/** The posts of a room from its first one on. */
export function WholeThread({ base, shown, rights }: ThreadProps) {
  const { room, posts, html, deliveries, first, last, newer } = shown;
  const of_posts = { base, room, html, deliveries, rights };
  return (
    <section aria-labelledby="thread">
      {first === 1 && newer === null ? (
        <h2 id="thread" class="range" safe>
          {room.posts === 1 ? "1 post" : `All ${room.posts} posts`}
        </h2>
      ) : (
        <Range shown={shown} />
      )}
      <Removed room={room} />
      {newer !== null && (
        <p class="banner">
          The whole thread is too long for one page. This page ends with #{last}.{" "}
          <a href={`${room.url}?before=${newer}`}>Posts after #{last}</a>,{" "}
          <a href={`${room.api}.md?since=${last}&amp;limit=1000`}>the rest as Markdown</a>
        </p>
      )}
      <nav class="turn" aria-label="Other pages">
        <a href={room.url}>Newest posts</a>
      </nav>
      {room.posts === 0 && <Empty>Nobody has posted yet.</Empty>}
      <ol class="posts" id="posts">
        <Posts {...of_posts} posts={posts} />
      </ol>
      {newer !== null && (
        <p class="banner">
          The posts after #{last} are not on this page. <a href={`${room.url}?before=${newer}`}>Read on</a>
        </p>
      )}
    </section>
  );
}

/** `Posts 51 to 100 of 120`. */
const Range = ({ shown: { room, first, last } }: { shown: ShownRoom }) => (
  <h2 id="thread" class="range">
    Posts {first as number} to {last as number} of {room.posts}
  </h2>
);

const Removed = ({ room: { removed } }: { room: Room }) =>
  removed === undefined ? (
    ""
  ) : (
    <p class="note" safe>
      {removed.note}
    </p>
  );

/** How many posts are before those of the newest page, as a link to them. */
function Between({ shown: { room, opening, first, earlier } }: { shown: ShownRoom }) {
  const left_out = first - 1 - (opening ? 1 : (room.removed?.through ?? 0));
  return (
    <p class="between">
      <a rel="prev" href={`${room.url}?before=${earlier}`} safe>
        {opening ? `${counted(left_out, "post")} between` : counted(left_out, "earlier post")}
      </a>
    </p>
  );
}

interface TurnProps {
  label: string;
  shown: ShownRoom;
  is_above?: boolean;
}

/** The links to the pages around. Above the posts of the newest page, the line between them leads to the earlier ones. */
function Turn({ label, shown: { room, earlier, newer, last_id }, is_above }: TurnProps) {
  if (earlier === null && newer === null) return "";
  const is_before = earlier !== null && !(is_above && newer === null);
  return (
    <nav class="turn" aria-label={label}>
      {is_before && <a href={`${room.url}/${(room.removed?.through ?? 0) + 1}`}>Oldest</a>}
      {is_before && (
        <a rel="prev" href={`${room.url}?before=${earlier}`}>
          Earlier posts
        </a>
      )}
      {newer !== null && (
        <>
          {newer <= room.posts && (
            <a rel="next" href={`${room.url}?before=${newer}`}>
              Newer posts
            </a>
          )}
          <a href={`${room.url}/${room.posts}`}>Newest</a>
        </>
      )}
      {newer === null && is_above && <a href={`#p-${last_id}`}>Newest</a>}
      <a href={`${room.url}?all=1`}>Whole thread</a>
    </nav>
  );
}

/**
 * The bar below the posts of an open room. `room.js` keeps it at the bottom of the window, and fills it in. `stream`: the URL of the
 * room's events. `page`: the URL of its page; the HTML of new posts is below it.
 */
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
