/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Parts that several pages have. `wharf dev` shows all of them at /_dev/components. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import { Flag } from "./flag.tsx";
import { KeyMark, LockMark } from "./icons.tsx";
import { attribute, clockTime, day, nameInAddress, revealed, shortTime } from "./text.ts";
import type { Refusal, Words } from "../src/api/pages.ts";

/** A time, with the exact one as its title. A script makes it relative. */
export const Time = ({ at }: { at: string }) => (
  <time datetime={at} title={at} safe>
    {shortTime(at)}
  </time>
);

/** A time of the day in UTC, with its date if `is_long` and in print. A script adds the reader's own time. */
export const ClockTime = ({ at, is_long }: { at: string; is_long?: boolean | undefined }) => (
  <time datetime={at} title={at} data-utc={at} data-day={is_long ? undefined : day(at)} safe>
    {is_long ? shortTime(at) : clockTime(at)}
  </time>
);

interface Speaker {
  name: string;
  /** Whether the key of the name was shown. */
  claimed: boolean;
}

/** Who speaks: flag, name, and a key if it was shown. A claimed name leads to its page. */
export function Name({ base, of: { name, claimed } }: { base: string; of: Speaker }) {
  const shown = (
    <>
      <Flag name={name} />
      <bdi safe>{revealed(name)}</bdi>
    </>
  );
  if (!claimed) return <span class="name">{shown as "safe"}</span>;
  return (
    <>
      <a class="name" href={attribute(`${base}/name/${nameInAddress(name)}`)}>
        {shown as "safe"}
      </a>
      <KeyMark />
    </>
  );
}

/** A state: `on` if something can be done now, `off` if nothing can be done any more, `bad` if somebody objects. */
export const Badge = ({ text, is }: { text: string; is?: "on" | "off" | "bad" }) => (
  <span class={is ? `badge ${is}` : "badge"} safe>
    {text}
  </span>
);

/** The sign of a private room. */
export const PrivateBadge = () => (
  <span class="badge">
    <LockMark /> private
  </span>
);

/** A text from a stranger, as it was sent. */
export const StrangersText = ({ text }: { text: string }) => (
  <div class="text raw" dir="auto" safe>
    {revealed(text)}
  </div>
);

/** The value of a slot: in a fixed font as it is, or as Markdown if `html` has it. */
export const SlotValue = ({ value, html = null }: { value: string; html?: string | null }) =>
  html === null ? (
    <pre class="value" tabindex="0" safe>
      {revealed(value)}
    </pre>
  ) : (
    <>
      {/* Headings in it begin at h3. */}
      <h2 class="unseen">The value</h2>
      <div class="banner text">{html as "safe"}</div>
    </>
  );

/** Tags after other facts; each leads to the records of `list` that have it. */
export const Tags = ({ list, tags }: { list: string; tags: string[] }) => (
  <>
    {tags.map((tag, i) => (
      <>
        {i === 0 ? " · " : " "}
        <a class="tag" href={attribute(`${list}?tag=${encodeURIComponent(tag)}`)} safe>
          {revealed(tag)}
        </a>
      </>
    ))}
  </>
);

/** What readers should keep in mind. */
export const Note = ({ text }: { text: string }) => (
  <p class="note" safe>
    {text}
  </p>
);

/** In place of a list without items: why it is empty, and what to do. */
export const Empty = ({ children }: PropsWithChildren) => <p class="empty">{children}</p>;

/** A text to copy. The button needs a script, and is hidden without it. `html`: the text as code with colours. */
export const CopyBox = ({ text, html = null }: { text: string; html?: string | null }) => (
  <div class={html === null ? "copy" : "copy code-box"}>
    <pre tabindex="0">
      <code class={/\s/.test(text) ? undefined : "whole"}>{(html ?? Html.escapeHtml(text)) as "safe"}</code>
    </pre>
    <button type="button" data-copy>
      Copy
    </button>
  </div>
);

const Said = ({ words }: { words: Words }) => (
  <>
    {[words].flat().map((part) =>
      typeof part === "string" ? (
        <span safe>{revealed(part)}</span>
      ) : (
        <a href={attribute(part.href)} safe>
          {part.text}
        </a>
      ),
    )}
  </>
);

/** Why a form was refused, if it was. The browser moves the focus to it. */
export const Fault = ({ text }: { text: Words | undefined }) =>
  text ? (
    <p class="fault" role="alert" tabindex="-1" autofocus>
      <Said words={text} />
    </p>
  ) : (
    ""
  );

interface FieldProps {
  name: string;
  label: string;
  /** What to enter, below the label. */
  about?: Words | undefined;
  refusal?: Refusal | undefined;
  /** Distinguishes fields of the same name on a page. */
  id?: string;
}

/** A field of a form, around its `children`: its label, and beside it why it was refused. Its input takes `inputOf`. */
export function Field({ name, label, about, refusal, id = name, children }: PropsWithChildren<FieldProps>) {
  const fault = refusal?.fields[name];
  return (
    <div class="field">
      <label for={id} safe>
        {label}
      </label>
      {about !== undefined && (
        <p class="about" id={`${id}-about`}>
          <Said words={about} />
        </p>
      )}
      {children}
      {fault !== undefined && (
        <p
          class="fault"
          id={`${id}-fault`}
          role="alert"
          tabindex="-1"
          autofocus={refusal?.first === name || undefined}
        >
          <Said words={fault} />
        </p>
      )}
    </div>
  );
}

/** The attributes that join an input to its `Field`. */
export function inputOf({ name, about, refusal, id = name }: Omit<FieldProps, "label">) {
  const is_refused = refusal?.fields[name] !== undefined;
  const described = [about !== undefined && `${id}-about`, is_refused && `${id}-fault`].filter(Boolean);
  return {
    id,
    name,
    ...(is_refused && { "aria-invalid": "true" as const }),
    ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
  };
}

interface NameFieldProps {
  label: string;
  about?: Words;
  value: string | undefined;
  refusal?: Refusal | undefined;
}

/** The field for the name that a form is sent under. A browser would cut a longer one silently, so it has no `maxlength`. */
export const NameField = ({ label, about, value, refusal }: NameFieldProps) => (
  <Field name="name" label={label} about={about} refusal={refusal}>
    <input
      {...inputOf({ name: "name", about, refusal })}
      required
      dir="auto"
      autocomplete="nickname"
      value={attribute(value ?? "")}
    />
  </Field>
);

/** The button that sends a form. */
export const Submit = ({ text }: { text: string }) => (
  <button class="main" type="submit" safe>
    {text}
  </button>
);

/** The buttons of a form that one may leave: to send it, and a link `back`. */
export const SubmitOrCancel = ({ text, back }: { text: string; back: string }) => (
  <p class="row">
    <Submit text={text} />
    <a class="button" href={back}>
      Cancel
    </a>
  </p>
);

/** Up to which time a search found everything. */
export const Searched = ({ through }: { through: string | undefined }) =>
  through ? (
    <p class="note">
      Search index as of: <Time at={through} />
    </p>
  ) : (
    ""
  );

/** The link to the next page of a list, if there is one. */
export const NextPage = ({ href, text }: { href: string | null; text: string }) =>
  href ? (
    <p>
      <a class="button" rel="next" href={href} safe>
        {text}
      </a>
    </p>
  ) : (
    ""
  );
