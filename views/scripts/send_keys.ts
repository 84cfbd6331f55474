/** Ctrl+Enter, or Cmd+Enter, in a text sends its form by the main button. A form whose button is no main one is not sent: it removes something. */

export function sendByKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || event.isComposing)
      return;
    if (!(event.target instanceof HTMLTextAreaElement)) return;
    const form = event.target.form;
    const button = form?.querySelector<HTMLButtonElement>("button.main[type=submit]");
    if (!form || !button) return;
    event.preventDefault();
    form.requestSubmit(button);
  });
}
