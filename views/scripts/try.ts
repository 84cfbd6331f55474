/** The forms of the API pages: they make a call and show its answer. */

for (const details of document.querySelectorAll<HTMLDetailsElement>(".try")) {
  details.hidden = false;
  details.querySelector("form")!.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(event.currentTarget as HTMLFormElement);
  });
}

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Makes the call that the form describes, and shows the status and the text of the answer. */
async function send(form: HTMLFormElement): Promise<void> {
  const inputs = [...form.querySelectorAll<Input>("[data-in]")].filter(({ value }) => value !== "");
  const those = (where: string) => inputs.filter(({ dataset }) => dataset.in === where);
  let url = form.dataset.url!;
  for (const { name, value } of those("path")) url = url.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(those("query").map(({ name, value }) => [name, value]));
  if (query.size > 0) url += `?${query.toString()}`;
  const headers = new Headers(those("header").map(({ name, value }) => [name, value]));
  for (const { value } of those("key")) headers.set("authorization", `Bearer ${value}`);
  const [body] = those("body");
  if (body) headers.set("content-type", "application/json");
  const output = form.querySelector("output")!;
  output.textContent = "…";
  output.replaceChildren(await answerTo(url, form.dataset.method!, headers, body?.value));
}

async function answerTo(url: string, method: string, headers: Headers, body?: string): Promise<HTMLElement> {
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  try {
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    shown.textContent = `${method} ${url}\n${answer.status} ${answer.statusText}\n\n${readable(await answer.text())}`;
  } catch {
    shown.textContent = `${method} ${url}\nThe service did not answer.`;
  }
  return shown;
}

/** JSON with line breaks; other texts as they are. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
