/** Finds the program in the package of this platform. Each is an optional dependency, and npm installs the one that fits. */

"use strict";

const { spawnSync } = require("node:child_process");
const { name, optionalDependencies, repository } = require("./package.json");

/** Whether the C library of this Linux is musl. Some package managers install the programs for both. */
function isMusl() {
  const header = process.report?.getReport()?.header;
  if (header) return header.glibcVersionRuntime === undefined;
  // A runtime other than Node may have no report. ldd of musl prints its name on standard error.
  const { stdout, stderr } = spawnSync("ldd", ["--version"], { encoding: "utf8" });
  return `${stdout}${stderr}`.includes("musl");
}

/**
 * The path of the program for this platform. Throws an error for the user if this platform has none, or if its package is not
 * installed.
 */
function programPath() {
  const { platform, arch } = process;
  const libc = platform === "linux" && isMusl() ? "-musl" : "";
  const package_name = `${name}-${platform}-${arch}${libc}`;
  if (!(package_name in optionalDependencies)) {
    const platforms = Object.keys(optionalDependencies).map((other) => other.slice(name.length + 1));
    throw new Error(
      `there is no program for ${platform}-${arch}${libc}, only for ${platforms.join(", ")}. ` +
        `To build one from the source, see ${repository.url.replace(/^git\+|\.git$/g, "")}.`,
    );
  }
  try {
    return require.resolve(`${package_name}/bin/wharf${platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new Error(
      `the package ${package_name} is not installed, which has the program for this platform. ` +
        "Install again with optional dependencies (npm install --include=optional). If the lock file is of another platform, " +
        "first delete it and node_modules.",
    );
  }
}

module.exports = { programPath };
