/** Small contents that the conformance suite's fixtures are made of. */

/** A PNG of one red pixel, in base64. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV file without samples, in base64. */
export const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

export const text = (words: string) => ({ type: "text" as const, text: words });
export const image = { type: "image" as const, data: png, mimeType: "image/png" };
export const audio = { type: "audio" as const, data: wav, mimeType: "audio/wav" };
export const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});

/** A pause within a fixture that the suite asks for. */
export const pause = (ms: number): Promise<void> => Bun.sleep(ms);

/** An object schema with string properties, all of them required. */
export const strings = (...names: string[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  required: names,
});
