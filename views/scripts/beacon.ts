/** The script of the beacon's pages: counts down, shows new rounds when they come, and checks rounds in this browser. */

import { checkHere } from "./round_check.ts";
import { showTimes } from "./times.ts";

/** After a round's end a page waits up to this long, so that not all readers call at once. */
const jitter_ms = 1_500;
const retry_ms_max = 60_000;

/** How far the clock of the service is ahead of this machine's. Answers have its time in Server-Timing. */
let ahead_ms = 0;
let failures = 0;

const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
const time_there = navigation?.serverTiming?.find(({ name }) => name === "now")?.duration;
if (time_there) ahead_ms = time_there - (performance.timeOrigin + navigation!.responseStart);
start();

/** Begins with what the page shows now. */
function start(): void {
  const countdown = document.querySelector<HTMLElement>(".countdown");
  if (countdown) countDown(countdown);
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-share]")) {
    button.hidden = !("share" in navigator);
    button.onclick = () => void share(button);
  }
  const result = document.querySelector<HTMLElement>("[data-round]");
  const checked = document.querySelector<HTMLElement>("#checked");
  const list = document.querySelector<HTMLElement>("#checks");
  if (result && checked && list) void checkHere(checked, list, result.dataset.round!, result.dataset.query!);
}

/** Opens the sheet of the system to send the link. */
async function share({ dataset: { share: url, text } }: HTMLButtonElement): Promise<void> {
  // The reader may close it.
  await navigator.share({ title: document.title, text: text!, url: url! }).catch(() => {});
}

function countDown(countdown: HTMLElement): void {
  const ends_ms = Date.parse(countdown.dataset.ends!);
  const left = countdown.querySelector<HTMLElement>("[data-left]")!;
  const due_ms = ends_ms + 200 + Math.random() * jitter_ms;
  const tick = () => {
    if (!countdown.isConnected) return;
    const now_ms = Date.now() + ahead_ms;
    const left_s = Math.ceil((ends_ms - now_ms) / 1_000);
    left.textContent = left_s > 0 ? `in ${lengthOf(left_s)}` : countdown.dataset.over!;
    if (now_ms < due_ms) setTimeout(tick, 1_000 - (now_ms % 1_000));
    else void refresh(left);
  };
  tick();
}

/** `34 s`, `2 min 5 s`, `3 h 12 min`, `2 d 21 h`. */
function lengthOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Replaces the parts that change by the parts of a fresh page. Tries again while nothing has changed. */
async function refresh(left: HTMLElement): Promise<void> {
  const fresh = await pageNow();
  const endsIn = (page: Document) => page.querySelector<HTMLElement>(".countdown")?.dataset.ends;
  if (typeof fresh === "string" || endsIn(fresh) === endsIn(document)) {
    const held = typeof fresh === "string" ? fresh : fresh.querySelector("main > [role=alert]")?.textContent;
    if (held) left.textContent = `late: ${held} Trying again.`;
    failures++;
    const delay_ms = Math.min(retry_ms_max, 1_000 * 2 ** failures) * (0.75 + Math.random() / 2);
    setTimeout(() => void refresh(left), delay_ms);
    return;
  }
  failures = 0;
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const copy = fresh.getElementById(part.id);
    // A list that somebody chooses from stays as it is.
    if (copy && !part.closest("form:focus-within")) part.replaceWith(document.adoptNode(copy));
  }
  document.title = fresh.title;
  const outcome = [...document.querySelectorAll("#toss [data-outcome]")].map((part) => part.textContent);
  const over = document.querySelector("#toss .over")?.textContent ?? "";
  document.querySelector("#said")!.textContent =
    outcome.length > 0 ? `The result: ${outcome.join(", ")}` : over;
  showTimes();
  start();
}

/** This page as it is now, or why it cannot be read. */
async function pageNow(): Promise<Document | string> {
  try {
    const response = await fetch(location.href, { cache: "no-store", headers: { accept: "text/html" } });
    const time_there = Number(/\bnow;dur=(\d+)/.exec(response.headers.get("server-timing") ?? "")?.[1]);
    if (time_there) ahead_ms = time_there - Date.now();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return response.ok ? page : `${page.querySelector("h1")?.textContent ?? response.status}.`;
  } catch {
    return "The service does not answer.";
  }
}
