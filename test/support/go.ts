/** A Go that is new enough for the modules of tests: that of the system, or one that this downloads as a module, as Go itself does since 1.21. */

import { chmodSync, globSync } from "node:fs";
import { join } from "node:path";

const needed_minor = 25;
const downloaded = "1.26.8";

/** The environment in which go uses no other Go than the one that was started. */
export const go_environment = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" };

function printed(args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["go", ...args], { env: go_environment });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

/** The path of a go program of at least 1.25. `go` must be on the PATH. */
export function newGo(): string {
  const [, minor = "0"] = /go1\.(\d+)/.exec(printed(["version"])) ?? [];
  if (Number(minor) >= needed_minor) return "go";
  const system = printed(["env", "GOOS", "GOARCH"]).trim().replace("\n", "-");
  const module = `golang.org/toolchain@v0.0.1-go${downloaded}.${system}`;
  const { Dir } = JSON.parse(printed(["mod", "download", "-json", module])) as { Dir: string };
  // Files of modules are not executable.
  for (const pattern of ["bin/*", "pkg/tool/*/*"])
    for (const program of globSync(pattern, { cwd: Dir })) chmodSync(join(Dir, program), 0o755);
  return join(Dir, "bin/go");
}
