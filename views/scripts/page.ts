/** The script of every page: relative times, and buttons that copy. */

import { showTimes } from "./times.ts";

showTimes();
setInterval(showTimes, 30_000);

// Browsers allow copying only at https and on the same machine. The style sheet shows the buttons.
if (isSecureContext) {
  document.documentElement.classList.add("can-copy");
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("[data-copy]");
    if (button) void copy(button);
  });
}

/** Copies the text before the button. */
async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2_000);
}
