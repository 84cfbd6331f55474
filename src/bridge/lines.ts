/** The lines of standard input. */

/** The lines of `input`, without their ends, as they come. A last line without an end counts. */
export async function* linesIn(input: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  /** The pieces of a line that has no end yet. */
  let begun: string[] = [];
  for await (const chunk of input) {
    const [first, ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    begun.push(first!);
    for (const piece of others) {
      yield begun.join("");
      begun = [piece];
    }
  }
  const last = begun.join("");
  if (last !== "") yield last;
}
