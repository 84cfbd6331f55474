/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** A post of a room, and its replies. Scripts rely on this markup: see "Pages of a room" in docs/contract.md. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { Name, Time } from "./components.tsx";
import { revealed, withoutMarks } from "./text.ts";
import type { Delivered } from "../src/api/rooms/delivery.ts";
import type { Deliveries, Quote, Rights, ThreadPost } from "../src/api/rooms/pages.ts";

interface InRoom {
  /** The base URL of links. */
  base: string;
  room: Room;
  rights?: Rights | undefined;
}

/** Posts whose texts are rendered. */
interface Rendered extends InRoom {
  /** The HTML of each text. */
  html: ReadonlyMap<string, string>;
  deliveries?: Deliveries | undefined;
}

/** Posts with their replies. */
export const Posts = ({ posts, ...where }: Rendered & { posts: ThreadPost[] }) => (
  <>
    {posts.map((shown) => (
      <PostItem {...where} shown={shown} />
    ))}
  </>
);

interface ItemProps extends Rendered {
  shown: ThreadPost;
  /** For a script that inserts it: names the post that it answers, and whether more follow. */
  is_fragment?: boolean;
  more?: boolean;
}

/** A post with its replies as a list item. */
export function PostItem({ shown: { post, quote, replies }, is_fragment, more, ...where }: ItemProps) {
  const { base, room, html, deliveries, rights } = where;
  const { id, n, name, claimed, in_reply_to } = post;
  return (
    <li
      class="post"
      id={`p-${id}`}
      data-n={String(n)}
      data-parent={(is_fragment && in_reply_to) || undefined}
      data-more={more ? "true" : undefined}
    >
      <article>
        <header>
          <Name base={base} of={{ name, claimed }} />
          <a class="number" href={`${room.url}/${n}`}>
            #{n}
          </a>
          <Time at={post.ts} />
          {post.quiet && <Quiet />}
        </header>
        {quote !== null && <QuoteLine base={base} room={room} quote={quote} />}
        {post.body === null ? (
          <Tombstone post={post} />
        ) : (
          <div class="text">{html.get(post.body)! as "safe"}</div>
        )}
        <Delivery room={room} delivery={deliveries?.get(n)} />
        <Actions room={room} post={post} rights={rights} />
      </article>
      {replies.length > 0 && (
        <details class="branch" open>
          <summary>{repliesBelow(replies) as "safe"}</summary>
          <ol class="replies">
            <Posts {...where} posts={replies} />
          </ol>
        </details>
      )}
    </li>
  );
}

/** How many replies are folded with a post: to it, and to its replies. `scripts/thread.ts` counts them, too. */
function repliesBelow(replies: ThreadPost[]): string {
  const countOf = (posts: ThreadPost[]): number =>
    posts.reduce((count, post) => count + 1 + countOf(post.replies), 0);
  const count = countOf(replies);
  return count === 1 ? "1 reply" : `${count} replies`;
}

const Quiet = () => (
  <span class="number" title="It made no note and ended no wait.">
    quiet
  </span>
);

/** The post that a reply answers, in one line. */
export const QuoteLine = ({ base, room, quote }: InRoom & { quote: Quote }) =>
  quote.is_removed ? (
    <p class="quoted">Reply to #{quote.n}, a post that was removed</p>
  ) : (
    <p class="quoted">
      <Name base={base} of={quote} />{" "}
      <a class="number" href={quote.is_here ? `#p-${quote.id}` : `${room.url}/${quote.n}`}>
        #{quote.n}
      </a>{" "}
      {quote.text === null ? (
        "redacted"
      ) : (
        <q dir="auto" safe>
          {revealed(withoutMarks(quote.text))}
        </q>
      )}
    </p>
  );

const Tombstone = ({ post }: { post: ThreadPost["post"] }) => (
  <div class="note redacted">
    <span>Redacted by the {post.redacted ?? "host"}.</span>
    {post.commitment !== undefined && (
      <details>
        <summary>Commitment</summary>
        The SHA-256 of the salt, a colon and the text: <code safe>{post.commitment}</code>
      </details>
    )}
  </div>
);

const became: Record<Delivered["state"], string> = {
  unclaimed: "is not claimed",
  not_notified: "was not notified",
  stored: "has it in its mailbox",
  fetched: "has fetched it",
  waiting: "waits now",
  read: "has read it",
  answered: "has answered in",
  withheld: "does not show it",
};

/** What became of a post, for its author: `Only you see this: bob has read it · carol has answered in #57`. */
function Delivery({ room, delivery = [] }: { room: Room; delivery: Delivered[] | undefined }) {
  if (delivery.length === 0) return "";
  return (
    <p class="about delivery">
      Only you see this:{" "}
      {delivery.map(({ name, state, answered_by }, i) => (
        <>
          {i > 0 && " · "}
          <bdi safe>{revealed(name)}</bdi> {became[state] as "safe"}
          {answered_by !== undefined && (
            <>
              {" "}
              <a class="number" href={`${room.url}/${answered_by}`}>
                #{answered_by}
              </a>
            </>
          )}
        </>
      ))}
    </p>
  );
}

interface ActionsProps {
  room: Room;
  post: ThreadPost["post"];
  rights: Rights | undefined;
}

function Actions({ room, post, rights }: ActionsProps) {
  const { n, body } = post;
  return (
    <p class="actions">
      {!room.closed && rights?.role !== "reader" && (
        <a href={`${room.url}?reply=${n}#speak`} rel="nofollow" aria-label={`Reply to #${n}`}>
          Reply
        </a>
      )}
      {body !== null && (
        <>
          <a href={`${room.url}?report=${n}#report`} rel="nofollow" aria-label={`Report #${n}`}>
            Report
          </a>
          {rights?.canRedact(post) && (
            <a href={`${room.url}?redact=${n}#redact`} rel="nofollow" aria-label={`Redact #${n}`}>
              Redact
            </a>
          )}
          <a href={`${room.url}/${n}.txt`} aria-label={`Raw text of #${n}`}>
            Raw text
          </a>
        </>
      )}
    </p>
  );
}
