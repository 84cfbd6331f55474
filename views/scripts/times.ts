/** Relative times in place of exact ones, which remain as titles and in print, and local times beside those in UTC. */

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "long" });
const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
/** Older times remain dates. */
const days_max = 30;

/** `3 minutes ago`; null if the date says more. */
export function relativeTime(at_ms: number, now_ms: number): string | null {
  const seconds = Math.round((at_ms - now_ms) / 1_000);
  if (Math.abs(seconds) > days_max * 86_400) return null;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}

/** Keeps a time on one line. */
const space = "\u00a0";

/** The time of the reader's clock, with the day if it is another one than in UTC; null if that clock shows UTC. */
function localTime(at: Date): string | null {
  if (at.getTimezoneOffset() === 0) return null;
  const is_other_day = at.getDate() !== at.getUTCDate();
  const day = is_other_day ? ({ day: "numeric", month: "short" } as const) : {};
  const format = new Intl.DateTimeFormat(undefined, { ...day, hour: "2-digit", minute: "2-digit" });
  return format.format(at).replace(/\s/g, space);
}

/** Makes the times below `root` relative, and adds the reader's own to those that are in UTC. */
export function showTimes(root: ParentNode = document): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[datetime]:not([data-utc])")) {
    const text = relativeTime(Date.parse(element.dateTime), Date.now());
    if (text === null || element.textContent === text) continue;
    // The style sheet prints the whole time.
    element.dataset.whole ??= element.textContent ?? "";
    const shown = document.createElement("span");
    shown.textContent = text;
    element.replaceChildren(shown);
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-utc]:not([data-utc=''])")) {
    const local = localTime(new Date(element.dataset.utc!));
    // A list of options has no space for more.
    const whose = element.matches("option") ? "" : `${space}your${space}time`;
    if (local)
      element.textContent = element.textContent!.replace(" UTC", () => `${space}UTC (${local}${whose})`);
    element.dataset.utc = "";
  }
}
