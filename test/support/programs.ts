/** Programs of the system that some tests need. A test without its program is skipped, and a printed line names it. */

/** The Debian packages of programs that have another name. */
const packages: Record<string, string> = {
  gcc: "gcc libc6-dev",
  go: "golang-go",
  "ld-musl-config": "musl",
  node: "nodejs",
  promtool: "prometheus",
  python3: "python3 python3-venv",
  "qemu-aarch64-static": "qemu-user-static",
  "qemu-x86_64-static": "qemu-user-static",
  readelf: "binutils",
  setpriv: "util-linux",
  shasum: "perl",
  "systemd-analyze": "systemd",
  "systemd-socket-activate": "systemd",
  umount: "mount",
  unshare: "util-linux",
};

/** Prints the line of tests that are skipped here; returns true. `.ci/run` fails if any test is skipped. */
export function printSkipped(tests: string, reason: string): true {
  console.log(`SKIPPED: ${tests}: ${reason}`);
  return true;
}

/**
 * Whether any of `programs` is not on the PATH; then a line is printed that names each of those that are missing. For
 * `test.skipIf(lacks("what the tests are about", "openssl"))`.
 */
export function lacks(tests: string, ...programs: string[]): boolean {
  const missing = programs.filter((program) => Bun.which(program) === null);
  if (missing.length === 0) return false;
  const install = [...new Set(missing.map((program) => packages[program] ?? program))].join(" ");
  return printSkipped(tests, `missing ${missing.join(", ")} (Debian: apt-get install ${install})`);
}
