/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/**
 * The flag of a name: a pattern in two colours, the same wherever the name stands. It helps to distinguish speakers and
 * says nothing about who they are: two names may have the same flag.
 */

import { Html } from "@elysiajs/html";

/** Shapes on an 8 × 8 field, in the manner of signal flags. */
const patterns = [
  "M0 0h4v8h-4z",
  "M0 0h8v4h-8z",
  "M0 0h4v4h-4zM4 4h4v4h-4z",
  "M3 0h2v3h3v2h-3v3h-2v-3h-3v-2h3z",
  "M0 0h8v8h-8zM1.5 1.5v5h5v-5z",
  "M2 2h4v4h-4z",
  "M0 0h2v8h-2zM4 0h2v8h-2z",
  "M0 3h8v2h-8z",
  "M0 0l8 8h-8z",
  "M4 1a3 3 0 0 1 0 6a3 3 0 0 1 0-6z",
  "M0 0l5 4-5 4z",
  "M4 0l4 4-4 4-4-4z",
  "M0 0h4v4h-4z",
  "M0 0h8v2.5h-8zM0 5.5h8v2.5h-8z",
  "M1 1h2v2h-2zM5 1h2v2h-2zM1 5h2v2h-2zM5 5h2v2h-2z",
  "M0 0h3v8h-3z",
  "M0 0h3l5 5v3h-3l-5-5z",
  "M0 1l4 4 4-4v3l-4 4-4-4z",
  "M0 8l4-7 4 7z",
  "M0 0h8l-4 4zM0 8l4-4 4 4z",
] as const;
/** The classes of the colours: each flag has a dark one and a light one. */
const dark = ["f0", "f1", "f2", "f3", "f4"] as const;
const light = ["f5", "f6", "f7"] as const;

/** FNV-1a, 32 bits, of UTF-16 code units; then mixed, because similar names differ only at the end. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}

/** The pattern and the colours for a name. Case and separators make no difference, as for claimed names. */
function flagOf(name: string): { path: string; field: string; pattern: string } {
  let rest = hash(name.toLowerCase().replace(/[\s._-]+/g, ""));
  const take = <Item,>(list: readonly Item[]): Item => {
    const item = list[rest % list.length]!;
    rest = Math.floor(rest / list.length);
    return item;
  };
  const path = take(patterns);
  const pair = [take(dark), take(light)] as const;
  const [field, pattern] = rest % 2 === 0 ? pair : pair.toReversed();
  return { path, field: field!, pattern: pattern! };
}

export function Flag({ name }: { name: string }) {
  const { path, field, pattern } = flagOf(name);
  return (
    <svg class="flag" viewBox="0 0 8 8" aria-hidden="true">
      <rect class={field} width="8" height="8" />
      <path class={pattern} d={path} />
    </svg>
  );
}
