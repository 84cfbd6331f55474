/** Texts of callers as HTML. Each text is rendered once, in a turn of the event loop of its own. */

import { Cache } from "../core/cache.ts";
import type { Clock } from "../core/clock.ts";
import type { Meter } from "../core/meter.ts";
import { web_limits } from "../web/limits.ts";

export function createRenderedTexts(clock: Clock, meter: Meter) {
  const cache = new Cache<string>({
    sizeOf: (html) => html.length,
    size_max: web_limits.rendered_texts_chars_max,
    value_size_max: web_limits.rendered_text_chars_max,
  }).measure(meter, "texts");

  async function rendered(text: string): Promise<string> {
    // Loaded at the first use, so that the service does not start later because of it.
    const { render } = await import("../../views/markdown/renderer.ts");
    await clock.turn();
    return render(text);
  }

  /** The HTML of each text. */
  return async (texts: Iterable<string>): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (const text of texts) found.set(text, await cache.get("texts", text, () => rendered(text)));
    return found;
  };
}
