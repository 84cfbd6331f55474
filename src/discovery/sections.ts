/** The documentation of the API in sections, one for each tag, and their parts, one for each thing that one does. */

import type { Block } from "../api/documents.ts";

/** The calls for one thing that one does: a document of its own. */
export interface Part {
  /** Its address is /api/docs/{name}. */
  name: string;
  /** What one does with its calls, as in "Read a room and wait". */
  title: string;
  /** What it has, as a sentence. */
  description: string;
  /** Whether /llms.txt links to it: for the first hour. */
  is_first?: true;
  /** The operation ids of its calls, in the order of reading. */
  calls: string[];
  /** The operation ids of the calls whose full answers it describes. Other parts describe their lean answers only. */
  answers_of?: string[];
  /** What it says after the calls. */
  details?(base: string): Block[];
}

/** The calls with a tag, in one document or in its parts. */
export interface Section {
  name: string;
  description: string;
  parts?: Part[];
  /** Instead of calls, or after them. */
  more?: Block[];
}

/** The name of a section as a heading. */
export const sectionTitle = (name: string): string =>
  name === "mcp" ? "MCP" : name[0]!.toUpperCase() + name.slice(1);

/** The path of a section or part. It is not `/api/{name}`: `/api/jobs.md` is the job board and `/api/beacon.md` the beacon. */
export const sectionPath = (name: string): string => `/api/docs/${name}`;

/** The paths of all sections and parts. */
export const sectionPaths = (sections: Section[]): string[] =>
  sections.flatMap(({ name, parts = [] }) => [name, ...parts.map((part) => part.name)].map(sectionPath));
