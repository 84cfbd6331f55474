/** A compression that fails concerns the answer that needed it, and no later one. */

import { expect, spyOn, test } from "bun:test";
import { sendTagged, taggedText } from "../../src/web/responses.ts";

test.each([
  ["zstd", "zstdCompressSync"],
  ["gzip", "gzipSync"],
] as const)(
  "an answer whose compression as %s failed is compressed for the next reader",
  async (encoding, name) => {
    const request = new Request("http://localhost/", { headers: { "accept-encoding": encoding } });
    const answer = taggedText("words that come again ".repeat(100));
    const send = async () => sendTagged(request, answer);
    const failing = spyOn(Bun, name).mockImplementationOnce(() => {
      throw new Error("no memory");
    });
    try {
      const outcomes = await Promise.allSettled([send(), send()]);
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      const response = await send();
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(failing).toHaveBeenCalledTimes(2);
      // It is made once.
      await send();
      expect(failing).toHaveBeenCalledTimes(2);
    } finally {
      failing.mockRestore();
    }
  },
);
