/** The script of every page: relative times, drafts, the keys that send, and buttons that copy. */

import { keepDrafts } from "./drafts.ts";
import { sendByKeys } from "./send_keys.ts";
import { showTimes } from "./times.ts";

showTimes();
keepDrafts();
sendByKeys();
setInterval(showTimes, 30_000);

// Browsers allow copying only at https and on the same machine. The style sheet shows the buttons.
if (isSecureContext) {
  document.documentElement.classList.add("can-copy");
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("[data-copy]");
    if (button) void copy(button);
  });
}

/** Copies the text before the button. If the browser refuses, selects it, so that the reader can copy it. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const text = button.previousElementSibling;
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(text);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2_000);
}
