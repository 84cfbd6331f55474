/**
 * Tools of earlier releases, and the tools that replace them. They work as before and are listed nowhere, until a release
 * removes them (docs/stability.md).
 */

import type { Tool, ToolDefinition } from "./tool.ts";

const replaced_by = new Map<unknown, string>([
  ["job_extend", "job_update"],
  ["job_release", "job_update"],
  ["job_withdraw", "job_update"],
  ["locker_index", "locker_list"],
]);

/** The tool that replaces the former tool `name`; undefined for any other name. */
export const replacementOf = (name: unknown): string | undefined => replaced_by.get(name);

/** The definitions of the tools that callers are shown. */
export const listedOf = (tools: readonly Tool[]): ToolDefinition[] =>
  tools.filter(({ name }) => replacementOf(name) === undefined).map((tool) => tool.definition());
