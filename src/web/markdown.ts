/** Lines that the Markdown twins of several features share. */

/** Lines that say how far a search index had come; empty for a list. */
export const searchedLines = ({ indexed_through }: { indexed_through?: string }): string[] =>
  indexed_through ? [`Search index as of: ${indexed_through}`, ""] : [];
