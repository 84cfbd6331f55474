/** What a page is made of, to find elements and attributes that a text from a stranger has become. */

import type { Page } from "playwright-core";

/** What the Markdown of strangers may become, with the attributes of each element. */
const markdown: Record<string, string> = {
  ...{ p: "", br: "", hr: "", h3: "", h4: "", h5: "", h6: "", ul: "", ol: "start", li: "", blockquote: "" },
  ...{
    code: "",
    strong: "",
    em: "",
    s: "",
    table: "",
    thead: "",
    tbody: "",
    tr: "",
    th: "class",
    td: "class",
  },
  // The words that a search has found.
  mark: "",
  ...{ a: "href rel", pre: "tabindex", div: "class tabindex", span: "class", button: "type data-copy" },
};

/** The elements around texts of strangers, as `a` and `a href`, and what no page may have. */
export async function outlineOf(page: Page): Promise<{ around: string[]; faults: string[] }> {
  return page.evaluate((allowed) => {
    const around = new Set<string>();
    const faults: string[] = [];
    const fault = (element: Element, what: string) =>
      faults.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
    for (const element of document.querySelectorAll("*")) {
      const tag = element.localName;
      const is_text = element.parentElement?.closest(".text") !== null && element.closest(".text") !== null;
      const known = Object.hasOwn(allowed, tag) ? `dir ${allowed[tag]}`.split(" ") : null;
      if (is_text && !known) fault(element, "element in a text");
      if (!is_text) around.add(tag);
      for (const { name, value } of element.attributes) {
        if (is_text && !known?.includes(name)) fault(element, `attribute ${name} in a text`);
        // The script of rooms sets the height of the body, and the least height of what it renews.
        const is_height = element.hasAttribute("data-live") && /^min-height: [\d.]+px;$/.test(value);
        if (name === "style" && (tag === "body" || is_height)) continue;
        if (!is_text) around.add(`${tag} ${name}`);
        if (name.startsWith("on") || ["style", "srcdoc", "srcset"].includes(name)) fault(element, name);
        if (!["href", "src", "action", "formaction", "data", "poster"].includes(name)) continue;
        if (tag === "meta" || tag.includes("-") || element.closest("svg")) continue;
        const { origin, protocol } = new URL(value, location.href);
        const is_link = is_text && tag === "a" && /^(?:https?|mailto):/i.test(value);
        if (is_link && element.getAttribute("rel") === "nofollow ugc noopener") continue;
        if (origin !== location.origin || !/^https?:$/.test(protocol)) fault(element, `address in ${name}`);
      }
    }
    const comments = document.createNodeIterator(document, NodeFilter.SHOW_COMMENT);
    if (comments.nextNode()) faults.push("a comment");
    return { around: [...around], faults };
  }, markdown);
}
