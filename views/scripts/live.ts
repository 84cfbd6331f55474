/**
 * Pages that lists and states change: parts with `data-live="copy"` are replaced when they have changed, and lists with
 * `data-live="count"` say how many entries are new, with the words of `data-one` and `data-many`. The page looks for changes every
 * 20 seconds, and at each event `data-event` of the stream `data-stream`, if a part names one.
 */

import { copyParts, freshPage } from "./fresh.ts";
import { countNew } from "./new_entries.ts";

const look_ms = 20_000;

setInterval(() => {
  if (!document.hidden) void look();
}, look_ms);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void look();
  follow();
});

let source: EventSource | undefined;
follow();

/** Follows the stream while the page is shown: browsers allow six connections to a host over HTTP/1.1. */
function follow(): void {
  source?.close();
  const { stream, event } = document.querySelector<HTMLElement>("[data-stream]")?.dataset ?? {};
  if (document.hidden || stream === undefined || event === undefined) return;
  source = new EventSource(stream);
  source.addEventListener(event, () => void look());
}

let is_looking = false;
let is_stale = false;

/** Looks for changes; again at the end if another look was due meanwhile. */
async function look(): Promise<void> {
  is_stale = true;
  if (is_looking) return;
  is_looking = true;
  while (is_stale) {
    is_stale = false;
    await lookOnce();
  }
  is_looking = false;
}

/** A failure needs no words: the page is as old as it was, and the next look comes by itself. */
async function lookOnce(): Promise<void> {
  const fresh = await freshPage(location.href).catch(() => null);
  if (!fresh) return;
  document.title = fresh.title;
  copyParts(fresh);
  for (const list of document.querySelectorAll<HTMLElement>("[data-live=count]")) {
    const next = fresh.getElementById(list.id);
    const count = next ? countNew(hrefsOf(list), hrefsOf(next)) : 0;
    if (count > 0) showLink(`${count} ${count === 1 ? list.dataset.one : list.dataset.many}`);
  }
}

const hrefsOf = (list: HTMLElement): string[] =>
  [...list.children].map((entry) => entry.querySelector("a")?.href ?? "");

/** Shows a link that loads the page again, over the content, so that nothing moves. */
function showLink(text: string): void {
  let place = document.getElementById("fresh");
  if (!place) {
    place = document.createElement("p");
    place.id = "fresh";
    place.className = "fresh";
    place.setAttribute("aria-live", "polite");
    document.querySelector("main")!.append(place);
  }
  const link = document.createElement("a");
  link.className = "button";
  link.href = location.pathname + location.search;
  link.textContent = text;
  if (place.textContent !== text) place.replaceChildren(link);
}
