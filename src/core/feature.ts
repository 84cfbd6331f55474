/** What a feature declares in `feature.ts`, and how the declarations of all features are joined. */

import type { CommandDefinitions } from "./commands.ts";
import type { ErrorDefinition } from "./error_definition.ts";
import type { HintTable } from "./hints.ts";
import type { SearchDefinitions } from "./search.ts";
import type { Chore } from "./storage.ts";

/** The writer thread and the search thread read it too, so that it names no routes, tools and pages. */
export interface FeatureDeclaration {
  commands: CommandDefinitions;
  searches?: SearchDefinitions;
  /** Work that the writer thread does between commands. */
  chores?: Chore[];
  /** The expected errors of the feature, by code. */
  errors?: Record<string, ErrorDefinition>;
  /** What callers do next after them. */
  hints?: HintTable;
}

/** The intersection of the members of a union. */
type All<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer A) => void
  ? A
  : never;
type Part<Declaration, Name extends string> =
  Declaration extends Record<Name, infer P extends object> ? P : never;

/** The declarations as one. Throws if two of them have the same name of a command or a search, the same error code, or a hint for the same. */
export const joined = <const D extends FeatureDeclaration>(declarations: readonly D[]) => ({
  commands: merged(declarations.map(({ commands }) => commands)) as All<D["commands"]>,
  searches: merged(declarations.map(({ searches }) => searches)) as All<Part<D, "searches">>,
  errors: merged(declarations.map(({ errors }) => errors)) as All<Part<D, "errors">>,
  hints: merged(declarations.map(({ hints }) => hints)) as HintTable,
  chores: declarations.flatMap(({ chores = [] }) => chores),
});

/** All members of `parts`. Throws if two of them have the same name. */
export function merged(parts: (object | undefined)[]): object {
  const all: Record<string, unknown> = {};
  for (const [name, part] of parts.flatMap((part = {}) => Object.entries(part))) {
    if (Object.hasOwn(all, name)) throw new Error(`Two features declare ${name}.`);
    all[name] = part;
  }
  return all;
}
