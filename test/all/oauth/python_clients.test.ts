/** The official Python client, 1.x and 2.x, signs in at /mcp/account with a browser. */

import { beforeAll, describe } from "bun:test";
import { join } from "node:path";
import { install_timeout_ms, python_versions, pythonWith } from "../../support/python.ts";
import { startChild } from "./support/child.ts";
import { useSigningIn, ways } from "./support/scenario.ts";

const { signsIn } = useSigningIn();

describe.each(python_versions)("a program with mcp %s", (version) => {
  let python: string;
  beforeAll(() => void (python = pythonWith(version)), install_timeout_ms);
  // It does not register again after a registration was deleted: it opens the page with its former client_id.
  signsIn(
    startChild(() => [python, join(import.meta.dir, "sign_in.py")]),
    ways.slice(0, 3),
  );
});
