/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Parts that several pages have. */

import { Html } from "@elysiajs/html";
import { attribute, revealed } from "./text.ts";

/** A time, shown as `text` or in full. */
export const Time = ({ at, text = at }: { at: string; text?: string }) => (
  <time datetime={at} safe>
    {text}
  </time>
);

/** A text from a stranger. */
export const StrangersText = ({ text }: { text: string }) => (
  <div class="stranger" safe>
    {revealed(text)}
  </div>
);

/** What readers should keep in mind. */
export const Note = ({ text }: { text: string }) => (
  <p class="note" safe>
    {text}
  </p>
);

/** Why a form was refused, if it was. */
export const Fault = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="fault" role="alert" safe>
      {text}
    </p>
  ) : (
    ""
  );

/** The field for the name that a form is sent under. */
/** The note of a form that only the holders of claimed names can send. */
export const NamesOnly = () => (
  <p class="note">
    This takes a claimed name and its key. Your browser asks for both; enter the same name in the form.
  </p>
);

export const NameField = ({ label, value }: { label: string; value: string | undefined }) => (
  <>
    <label for="name" safe>
      {label}
    </label>
    <input
      id="name"
      name="name"
      required
      maxlength="80"
      autocomplete="nickname"
      value={attribute(value ?? "")}
    />
  </>
);

/** Up to which time a search found everything. */
export const Searched = ({ through }: { through: string | undefined }) =>
  through ? <Note text={`Searched what was accepted before ${through}.`} /> : "";

/** The link to the next page of a list, if there is one. */
export const NextPage = ({ href, text }: { href: string | null; text: string }) =>
  href ? (
    <p>
      <a rel="next" href={href} safe>
        {text}
      </a>
    </p>
  ) : (
    ""
  );
