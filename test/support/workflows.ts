/** The workflows of GitHub, read as data. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/release/facts.ts";

export interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
export interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  environment?: string;
  uses?: string;
  steps?: Step[];
}
export interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, ".github/workflows");
export const workflow_names = readdirSync(folder).toSorted();

export const workflow = (name: string): Workflow =>
  Bun.YAML.parse(readFileSync(join(folder, name), "utf8")) as Workflow;
