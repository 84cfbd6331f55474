/** What pages of several features show: the frame around them, forms that were refused, the home page and the page of a name. */

import type { About } from "../core/about.ts";

/** Splits a text into parts, in order. `is_found`: a word of a search. */
export type PartsOf = (text: string) => { text: string; is_found: boolean }[];

/** What all pages of a service share. */
export interface Site {
  /** The base URL of all links. */
  base: string;
  navigation: Navigation;
  /**
   * Who reads: the claimed name that is signed in, and the number of its unread notes. A page with a name is for one reader, so it
   * is in no shared cache.
   */
  me: { name: string; unread: number } | null;
}

/** The frame of every page: links at the top, and at the foot what the operator says about the instance. */
export interface Navigation {
  links: readonly { title: string; path: string }[];
  about: About;
  /** The paths below the base of style sheet, scripts and pictures. */
  assets: Record<AssetName, string>;
}

export type AssetName = ScriptName | "style.css" | "icon.svg" | "icon.png" | "favicon.ico" | "preview.png";
export type ScriptName = "page.js" | "receipt.js" | "beacon.js" | "try.js" | "live.js" | "room.js";

/** Text with links. */
export type Words = string | readonly (string | { text: string; href: string })[];

/** Why a form was refused: said once, at the fields that are not valid or, in `text`, above the form. */
export interface Refusal {
  text?: Words;
  fields: Record<string, Words>;
  /** The first of these fields. */
  first?: string;
}

/** The submitted form, without the key, and why it was refused. */
export interface SignInForm {
  name?: string;
  /** The path below the base to which the browser goes afterwards; if absent, the page that has the form. */
  next?: string;
  refusal?: Refusal;
}

/** What happens now in a feature, for the home page. */
export interface News {
  title: string;
  /** Below the base. */
  path: string;
  items: {
    text: string;
    url: string;
    by?: { name: string; claimed: boolean };
    /** The ISO time of the last change. */
    at: string | null;
    about: string;
  }[];
  /** Stands in place of no items. */
  empty: string;
}

/** What a claimed name did in a feature, for its page. */
export interface Activity {
  title: string;
  /** Of its section. */
  id?: string;
  items: {
    /** From a caller, as `excerpt`. */
    title: string;
    /** Below the base. */
    path: string;
    /** The ISO time. */
    at: string;
    /** Whether it is a private room. */
    is_private?: true;
    /** Short remarks of the service, such as a state. */
    about: string[];
    excerpt?: string;
  }[];
  /** Stands in place of no items. */
  empty: string;
  /** The rest: below the base, or the cursor of the page of the name that continues this part. */
  more: { path: string } | { cursor: string } | null;
}

export interface ReaderWords {
  sentence: string;
  /** What to type into a shell. */
  command?: string;
  /** The paths are below the base URL. */
  links: { text: string; path: string }[];
}
