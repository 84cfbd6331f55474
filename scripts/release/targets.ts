/** The systems that a release is built for. */

export interface Target {
  /** Its name in the names of files and packages, and in `wharf version --json`. */
  name: string;
  /** Its name in `bun build --target=bun-…` and in the package with Bun's executable, `@oven/bun-…`. */
  bun: string;
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  /** The C library of Linux; null on other systems. */
  libc: "glibc" | "musl" | null;
  /** The platform tag of its Python wheel. */
  wheel: string;
  /** What the name of its executable ends with. */
  exe: "" | ".exe";
  /** Whether nobody has run it yet: it is built, and its format is checked. */
  experimental: boolean;
}

/**
 * The x64 builds need SSE4.2, not AVX2: Bun has one executable for x64 since 1.4, which chooses by the CPU when it runs. Its
 * "baseline" packages are the same bytes, so there are no builds of that name.
 */
export const targets: readonly Target[] = [
  linux("linux-x64", "linux-x64", "x64", "glibc", "manylinux2014_x86_64"),
  linux("linux-x64-musl", "linux-x64-musl", "x64", "musl", "musllinux_1_2_x86_64"),
  linux("linux-arm64", "linux-aarch64", "arm64", "glibc", "manylinux2014_aarch64"),
  linux("linux-arm64-musl", "linux-aarch64-musl", "arm64", "musl", "musllinux_1_2_aarch64"),
  {
    ...{ name: "darwin-arm64", bun: "darwin-aarch64", os: "darwin", cpu: "arm64", libc: null },
    ...{ wheel: "macosx_13_0_arm64", exe: "", experimental: true },
  },
  {
    ...{ name: "darwin-x64", bun: "darwin-x64", os: "darwin", cpu: "x64", libc: null },
    ...{ wheel: "macosx_13_0_x86_64", exe: "", experimental: true },
  },
  {
    ...{ name: "windows-x64", bun: "windows-x64", os: "win32", cpu: "x64", libc: null },
    ...{ wheel: "win_amd64", exe: ".exe", experimental: true },
  },
];

function linux(
  name: string,
  bun: string,
  cpu: "x64" | "arm64",
  libc: "glibc" | "musl",
  wheel: string,
): Target {
  return { name, bun, os: "linux", cpu, libc, wheel, exe: "", experimental: false };
}

/** The target with this name. Throws if there is none. */
export function targetNamed(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (!found) throw new Error(`No target ${name}. Targets: ${targets.map(({ name }) => name).join(", ")}`);
  return found;
}

/** The target of the machine that this runs on; null if there is none. */
export function targetOfMachine(): Target | null {
  // Only with glibc the report has its version.
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  const libc = process.platform !== "linux" ? null : report?.header?.glibcVersionRuntime ? "glibc" : "musl";
  return (
    targets.find(
      (target) => target.os === process.platform && target.cpu === process.arch && target.libc === libc,
    ) ?? null
  );
}
