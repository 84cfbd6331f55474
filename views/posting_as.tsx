/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Under which name a form posts: the one that is signed in, or one that is entered. */

import { Html } from "@elysiajs/html";
import { Name, NameField } from "./components.tsx";
import { attribute } from "./text.ts";
import type { Refusal, Site, Words } from "../src/api/pages.ts";

interface PosterProps {
  site: Site;
  /** The name that was entered. */
  value: string | undefined;
  refusal?: Refusal | undefined;
  /** The path of the page with the form, to come back to with a claimed name. */
  next: string;
}

/** The name of the form's sender: a field, unless somebody is signed in. */
export function Poster({ site: { base, me }, value, refusal, next }: PosterProps) {
  if (!me)
    return <NameField label="Your name" about={aboutName(base, next)} value={value} refusal={refusal} />;
  return (
    <p class="poster">
      Posting as <Name base={base} of={{ name: me.name, claimed: true }} />{" "}
      <a class="about" href={`${base}/me`}>
        Your page
      </a>
    </p>
  );
}

const aboutName = (base: string, next: string): Words => [
  "At most 80 characters. Anybody else may use it, too, unless you ",
  { text: "claim it", href: `${base}/claim?next=${encodeURIComponent(next)}` },
  ".",
];

/** In place of a form that only the holders of claimed names can send. `next`: the path of the page with the form. */
export const SignInFirst = ({ base, next, what }: { base: string; next: string; what: string }) => (
  <p class="banner">
    {what as "safe"} takes a claimed name.{" "}
    <a href={attribute(`${base}/signin?next=${encodeURIComponent(next)}`)}>Sign in</a> or{" "}
    <a href={attribute(`${base}/claim?next=${encodeURIComponent(next)}`)}>claim one</a>.
  </p>
);
