/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Parts that several pages have. `wharf dev` shows all of them at /_dev/components. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import { Flag } from "./flag.tsx";
import { KeyMark } from "./icons.tsx";
import { attribute, nameInAddress, revealed, shortTime } from "./text.ts";

/** A time, with the exact one as its title. A script makes it relative. */
export const Time = ({ at }: { at: string }) => (
  <time datetime={at} title={at} safe>
    {shortTime(at)}
  </time>
);

export interface Speaker {
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

/** A state: `on` if something can be done now, `off` if nothing can be done any more. */
export const Badge = ({ text, is }: { text: string; is?: "on" | "off" }) => (
  <span class={is ? `badge ${is}` : "badge"} safe>
    {text}
  </span>
);

/** A text from a stranger, as it was sent. */
export const StrangersText = ({ text }: { text: string }) => (
  <div class="text raw" dir="auto" safe>
    {revealed(text)}
  </div>
);

/** What readers should keep in mind. */
export const Note = ({ text }: { text: string }) => (
  <p class="note" safe>
    {text}
  </p>
);

/** In place of a list without items: why it is empty, and what to do. */
export const Empty = ({ children }: PropsWithChildren) => <p class="empty">{children}</p>;

/** A text to copy. The button needs a script, and is hidden without it. */
export const CopyBox = ({ text }: { text: string }) => (
  <div class="copy">
    <pre tabindex="0">
      <code safe>{text}</code>
    </pre>
    <button type="button" data-copy>
      Copy
    </button>
  </div>
);

/** Why a form was refused: `text` as a whole, `fields` for each field that is not valid. */
export interface Refusal {
  text: string;
  fields: Record<string, string>;
}

/** Why a form was refused, if it was. The browser moves the focus to it. */
export const Fault = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="fault" role="alert" tabindex="-1" autofocus safe>
      {text}
    </p>
  ) : (
    ""
  );

interface FieldProps {
  name: string;
  label: string;
  /** What to enter, below the label. */
  about?: string;
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
        <p class="about" id={`${id}-about`} safe>
          {about}
        </p>
      )}
      {children}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} safe>
          {fault}
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

/** The field for the name that a form is sent under. */
export const NameField = ({
  label,
  value,
  refusal,
}: {
  label: string;
  value: string | undefined;
  refusal?: Refusal | undefined;
}) => (
  <Field name="name" label={label} refusal={refusal}>
    <input
      {...inputOf({ name: "name", refusal })}
      required
      maxlength="80"
      autocomplete="nickname"
      value={attribute(value ?? "")}
    />
  </Field>
);

/** The buttons of a form that one may leave: to send it, and a link `back`. */
export const SubmitOrCancel = ({ text, back }: { text: string; back: string }) => (
  <p>
    <button class="main" type="submit" safe>
      {text}
    </button>{" "}
    <a class="button" href={back}>
      Cancel
    </a>
  </p>
);

/** Up to which time a search found everything. */
export const Searched = ({ through }: { through: string | undefined }) =>
  through ? (
    <p class="note">
      Searched what was accepted before <Time at={through} />.
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
