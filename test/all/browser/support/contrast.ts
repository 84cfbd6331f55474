/** The contrast of all text of a page, also where axe-core gives up: over gradients, in pseudo-elements, in controls that are disabled. */

import type { Page } from "playwright-core";

/**
 * The texts whose contrast is too small (WCAG 2.2, 1.4.3: 4.5, and 3 for large text), in both schemes. Behind a text is each colour of
 * each gradient, so a text that a gradient ends below is counted as if it were over the whole of it.
 */
export async function faintTexts(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const text of await page.evaluate(faintTextsHere)) found.push(`${colorScheme}: ${text}`);
  }
  return found;
}

/** Runs in the page. */
function faintTextsHere(): string[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  const known = new Map<string, Colour>();
  const colourOf = (css: string): Colour => {
    const cached = known.get(css);
    if (cached) return cached;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data as unknown as Colour;
    const colour: Colour = [red, green, blue, alpha / 255];
    known.set(css, colour);
    return colour;
  };
  const over = ([r, g, b, a]: Colour, [red, green, blue]: Colour): Colour => [
    r * a + red * (1 - a),
    g * a + green * (1 - a),
    b * a + blue * (1 - a),
    1,
  ];
  const luminance = ([r, g, b]: Colour): number => {
    const [red, green, blue] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: Colour, other: Colour): number => {
    const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };
  /** All colours that may be behind the text of an element. */
  const behind = (element: Element | null): Colour[] => {
    if (!element) return [colourOf("Canvas")];
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const plain = colourOf(backgroundColor);
    const below =
      plain[3] === 1 ? [plain] : behind(element.parentElement).map((colour) => over(plain, colour));
    const stops = backgroundImage.match(/(?:rgba?|color|oklab|oklch|hsla?)\([^)]*\)/g) ?? [];
    return [...below, ...stops.flatMap((stop) => below.map((colour) => over(colourOf(stop), colour)))];
  };
  const opacityOf = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1;

  const faint: string[] = [];
  const check = (element: Element, part?: string): void => {
    const style = getComputedStyle(element, part);
    const [red, green, blue, alpha] = colourOf(style.color);
    const own = part === "::before" || part === "::after" ? colourOf(style.backgroundColor) : null;
    const text: Colour = [red, green, blue, alpha * opacityOf(element) * (part ? Number(style.opacity) : 1)];
    const size = Number.parseFloat(style.fontSize);
    const is_large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratios = behind(element)
      .map((colour) => (own ? over(own, colour) : colour))
      .map((colour) => contrast(over(text, colour), colour));
    const least = Math.min(...ratios);
    if (least < (is_large ? 3 : 4.5))
      faint.push(`${least.toFixed(2)} ${part ?? ""} ${style.color} ${element.outerHTML.slice(0, 160)}`);
  };
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    if (element instanceof SVGElement || !element.checkVisibility({ visibilityProperty: true })) continue;
    const is_control = element.matches("input, textarea, select, button");
    const has_text = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent!.trim() !== "",
    );
    if (has_text || is_control) check(element);
    if (element.matches("[placeholder]")) check(element, "::placeholder");
    if (getComputedStyle(element).display === "list-item") check(element, "::marker");
    for (const part of ["::before", "::after"])
      if (/[^"]/.test(getComputedStyle(element, part).content.replace(/^(?:none|normal)$/, "")))
        check(element, part);
  }
  return faint;
}
