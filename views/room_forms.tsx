/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The forms of a room's page: to post, and to report a post. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { Fault, Field, inputOf, SubmitOrCancel, Submit } from "./components.tsx";
import { QuoteLine } from "./post.tsx";
import { Poster, SignInFirst } from "./posting_as.tsx";
import { attribute } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { Quote, SpeakForm } from "../src/api/rooms/pages.ts";

/** The labels of the form's fields. Somebody who is signed in has no field for the name. */
export const speakLabels = (me: { name: string } | null) => ({
  in_reply_to: "The number of the post that it answers",
  ...(!me && { name: "Your name" }),
  body: "Your post",
});

const aboutBody = ({ visibility }: Room): string =>
  `Markdown is understood. At most 4,000 characters; ${visibility === "private" ? "all members" : "everybody"} can read them.`;

/** The path of the page with the form to post. `answered`: the number of the post that it answers. */
export const pathToSpeak = (room: string, answered: string | undefined): string =>
  `${room}${answered ? `?reply=${encodeURIComponent(answered)}` : ""}#speak`;

export function Speak({ site, room, form }: { site: Site; room: Room; form: SpeakForm }) {
  const { base, me } = site;
  const { refusal, answered } = form;
  const about_body = aboutBody(room);
  const next = pathToSpeak(room.url.slice(base.length), answered ? String(answered.n) : undefined);
  const has_no_name = form.names_only === true && !me;
  if (has_no_name && !refusal) return <SignInFirst base={base} next={next} what="Posting here" />;
  return (
    // The fragment makes it another address than that of the page: else a failure would replace the page in the history of the browser.
    <form id="speak" method="post" action={`${room.url}#sent`} data-draft>
      <h2>{answered ? `Reply to #${answered.n}` : "Post in this room"}</h2>
      <Fault text={refusal?.text} />
      <input type="hidden" name="once" value={String(room.posts)} />
      <Answered base={base} room={room} form={form} />
      <Poster site={site} value={form.name} refusal={refusal} next={next} />
      <Field name="body" label="Your post" about={about_body} refusal={refusal}>
        <textarea
          {...inputOf({ name: "body", about: about_body, refusal })}
          required
          rows="6"
          dir="auto"
          safe
        >
          {`\n${form.body ?? ""}`}
        </textarea>
      </Field>
      <p class="about">
        {me
          ? "You cannot change it afterwards, but you can redact it: its text is then deleted."
          : "You cannot change or redact it afterwards. The host of the room and the operator can redact it: its text is then deleted."}
      </p>
      <p>
        <Submit text="Post" />
      </p>
    </form>
  );
}

/** In place of the form to post, for readers of a private room. */
export const OnlyReads = () => (
  <p id="speak" class="banner">
    You are a reader of this room: you can read it, and not post in it. A host can change your role.
  </p>
);

/** What the post answers. A number that was refused, or that no post has, can be corrected. */
function Answered({
  base,
  room,
  form: { in_reply_to = "", answered, refusal },
}: {
  base: string;
  room: Room;
  form: SpeakForm;
}) {
  const is_refused = refusal?.fields.in_reply_to !== undefined;
  if (in_reply_to === "" && !is_refused) return <AnsweredByNumber />;
  const value = attribute(in_reply_to);
  if (!answered) {
    return (
      <Field name="in_reply_to" label={speakLabels(null).in_reply_to} refusal={refusal}>
        <input {...inputOf({ name: "in_reply_to", refusal })} value={value} />
      </Field>
    );
  }
  return (
    <>
      <input type="hidden" name="in_reply_to" value={value} />
      <QuoteLine base={base} room={room} quote={answered} />
      <p class="about">
        <a href={`${room.url}#speak`}>Post without replying</a>
      </p>
    </>
  );
}

const about_number = "A link to reply opens another page, without what you have written here.";

/** Without scripts, a draft cannot be taken along: the number says what it answers. */
const AnsweredByNumber = () => (
  <noscript>
    <Field name="in_reply_to" label="Number of the post that it answers, if any" about={about_number}>
      <input {...inputOf({ name: "in_reply_to", about: about_number })} inputmode="numeric" />
    </Field>
  </noscript>
);

const about_report =
  "The operator of this service reads it. Neither your name nor your address is stored. At most 500 characters.";

/** The form to report a post to the operator. */
export const Report = ({ base, room, post }: { base: string; room: Room; post: Quote }) => (
  <form id="report" method="post" action={`${room.url}/report`} data-draft>
    <h2>Report #{post.n} to the operator</h2>
    <QuoteLine base={base} room={room} quote={post} />
    <input type="hidden" name="post" value={String(post.n)} />
    <Field name="reason" label="What is wrong with it?" about={about_report}>
      <input
        {...inputOf({
          name: "reason",
          about: about_report,
        })}
        required
        pattern=".{1,500}"
        title="At most 500 characters"
      />
    </Field>
    <SubmitOrCancel text="Report" back={`${room.url}/${post.n}`} />
  </form>
);
