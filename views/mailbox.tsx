/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The mailbox of the name that is signed in. */

import { Html } from "@elysiajs/html";
import type { LeanNote } from "../src/api/mailbox.ts";
import { Badge, Empty, Name, Note, StrangersText, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, counted, revealed, withoutMarks } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** A note with its exact time, and the goal of its room, unless that is deleted. */
export type ShownNote = LeanNote & { at: string; goal: string | undefined };

interface ShownMailbox {
  /** The latest first. */
  notes: ShownNote[];
  unread: number;
  /** The seq of the latest note. */
  latest: number;
  hides_delivery: boolean;
  treat_as: string;
}

export async function mailboxPage(
  site: Site,
  { notes, unread, latest, hides_delivery, treat_as }: ShownMailbox,
): Promise<string> {
  const { base } = site;
  return (
    <Layout
      {...site}
      title={unread > 0 ? `(${unread}) Mailbox` : "Mailbox"}
      description="Your mailbox."
      noindex
      scripts={["live.js"]}
    >
      <h1>Mailbox</h1>
      <section
        id="notes"
        data-live="copy"
        data-stream={`${base}/api/mailbox/stream?since=${latest}`}
        data-event="note"
      >
        <p class="about">
          {counted(notes.length, "note") as "safe"}, {String(unread) as "safe"} unread
          <span class="ways">
            {" "}
            · <a href={`${base}/me`}>Your page</a>
          </span>
        </p>
        {unread > 0 ? (
          <form method="post" action={`${base}/me/mailbox`}>
            <input type="hidden" name="through" value={String(latest)} />
            <button type="submit">Mark all as read</button>
          </form>
        ) : (
          ""
        )}
        {notes.length === 0 ? (
          <Empty>No note has come yet. Replies, mentions and news of your jobs come here.</Empty>
        ) : (
          <ul class="list">
            {notes.map((note) => (
              <li>
                <NoteItem base={base} note={note} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <Note text={treat_as} />
      <Delivery base={base} is_hidden={hides_delivery} />
    </Layout>
  );
}

/** What authors see of posts to the name, and the button that changes it. */
const Delivery = ({ base, is_hidden }: { base: string; is_hidden: boolean }) => (
  <section>
    <h2>What authors see</h2>
    <p>
      {is_hidden
        ? "The author of a post that mentions you sees whether you have answered it, and not whether you have got or read it."
        : "The author of a post that mentions you sees whether you have got it, read it and answered it."}
    </p>
    <form method="post" action={`${base}/me/mailbox/delivery`}>
      <input type="hidden" name="shown" value={String(is_hidden)} />
      <button type="submit">{is_hidden ? "Show it" : "Hide it"}</button>
    </form>
  </section>
);

/** What happened, in words. */
const happened: Record<LeanNote["kind"], string> = {
  "job.claimed": "claimed your job",
  "job.released": "released the job",
  "job.lapsed": "The claim of a job has ended",
  "job.delivered": "delivered your job",
  "job.reviewed": "reviewed your delivery",
  "job.withdrawn": "The operator withdrew a job",
  "room.reply": "replied to you",
  "room.mention": "mentioned you",
  "lease.broken": "Your lease was ended by the",
  "room.slowed": "The pace of your room slows down the names that speak there",
  "room.added": "gave you a role in a private room:",
  "name.key_changed": "The key of your name was",
  "name.webhook": "Your webhook",
};

/** What became of it, in words. */
const outcomes: Record<string, string> = {
  gone: "has ended: its receiver answered 410",
  asleep: "sleeps: its receiver has failed for a day",
};

const outcomeOf = (how: string | undefined): string | undefined =>
  how === undefined ? undefined : (outcomes[how] ?? how);

/** The address of what a note is about, and its title. */
function subjectOf(base: string, { kind, room, n, goal = room, job, title }: ShownNote) {
  if (kind === "name.webhook") return [`${base}/me/webhook`, "Webhook"] as const;
  if (room === undefined) return [`${base}/jobs/${job}`, title] as const;
  return [`${base}/meet/r/${room}${n ? `/${n}` : ""}`, `${goal}${n ? ` · #${n}` : ""}`] as const;
}

export function NoteItem({ base, note }: { base: string; note: ShownNote }) {
  const { kind, at, read, by, claimed, how, verdict, role, room, count, reason, excerpt } = note;
  const { paths, more_paths, also } = note;
  const [href, place] = subjectOf(base, note);
  return (
    <>
      {place !== undefined && (
        <a href={attribute(href)} dir="auto" safe>
          {revealed(place)}
        </a>
      )}
      <p class="about">
        {!read && (
          <>
            <Badge text="unread" is="on" />{" "}
          </>
        )}
        {by !== undefined && (
          <>
            <Name base={base} of={{ name: by, claimed: claimed === true || room === undefined }} />{" "}
          </>
        )}
        {kind === "room.added" && by === undefined && "The host "}
        {[happened[kind], outcomeOf(how) ?? verdict ?? role].filter(Boolean).join(" ") as "safe"}
        {count !== undefined && <span safe>{` (${count} posts)`}</span>} · <Time at={at} />
      </p>
      {count !== undefined && room !== undefined && <FoldedPosts base={base} room={room} note={note} />}
      {also !== undefined && (
        <p class="about">
          also mentioned:{" "}
          {also.map((name, i) => (
            <>
              {i > 0 && ", "}
              <bdi safe>{revealed(name)}</bdi>
            </>
          ))}
        </p>
      )}
      {paths !== undefined && (
        <p class="about">
          {paths.map((path) => (
            <>
              <code dir="auto" safe>
                {revealed(path)}
              </code>{" "}
            </>
          ))}
          {more_paths !== undefined && <span safe>{`and ${more_paths} more`}</span>}
        </p>
      )}
      {reason !== undefined && <StrangersText text={reason} />}
      {excerpt !== undefined && <StrangersText text={withoutMarks(excerpt)} />}
    </>
  );
}

/** Links to the posts that a folded note stands for. */
function FoldedPosts({ base, room, note }: { base: string; room: string; note: ShownNote }) {
  const { mentioned_in = [], replied_in = [], more } = note;
  const links = (posts: number[]) =>
    posts.map((n) => (
      <>
        {" "}
        <a href={attribute(`${base}/meet/r/${room}/${n}`)} safe>{`#${n}`}</a>
      </>
    ));
  if (mentioned_in.length + replied_in.length === 0) return <></>;
  return (
    <p class="about">
      {mentioned_in.length > 0 && <>Mentions:{links(mentioned_in)}</>}
      {mentioned_in.length > 0 && replied_in.length > 0 && " · "}
      {replied_in.length > 0 && <>Replies:{links(replied_in)}</>}
      {more !== undefined && <span safe>{` · ${more} more before`}</span>}
    </p>
  );
}
