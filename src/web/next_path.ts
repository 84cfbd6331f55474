/** Where a browser goes after it has signed in or claimed a name: a page of this service, and nothing else. */

import { web_limits } from "./limits.ts";

const own_page = "/me";

/** The path of a page below `base`, with its query, from a URL or a path below the base. That of the own page if it is neither. */
export function nextPath(base: string, wanted: string | null | undefined): string {
  if (!wanted) return own_page;
  // URL parsers take a backslash as a slash, and leave control characters out.
  const is_path = /^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted);
  const url = URL.parse(is_path ? base + wanted : wanted);
  if (!url || !url.href.startsWith(`${base}/`)) return own_page;
  const path = url.href.slice(base.length);
  // The host is not the first part of the path, also for a browser that is lenient.
  return path.startsWith("//") || /^\/(?:sign(?:in|out)|claim)\b/.test(path) ? own_page : path;
}

/** A page that then leads to `next`, a path from `nextPath`; to the own page if its address would be too long to arrive. */
export function leadingTo(page: string, next: string): string {
  const encoded = encodeURIComponent(next);
  const is_left_out = next === own_page || encoded.length > web_limits.next_query_chars_max;
  return is_left_out ? page : `${page}?next=${encoded}`;
}
