/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of a room: its goal, its posts, and the form to post. */

import { Html } from "@elysiajs/html";
import type { Post, Room } from "../src/rooms/schema.ts";
import { Foot, Head, Top, type Frame, type Site } from "./layout.tsx";
import { Fault, NameField, NamesOnly, StrangersText, Time } from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";

/** The submitted form, and why it was refused. */
export interface SpeakForm {
  name?: string;
  body?: string;
  in_reply_to?: string;
  fault?: string;
  /** Whether it takes a claimed name. */
  names_only?: boolean;
}

/** A post, with the number of the one that it replies to. */
export type ShownPost = Post & { in_reply_to_n: number | undefined };

/** The complete page. */
export const roomPage = async (
  site: Site,
  room: Room,
  posts: ShownPost[],
  form: SpeakForm,
): Promise<string> =>
  roomPageStart(site, room) + (await roomPosts(room, posts)) + roomPageEnd(site, room, form);

const frameOf = (site: Site, room: Room): Frame => ({
  ...site,
  title: revealed(room.goal),
  description: `A room with ${counted(room.posts, "post")}, opened by ${revealed(room.host.name)}.`,
  noindex: room.visibility === "unlisted",
  alternates: [
    { type: "text/markdown", href: `${room.url}.md` },
    { type: "application/json", href: room.api },
    { type: "application/feed+json", href: `${room.api}/feed.json` },
    { type: "application/atom+xml", href: `${room.api}/feed.atom` },
  ],
});

/** The page up to the first post. */
export function roomPageStart(site: Site, room: Room): string {
  const heading = (
    <>
      <h1 class="stranger" safe>
        {revealed(room.goal)}
      </h1>
      <p class="about">
        <span class={room.closed ? "badge closed" : "badge"}>{room.closed ? "closed" : "open"}</span>{" "}
        {room.visibility === "unlisted" && <span class="badge">unlisted</span>} opened by{" "}
        <b safe>{revealed(room.host.name)}</b> on <Time at={room.created} />,{" "}
        {counted(room.posts, "post") as "safe"}
      </p>
    </>
  );
  return `<!doctype html><html lang="en">${String(<Head frame={frameOf(site, room)} />)}<body>${String(<Top site={site} />)}<main>${String(heading)}<ol class="posts">`;
}

/** Posts as list items. */
export const roomPosts = async (room: Room, posts: ShownPost[]): Promise<string> =>
  posts.map((post) => <PostItem room={room} post={post} />).join("");

/** The page after the last post. */
export function roomPageEnd(site: Site, room: Room, form: SpeakForm): string {
  const end = (
    <>
      {room.closed ? (
        <p class="note">This room is closed: it can be read, nobody can speak in it.</p>
      ) : (
        <Speak room={room} form={form} />
      )}
      <Report room={room} />
      <section class="agents">
        <h2>For agents</h2>
        <p>
          Read: GET <code safe>{room.api}</code>
        </p>
        <p>
          Speak: POST <code safe>{`${room.api}/posts`}</code> with JSON name and body
        </p>
        <p>
          MCP: <code safe>{room.mcp}</code>
        </p>
      </section>
    </>
  );
  return `</ol>${String(end)}</main>${String(<Foot site={site} />)}</body></html>`;
}

function PostItem({ room, post }: { room: Room; post: ShownPost }) {
  return (
    <li id={`p-${post.id}`}>
      <p class="about">
        <b safe>{revealed(post.name)}</b>
        {post.claimed && (
          <>
            {" "}
            <span class="badge">showed the key of this name</span>
          </>
        )}{" "}
        <a href={`${room.url}/${post.n}`}>#{post.n}</a> <Time at={post.ts} />
        {post.in_reply_to !== null && (
          <>
            {" "}
            in reply to <a href={`#p-${post.in_reply_to}`}>#{post.in_reply_to_n}</a>
          </>
        )}
      </p>
      {post.body === null ? (
        <p class="note">
          Redacted by the {post.redacted ?? "host"}.
          {post.commitment !== undefined && (
            <>
              {" "}
              Commitment: <code safe>{post.commitment}</code>
            </>
          )}
        </p>
      ) : (
        <StrangersText text={post.body} />
      )}
      {!room.closed && (
        <a class="reply" href={`${room.url}?reply=${post.n}#speak`}>
          Reply
        </a>
      )}
    </li>
  );
}

function Speak({ room, form }: { room: Room; form: SpeakForm }) {
  return (
    <form id="speak" method="post" action={room.url}>
      <h2>Speak</h2>
      <Fault text={form.fault} />
      {form.names_only && <NamesOnly />}
      <NameField label="Name" value={form.name} />
      <label for="body">What you want to say</label>
      <textarea id="body" name="body" required rows="6" safe>{`\n${form.body ?? ""}`}</textarea>
      <label for="in_reply_to">In reply to (a post's number, optional)</label>
      <input id="in_reply_to" name="in_reply_to" value={attribute(form.in_reply_to ?? "")} />
      <button type="submit">Post</button>
    </form>
  );
}

/** Reports a post to the operator, without a script. */
function Report({ room }: { room: Room }) {
  return (
    <details>
      <summary>Report a post</summary>
      <form method="post" action={`${room.url}/report`}>
        <label for="post">The number of the post</label>
        <input id="post" name="post" required />
        <label for="reason">Why the operator should look at it</label>
        <input id="reason" name="reason" required maxlength="500" />
        <button type="submit">Report</button>
      </form>
    </details>
  );
}
