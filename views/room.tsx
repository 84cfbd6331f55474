/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The pages of a room: its goal, some of its posts, links to the others and the form to post; and the whole thread. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { Badge, Name, PrivateBadge, Time } from "./components.tsx";
import { Close, HostKeyForm, Redact } from "./host.tsx";
import { Layout, type Frame } from "./layout.tsx";
import { Held } from "./leases.tsx";
import { Members } from "./members.tsx";
import { PaceForm, Slowed } from "./pace.tsx";
import { PostItem } from "./post.tsx";
import { OnlyReads, Report, Speak } from "./room_forms.tsx";
import { LiveBar, Thread, WholeThread } from "./thread.tsx";
import { counted, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { Rights, RoomForms, ShownRoom } from "../src/api/rooms/pages.ts";

export async function roomPage(
  site: Site,
  shown: ShownRoom,
  { speak, report, redact, close, pace, members }: RoomForms,
  rights: Rights,
): Promise<string> {
  const { base } = site;
  const { room } = shown;
  const { is_host, role } = rights;
  const form = role === "reader" ? <OnlyReads /> : <Speak site={site} room={room} form={speak} />;
  const is_refused = speak.refusal !== undefined;
  const is_about_post = report !== null || redact !== null;
  const hosts = is_host && !room.closed;
  const closing = hosts ? <Close site={site} room={room} form={close} /> : "";
  const pacing = hosts ? <PaceForm room={room} form={pace} /> : "";
  const thread = (
    <>
      <Thread base={base} shown={shown} rights={rights} />
      {isLive(shown) && <LiveBar stream={`${room.api}/stream`} page={room.url} />}
      <div id="room-end">
        {report !== null && <Report base={base} room={room} post={report} />}
        {redact !== null && <Redact base={base} room={room} {...redact} />}
        {room.closed ? <Closed /> : !is_refused && !is_about_post && form}
        {pace.refusal === undefined && !is_about_post && pacing}
        {close.refusal === undefined && !is_about_post && closing}
      </div>
    </>
  );
  return (
    <Layout {...frameOf(site, shown, Boolean(speak.in_reply_to) || is_about_post)}>
      <Goal room={room} />
      <About base={base} room={room} is_host={is_host} />
      <Held base={base} room={room} leases={shown.leases} is_host={is_host} />
      {is_refused && form}
      {close.refusal !== undefined && closing}
      {pace.refusal !== undefined && pacing}
      {members === null ? (
        thread
      ) : (
        <div class="with-members">
          <div>{thread as "safe"}</div>
          <Members base={base} room={room} shown={members} rights={rights} me={site.me?.name} />
        </div>
      )}
      {!is_host && <HostKeyForm room={room} />}
      <ForAgents room={room} />
    </Layout>
  );
}

/** All posts of a room on one page, to be read and printed, or as many as fit. */
export async function wholeThreadPage(site: Site, shown: ShownRoom, rights: Rights): Promise<string> {
  const { room } = shown;
  return (
    <Layout {...frameOf(site, shown, true)} title={`${revealed(room.goal)} (whole thread)`} scripts={[]}>
      <Goal room={room} />
      <About base={site.base} room={room} is_host={rights.is_host} />
      <WholeThread base={site.base} shown={shown} rights={rights} />
    </Layout>
  );
}

const Goal = ({ room: { goal } }: { room: Room }) => (
  <h1 class={goal.length > 100 ? "long" : undefined} dir="auto" safe>
    {revealed(goal)}
  </h1>
);

/** Whether posts can still appear on the page. */
const isLive = ({ room, newer }: ShownRoom): boolean => newer === null && !room.closed;

function frameOf(site: Site, shown: ShownRoom, is_form: boolean): Frame {
  const { room, last, newer } = shown;
  return {
    ...site,
    section: "/meet",
    title: `${revealed(room.goal)}${newer === null ? "" : ` (up to #${last})`}`,
    description: `A room with ${counted(room.posts, "post")}, opened by ${revealed(room.host.name)}.`,
    noindex: room.visibility !== "public" || is_form,
    alternates: [
      { type: "text/markdown", href: `${room.url}.md` },
      { type: "application/json", href: room.api },
      ...(room.visibility === "private" ? [] : feedsOf(room)),
    ],
    ...(isLive(shown) && { scripts: ["room.js"] }),
  };
}

/** Not of a private room: a program that reads feeds sends no key. */
const feedsOf = ({ api }: Room): Frame["alternates"] & object => [
  { type: "application/feed+json", href: `${api}/feed.json` },
  { type: "application/atom+xml", href: `${api}/feed.atom` },
];

/** What a room is, and in a slowed room until when; a script replaces both at once. */
const About = ({ base, room, is_host }: { base: string; room: Room; is_host: boolean }) =>
  room.slowed_until === undefined ? (
    <p class="about" id="room-about" data-live="copy">
      <Facts base={base} room={room} />
    </p>
  ) : (
    <div id="room-about" data-live="copy" data-slowed={room.slowed_until}>
      <p class="about">
        <Facts base={base} room={room} />
      </p>
      <Slowed until={room.slowed_until} is_host={is_host} />
    </div>
  );

const Facts = ({ base, room }: { base: string; room: Room }) => (
  <>
    <Badge text={room.closed ? "closed" : "open"} is={room.closed ? "off" : "on"} />{" "}
    {room.visibility === "unlisted" && <Badge text="unlisted" />}
    {room.visibility === "private" && (
      <>
        <PrivateBadge /> for its <a href={`${room.url}#members`}>members</a> only ·
      </>
    )}{" "}
    Opened by <Name base={base} of={room.host} /> · <Time at={room.created} /> ·{" "}
    <span class="number">{counted(room.posts, "post") as "safe"}</span>
  </>
);

const Closed = () => <p class="banner">This room is closed. It can be read, and nobody can post in it.</p>;

const ForAgents = ({ room }: { room: Room }) => (
  <details class="agents">
    <summary>For agents</summary>
    <dl>
      <dt>MCP</dt>
      <dd>
        <code safe>{room.mcp}</code>
      </dd>
      <dt>Read</dt>
      <dd>
        <code safe>{`GET ${room.api}`}</code>
      </dd>
      <dt>Post</dt>
      <dd>
        <code safe>{`POST ${room.api}/posts`}</code> with JSON <code>{`{"name", "body"}`}</code>
      </dd>
      <dt>Other forms</dt>
      <dd>
        <a href={`${room.url}.md`}>Markdown</a>,{" "}
        {room.visibility !== "private" && (
          <>
            <a href={`${room.api}/feed.atom`}>Atom</a>,{" "}
          </>
        )}
        <a href={`${room.api}/export.jsonl`}>everything as JSON lines</a>
      </dd>
    </dl>
  </details>
);

/** Posts alone, for a script that inserts them: list items one after the other. `more`: whether further ones follow. */
export const postItems = async (
  base: string,
  { room, posts, html, deliveries }: Pick<ShownRoom, "room" | "posts" | "html" | "deliveries">,
  more: boolean,
  rights: Rights,
): Promise<string> =>
  posts
    .map((shown, i) => (
      <PostItem
        base={base}
        room={room}
        html={html}
        deliveries={deliveries}
        shown={shown}
        rights={rights}
        is_fragment
        more={more && i === posts.length - 1}
      />
    ))
    .join("");
