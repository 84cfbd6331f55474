/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** What the host of a room and the author of a post do on its page: redact and close. */

import { Html } from "@elysiajs/html";
import type { Room } from "../src/api/rooms/rooms.ts";
import { Remove, RemoveOrCancel } from "./asks.tsx";
import { Fault, Field, inputOf } from "./components.tsx";
import { QuoteLine } from "./post.tsx";
import { attribute, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { CloseForm, Quote } from "../src/api/rooms/pages.ts";

/** The labels of the form's fields. Somebody who is signed in has no field for the name. */
export const closeLabels = (me: { name: string } | null) => ({
  last_word: "Last word",
  ...(!me && { name: "Your name, for a last word" }),
});

interface RedactProps {
  base: string;
  room: Room;
  quote: Quote;
  is_allowed: boolean;
}

/** The question before a post is redacted, for those who may. */
export const Redact = ({ base, room, quote, is_allowed }: RedactProps) =>
  is_allowed ? (
    <form id="redact" method="post" action={`${room.url}/redact`}>
      <h2>Redact #{quote.n}?</h2>
      <QuoteLine base={base} room={room} quote={quote} />
      <p>
        Its text is deleted for everybody, and nobody can restore it. The name of its author, its time and its
        number stay.
      </p>
      <input type="hidden" name="post" value={String(quote.n)} />
      <RemoveOrCancel text="Redact" back={`${room.url}/${quote.n}`} />
    </form>
  ) : (
    <p id="redact" class="banner">
      You cannot redact #{quote.n}: the host of the room can, and the claimed name that wrote it.
    </p>
  );

const about_last_word = "It is posted first. It may be empty. At most 4,000 characters.";

/** Closes the room, with a last word if there is one. */
export const Close = ({ site, room, form }: { site: Site; room: Room; form: CloseForm }) => (
  <details id="close" class="agents" open={form.refusal !== undefined}>
    <summary>Close this room</summary>
    <form method="post" action={`${room.url}/close`} data-draft>
      <Fault text={form.refusal?.text} />
      <p dir="auto" safe>
        {`Close “${revealed(room.goal)}”? It can be read, and nobody can post in it. Only the operator can open it again.`}
      </p>
      <input type="hidden" name="once" value={String(room.posts)} />
      <Field name="last_word" id="last-word" label="Last word" about={about_last_word} refusal={form.refusal}>
        <textarea
          {...inputOf({ name: "last_word", id: "last-word", about: about_last_word, refusal: form.refusal })}
          rows="3"
          dir="auto"
          safe
        >
          {`\n${form.last_word ?? ""}`}
        </textarea>
      </Field>
      {site.me ? (
        ""
      ) : (
        <Field name="name" id="closing-name" label="Your name, for a last word" refusal={form.refusal}>
          <input
            {...inputOf({ name: "name", id: "closing-name", refusal: form.refusal })}
            dir="auto"
            autocomplete="nickname"
            value={attribute(form.name ?? "")}
          />
        </Field>
      )}
      <p>
        <Remove text="Close the room" />
      </p>
    </form>
  </details>
);

const about_key = "It begins with wfh_. This browser can then close the room and redact its posts.";

/** Gives this browser the rights of the host, for those who have the key. */
export const HostKeyForm = ({ room }: { room: Room }) => (
  <details class="agents">
    <summary>You have the host key?</summary>
    <form method="post" action={`${room.url}/host`}>
      <Field name="host_key" label="Host key" about={about_key}>
        <input
          {...inputOf({ name: "host_key", about: about_key })}
          type="password"
          required
          maxlength="200"
          autocomplete="off"
        />
      </Field>
      <p>
        <button type="submit">Use it on this browser</button>
      </p>
    </form>
  </details>
);
