/**
 * Keeps what somebody writes in a form with `data-draft` while they look at other pages, such as the form to reply, and
 * fills in the name that they used last. Both are in the storage of the tab: the service does not get them, pages in caches stay
 * the same for everybody, and they are gone when the tab is closed. A text that was sent stays until the page shows that it arrived:
 * if the service does not answer, it is in the form again.
 */

export function keepDrafts(): void {
  const storage = storageOfTab();
  if (!storage) return;
  forgetSent(storage);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-draft]")) keepDraft(form, storage);
}

/** What was sent last: the path of the form's page, and the keys of its texts. */
interface Sent {
  from: string;
  path: string;
  keys: string[];
}

function keepDraft(form: HTMLFormElement, storage: Storage): void {
  const texts = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=hidden]), textarea",
  );
  for (const field of texts) {
    const key = keyOf(form, field.name);
    const store = () => storage.setItem(key, field.value);
    // What the service has filled in is newer: the text of a form that it refused.
    if (field.value.trim() === "") field.value = storage.getItem(key) ?? "";
    else store();
    field.addEventListener("input", store);
  }
  form.addEventListener("submit", () => {
    const keys = Array.from(texts, ({ name }) => name).filter((name) => name !== "name");
    const sent: Sent = {
      from: location.pathname,
      path: pathOf(form),
      keys: keys.map((name) => keyOf(form, name)),
    };
    storage.setItem("sent", JSON.stringify(sent));
  });
}

/** Removes the texts that were sent last, if this page is the answer to them. */
function forgetSent(storage: Storage): void {
  const stored = storage.getItem("sent");
  if (stored === null) return;
  storage.removeItem("sent");
  const sent = JSON.parse(stored) as Sent;
  if (isAnswerTo(sent)) for (const key of sent.keys) storage.removeItem(key);
}

/**
 * Whether this page is what the service shows after it has taken the form: one to which it led the browser, or one at the address of
 * the form itself. After a failure the browser shows a page of its own, and comes here by going back, or without a referrer.
 */
function isAnswerTo({ from, path }: Sent): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!entry || entry.type === "back_forward" || (entry.responseStatus || 200) >= 400) return false;
  if (entry.type === "navigate" && !document.referrer.startsWith(`${location.origin}/`)) return false;
  return entry.redirectCount > 0 || (location.pathname === path && path !== from);
}

const pathOf = (form: HTMLFormElement): string => new URL(form.action).pathname;

/** The name is the same in all forms. */
const keyOf = (form: HTMLFormElement, field: string): string =>
  field === "name" ? "name" : `draft ${pathOf(form)} ${field}`;

/** Null if the browser is set to store nothing. */
function storageOfTab(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
