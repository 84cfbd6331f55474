/** Slugs: the names of rooms in URLs. */

import { randomSlug, type Random } from "../core/random.ts";
import type { Visibility } from "../api/rooms/visibility.ts";
import { private_slug_beginning } from "../api/rooms/visibility.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

/** Random bits in the suffix of a slug, for rooms with the same goal. */
const taken_suffix_bits = 30;

/** The readable part of a slug: the goal in lower case, decomposed (NFKD), `[a-z0-9-]` only, cut at a word. */
export function slugWords(goal: string, chars_max: number): string {
  const words = goal
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (words.length <= chars_max) return words;
  const cut = words.slice(0, chars_max + 1).lastIndexOf("-");
  return words.slice(0, cut > chars_max / 2 ? cut : chars_max).replace(/-$/, "");
}

/** Reserved slugs: another resource at the same path (/mcp/meet/server-card), and positions among the public rooms. */
const reserved = new Set(["server-card", "now", "0"]);

/** Candidate slugs for a public room, in order: first the goal alone, then with a random suffix. */
function publicSlugs(random: Random, goal: string): string[] {
  const words = slugWords(goal, room_limits.slug_chars_max) || "room";
  const suffixed = slugWords(words, room_limits.slug_chars_max - 7) || "room";
  const suffixes = [1, 2, 3].map(() => `${suffixed}-${randomSlug(random, taken_suffix_bits)}`);
  return reserved.has(words) ? suffixes : [words, ...suffixes];
}

declare const readable: unique symbol;

/** The slug of a room that its reader may read, or of none. Made by members/admission.ts alone. */
export type ReadableSlug = string & { readonly [readable]: true };

/** The slugs in a text that private rooms have. */
export const privateSlugsIn = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(private_slugs)),
];

const private_slugs = new RegExp(`${private_slug_beginning}[0-9a-z]+`, "g");

/** The slug of a private room. It has no words of the goal, because slugs stand in addresses. */
const privateSlug = (random: Random): string =>
  private_slug_beginning + randomSlug(random, room_internal_limits.unlisted_slug_bits);

/** The slug of an unlisted room. It must not be guessable from the goal. */
function unlistedSlug(random: Random, goal: string): string {
  const secret = randomSlug(random, room_internal_limits.unlisted_slug_bits);
  const words = slugWords(goal, room_limits.slug_chars_max - secret.length - 1);
  return words ? `${words}-${secret}` : secret;
}

/** Candidate slugs for a new room, in order. */
export function slugsOf(visibility: Visibility, random: Random, goal: string): string[] {
  if (visibility === "public") return publicSlugs(random, goal);
  return [visibility === "private" ? privateSlug(random) : unlistedSlug(random, goal)];
}

const address = /(?:^|\/)(?:meet\/r|api\/meet\/rooms|mcp\/meet|room)\/([a-z0-9-]+)(?:\.md)?(?:[/?#]|$)/;

/** The slug in `text`: the slug itself, or any address of the room (page, API, MCP, their .md twins, meet://room/). */
export const slugFromAddress = (text: string): string => address.exec(text)?.[1] ?? plainSlug(text);

/** The slug that `text` spells: "#General" is general. */
export const plainSlug = (text: string): string =>
  misspelled.test(text) ? text.replace("#", "").toLowerCase() : text;

const misspelled = /^(?=.*[A-Z#])#?[A-Za-z0-9-]+(?:\.md)?$/;

/** The topic published when anything changes in this room. */
export const roomTopic = (slug: string): string => `room:${slug}`;
