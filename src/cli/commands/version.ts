/** `wharf version`: prints the version. */

import { Command } from "commander";
import { version } from "../../../package.json" with { type: "json" };
import { withExamples } from "../help.ts";
import type { Terminal } from "../terminal.ts";

export const versionCommand = (terminal: Terminal): Command =>
  withExamples(
    new Command("version").description("print the version").action(() => terminal.print(version)),
    "wharf version",
  );
