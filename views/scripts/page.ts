/** The script of every page: relative times, and buttons that copy. */

import { showTimes } from "./times.ts";

showTimes();
setInterval(showTimes, 30_000);

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) showCopy(button);

/** Lets the button copy the text before it. Browsers allow it only at https and on the same machine. */
function showCopy(button: HTMLButtonElement): void {
  if (!isSecureContext) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
}
