/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The question before something that cannot be undone: the first click shows what it does, the second one does it. */

import { Html } from "@elysiajs/html";
import { attribute } from "./text.ts";

interface AskProps {
  /** What the first click offers, such as `End this lease`. */
  text: string;
  /** The question with the name of the thing, and what happens to it. */
  asks: string;
  /** The address to which the form is sent. */
  action: string;
  /** Hidden fields. */
  fields: Record<string, string>;
  /** The text of the button that does it. */
  button: string;
}

/** As a part of a page that opens. */
export const Ask = ({ text, asks, action, fields, button }: AskProps) => (
  <details class="ask">
    <summary safe>{text}</summary>
    <form method="post" action={attribute(action)}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={attribute(name)} value={attribute(value)} />
      ))}
      <p dir="auto" safe>
        {asks}
      </p>
      <Remove text={button} />
    </form>
  </details>
);

/** The button that does what cannot be undone. Never the main one: neither Enter nor Ctrl+Enter presses it. */
export const Remove = ({ text }: { text: string }) => (
  <button class="remove" type="submit" safe>
    {text}
  </button>
);

/** The buttons of a question that has a page of its own: to do it, and a link `back`. */
export const RemoveOrCancel = ({ text, back }: { text: string; back: string }) => (
  <p class="row">
    <Remove text={text} />
    <a class="button" href={attribute(back)}>
      Cancel
    </a>
  </p>
);
