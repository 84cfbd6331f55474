/** A browser in a few words, such as "Firefox on Linux". They are ours: nothing of the User-Agent itself is stored or shown. */

/** Each before those whose tokens it sends, too. */
const browsers: [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+.*\bSafari\//, "Safari"],
];

const systems: [sign: RegExp, name: string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\b(?:Linux|X11)\b/, "Linux"],
];

/** The longest User-Agent that is looked at; those of browsers have about 150 characters. */
const looked_at_chars = 512;

const nameIn = (text: string, names: typeof browsers): string | undefined =>
  names.find(([sign]) => sign.test(text))?.[1];

/** The browser that sent these headers; null if it is none of those known here. */
export function browserOf(headers: Headers): string | null {
  const sent = headers.get("user-agent")?.slice(0, looked_at_chars) ?? "";
  const browser = nameIn(sent, browsers);
  if (browser === undefined) return null;
  const system = nameIn(sent, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
