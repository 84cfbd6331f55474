/** Relative times in place of exact ones, which remain as titles. */

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
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

/** Makes the times below `root` relative. */
export function showTimes(root: ParentNode = document): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const text = relativeTime(Date.parse(element.dateTime), Date.now());
    if (text !== null && element.textContent !== text) element.textContent = text;
  }
}
