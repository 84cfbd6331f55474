/** The conformance suites against the product: which checks failed, and which failures are explained. For tests only. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Failed {
  scenario: string;
  check: string;
  says: string;
}

interface Reason {
  why: string;
  says: string;
  checks: string[];
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** The results of a suite in `directory`: the scenarios that ran, and their failed checks. */
export function outcomeIn(directory: string): { ran: Set<string>; failed: Failed[] } {
  const outcomes = readdirSync(directory).map((name) => ({
    scenario: /^server-(.*?)-20\d\d-\d\d-\d\dT/.exec(name)![1]!,
    checks: JSON.parse(readFileSync(join(directory, name, "checks.json"), "utf8")) as Check[],
  }));
  return {
    ran: new Set(outcomes.map(({ scenario }) => scenario)),
    failed: outcomes.flatMap(({ scenario, checks }) =>
      checks
        .filter(({ status }) => status === "FAILURE")
        .map(({ id, errorMessage = "" }) => ({ scenario, check: id, says: errorMessage })),
    ),
  };
}

const baseline = Bun.YAML.parse(
  readFileSync(join(import.meta.dir, "product_baseline.yml"), "utf8"),
) as Reason[];

const explains = (line: string, { scenario, check }: Failed): boolean =>
  [`${scenario}/${check}`, `${scenario}/*`, ...(check === scenario ? [scenario] : [])].includes(line);

/** The failures that the baseline does not explain, and the explained ones that did not fail. */
export function differences({ ran, failed }: ReturnType<typeof outcomeIn>): {
  unexplained: Failed[];
  passing: string[];
} {
  const unexplained = failed.filter(
    (one) =>
      !baseline.some(
        ({ says, checks }) => new RegExp(says).test(one.says) && checks.some((line) => explains(line, one)),
      ),
  );
  const passing = baseline
    .flatMap(({ checks }) => checks)
    .filter((line) => ran.has(line.split("/")[0]!) && !failed.some((one) => explains(line, one)));
  return { unexplained, passing };
}
