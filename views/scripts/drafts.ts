/**
 * Keeps what somebody writes in a form with `data-draft` while they look at other pages, such as the form to reply, and
 * fills in the name that they used last. Both are in the storage of the tab: the service does not get them, pages in caches stay
 * the same for everybody, and they are gone when the tab is closed.
 */

export function keepDrafts(): void {
  const storage = storageOfTab();
  if (!storage) return;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-draft]")) keepDraft(form, storage);
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
    for (const { name } of texts) if (name !== "name") storage.removeItem(keyOf(form, name));
  });
}

/** The name is the same in all forms. */
const keyOf = (form: HTMLFormElement, field: string): string =>
  field === "name" ? "name" : `draft ${new URL(form.action).pathname} ${field}`;

/** Null if the browser is set to store nothing. */
function storageOfTab(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
