/** Skeletons of names: names that look alike have the same one (UTS 39, section 4). */

import { confusables } from "./confusables.ts";
import { visualOrder } from "./visual_order.ts";

/** The prototypes of characters. Made at the first use: most instances see no name beyond ASCII. */
let prototypes: Map<string, string> | undefined;

const textOf = (hexes: string): string =>
  String.fromCodePoint(...hexes.split("+").map((hex) => Number.parseInt(hex, 16)));

function readPrototypes(): Map<string, string> {
  const read = new Map<string, string>();
  for (const line of confusables) {
    for (const group of line.split(" ")) {
      const [prototype, sources] = group.split("=") as [string, string];
      const text = textOf(prototype);
      for (const source of sources.split(",")) read.set(textOf(source), text);
    }
  }
  return read;
}

/** The skeleton of `text`, which has no ignorable characters. */
export function skeleton(text: string): string {
  const known = (prototypes ??= readPrototypes());
  return (
    Array.from(text.normalize("NFD"), (char) => known.get(char) ?? char)
      .join("")
      .normalize("NFD")
      // These letters have a dot already, or are shown with it in another case.
      .replace(/(?<=[ijlIJ])\u0307/g, "")
  );
}

/** The skeleton of a text as it is shown from left to right (bidiSkeleton). */
export const skeletonAsShown = (text: string): string => skeleton(visualOrder(text));
