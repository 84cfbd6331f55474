/** goose: goose-docs.ai/docs/guides/config-files, …/guides/context-engineering/using-skills. */

import { join } from "node:path";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { server_name, serverWords, skillIn } from "./words.ts";

function changes(wiring: Wiring): Change[] {
  const { home, environment } = wiring;
  const [command, ...args] = serverWords(wiring);
  // JSON is YAML, too, so that no word needs quotes of YAML.
  const text = `extensions:
  ${server_name}:
    name: ${server_name}
    type: stdio
    cmd: ${JSON.stringify(command)}
    args: ${JSON.stringify(args)}
    enabled: true
    timeout: 300
`;
  return [
    {
      purpose: "tools",
      kind: "own_file",
      file: join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "goose/config.yaml"),
      text,
    },
    skillIn(join(home, ".agents/skills"), wiring),
  ];
}

export const goose: SetupHost = {
  id: "goose",
  title: "goose",
  tried_version: null,
  program: null,
  changes,
  check: () => null,
  start: null,
  remarks: [
    "If the file has `extensions:` already, add the entry below it.",
    "`goose configure` can add it, too: Add Extension, Command-line Extension, with a timeout of 300 seconds.",
    "`goose info -v` shows whether it is there.",
  ],
};
