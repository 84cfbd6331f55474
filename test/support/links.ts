/** The addresses in a page and in a document. */

export interface Links {
  /** Addresses that a reader opens or a browser loads. */
  followed: string[];
  /** Addresses that forms post to. */
  posted: string[];
  /** Addresses that scripts complete. */
  prefixes: string[];
}

const attributes: Record<string, keyof Links> = {
  href: "followed",
  src: "followed",
  action: "followed",
  "data-stream": "followed",
  "data-page": "prefixes",
  "data-base": "prefixes",
  "data-url": "prefixes",
};

/** The links of the page `html` at the address `at`: absolute, without fragments. */
export function linksOf(html: string, at: string): Links {
  const links: Links = { followed: [], posted: [], prefixes: [] };
  const on = {
    element(element: HTMLRewriterTypes.Element) {
      for (const [name, kind] of Object.entries(attributes)) {
        const value = element.getAttribute(name);
        if (value === null || value.startsWith("mailto:")) continue;
        const is_posted = name === "action" && element.getAttribute("method") === "post";
        links[is_posted ? "posted" : kind].push(withoutFragment(new URL(value.replaceAll("&amp;", "&"), at)));
      }
    },
  };
  new HTMLRewriter().on("*", on).transform(html);
  return links;
}

/** The addresses in a text that begin with `origin`. A template ends at its first variable, and a sentence at its end. */
export const addressesIn = (text: string, origin: string): string[] =>
  (text.match(new RegExp(`${origin}[^\\s"'\`<>()\\[\\]\\\\{}$,;*]*`, "g")) ?? []).map((found) =>
    withoutFragment(new URL(found.replace(/[.:]+$/, ""))),
  );

function withoutFragment(url: URL): string {
  url.hash = "";
  return url.href;
}
