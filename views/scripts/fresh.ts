/** Replaces parts of a page by the same parts of a fresh copy. */

import { showTimes } from "./times.ts";

/** An answer other than 2xx. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/** The answer to a GET of `url`, which browsers send with the cookie of the session. Throws `Refused`. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Refused(response.status);
  return response;
}

/** A fresh copy of the page at `url`. Scripts in it do not run. */
export async function freshPage(url: string): Promise<Document> {
  return new DOMParser().parseFromString(await (await fetchOk(url)).text(), "text/html");
}

/** Replaces each element with an id and `data-live="copy"` by the element of `fresh` with that id. */
export function copyParts(fresh: Document): void {
  for (const old of document.querySelectorAll<HTMLElement>("[data-live=copy]")) {
    const next = fresh.getElementById(old.id);
    if (next && sourceOf(next) !== sourceOf(old)) replace(old, next);
  }
}

/** The HTML as it was sent: without what the scripts made of times. */
function sourceOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute("style");
  for (const time of copy.querySelectorAll("time")) {
    time.textContent = "";
    delete time.dataset.whole;
  }
  return copy.outerHTML;
}

/** Replaces an element. The content below moves only if the element grows. The focus stays on the same link. */
export function replace(old: HTMLElement, next: HTMLElement): void {
  const focused = old.contains(document.activeElement) && document.activeElement?.getAttribute("href");
  next.style.minHeight = `${old.getBoundingClientRect().height}px`;
  showTimes(next);
  old.replaceWith(next);
  if (focused)
    next.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}
