/** The table of results as markdown, and a description of the machine. */

import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

export interface Row {
  what: string;
  /** The measured value with its unit. */
  value: string;
  /** The baseline, measured in the same run. */
  compared?: string;
  ratio?: number;
  goal?: { at_least: number } | { at_most: number };
  /** A goal for the value itself. */
  bound?: { text: string; is_met: boolean };
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en");
export const perSecond = (value: number): string => `${whole(value)}/s`;
export const microseconds = (value: number): string => `${whole(value)} µs`;

const times = (ratio: number): string => `${ratio.toFixed(2)}×`;

const goalText = (goal: NonNullable<Row["goal"]>): string =>
  "at_least" in goal ? `≥ ${goal.at_least}×` : `≤ ${goal.at_most}×`;

function isMet({ ratio, goal, bound }: Row): boolean {
  if (bound && !bound.is_met) return false;
  if (!goal || ratio === undefined) return true;
  return "at_least" in goal ? ratio >= goal.at_least : ratio <= goal.at_most;
}

/** The goals of a row and whether they are met; empty if it has none. */
function verdict(row: Row): string {
  const goals = [row.goal && goalText(row.goal), row.bound?.text].filter(Boolean);
  return goals.length > 0 ? `${goals.join(" and ")} ${isMet(row) ? "met" : "**missed**"}` : "";
}

/** A line of a markdown table. */
export const cells = (texts: string[]): string => `| ${texts.join(" | ")} |`;

const rowLine = (row: Row): string =>
  cells([
    row.what,
    row.value,
    row.compared ?? "",
    row.ratio === undefined ? "" : times(row.ratio),
    verdict(row),
  ]);

/** The rows as a markdown table. */
export const table = (rows: Row[]): string =>
  [
    cells(["what", "this service", "compared with", "ratio", "goal"]),
    cells(["---", "---", "---", "---", "---"]),
    ...rows.map(rowLine),
  ].join("\n");

/** Describes the machine and the date, without names. Call it before measuring, so that the load is that of others. */
export function machine(): string {
  const memory_gib = (totalmem() / 2 ** 30).toFixed(0);
  const libc = /"glibcVersionRuntime":\s*"([^"]+)"/.exec(
    JSON.stringify(process.report?.getReport() ?? {}),
  )?.[1];
  return (
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${memory_gib} GiB of memory, ` +
    `Linux ${release()}${libc ? `, glibc ${libc}` : ""}, Bun ${Bun.version}, ` +
    `${new Date().toISOString().slice(0, 10)}; load of others when it began: ${loadavg()[0]!.toFixed(1)}`
  );
}
