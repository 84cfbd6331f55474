/** The packages of PyPI: a wheel with the program for each platform, and one with the plugin for pytest. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { description } from "../../package.json" with { type: "json" };
import { zip } from "./archives.ts";
import type { ReleaseFacts } from "./facts.ts";
import { license, programOf, readmeOf, thirdPartyLicensesIn } from "./package_contents.ts";
import { places } from "./places.ts";
import { targets, type Target } from "./targets.ts";

const plugin = readFileSync(join(import.meta.dir, "../../testing/pytest_wharf.py"));

/**
 * A version as Python writes it (PEP 440): 1.3.0rc1 for 1.3.0-rc.1. Throws if it is neither a release nor an alpha, beta or rc with a
 * number.
 */
export function pythonVersion(version: string): string {
  const [, release, kind, number] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? [];
  if (!release) throw new Error(`Python has no version ${version}: use one like 1.3.0 or 1.3.0-rc.1.`);
  return kind ? `${release}${kind === "rc" ? kind : kind[0]}${number}` : release;
}

interface Wheel {
  name: string;
  summary: string;
  /** The platform as in the file's name, such as `manylinux_2_17_x86_64`; `any` if it has no program. */
  platform: string;
  /** Further lines of its METADATA. */
  metadata: string[];
  /** The text that describes it, as Markdown. */
  readme: string;
  /** Files by their path in the wheel; in the folders of its metadata and of its scripts by a name for that folder. */
  files: { folder: "library" | "scripts" | "info"; name: string; data: string | Uint8Array }[];
}

/** Writes the wheels into `folder`/python, with the programs in `folder`/bin. */
export async function packWheels(
  folder: string,
  { version, commit_time_seconds }: ReleaseFacts,
): Promise<void> {
  const python_version = pythonVersion(version);
  async function pack(wheel: Wheel): Promise<void> {
    const stem = `${wheel.name.replaceAll("-", "_")}-${python_version}`;
    const file = `${stem}-py3-none-${wheel.platform}.whl`;
    await zip(entriesOf(wheel, stem, python_version), join(folder, "python", file), commit_time_seconds);
  }

  mkdirSync(join(folder, "python"));
  // One after the other: a program has more than 100 MB.
  for (const target of targets) await pack(programWheel(target, folder, version));
  await pack(pluginWheel(version));
}

const programWheel = (target: Target, folder: string, version: string): Wheel => ({
  name: places.pypi,
  summary: description,
  platform: target.wheel,
  metadata: ["License-File: THIRD_PARTY_LICENSES", "Requires-Python: >=3.8"],
  readme: readmeOf("README.md", version),
  // Installers put it on the PATH as it is.
  files: [
    { folder: "scripts", name: `wharf${target.exe}`, data: programOf(folder, target) },
    { folder: "info", name: "licenses/THIRD_PARTY_LICENSES", data: thirdPartyLicensesIn(folder) },
  ],
});

const pluginWheel = (version: string): Wheel => ({
  name: `${places.pypi}-testing`,
  summary: "Starts and controls Wharf in tests with pytest.",
  platform: "any",
  metadata: [
    "Requires-Python: >=3.9",
    "Requires-Dist: pytest>=7",
    `Requires-Dist: ${places.pypi}==${pythonVersion(version)}`,
    "Classifier: Framework :: Pytest",
  ],
  readme: readmeOf("testing/README.md", version),
  files: [
    { folder: "library", name: "pytest_wharf.py", data: plugin },
    { folder: "info", name: "entry_points.txt", data: "[pytest11]\nwharf = pytest_wharf\n" },
  ],
});

/** The entries of a wheel (PyPA: binary distribution format), with RECORD as the last one. */
function entriesOf(
  { name, summary, platform, metadata, readme, files }: Wheel,
  stem: string,
  version: string,
) {
  const info = `${stem}.dist-info/`;
  const folders = { library: "", scripts: `${stem}.data/scripts/`, info };
  const about = [
    "Metadata-Version: 2.4",
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    "License-Expression: MIT",
    "License-File: LICENSE",
    `Project-URL: Source, ${places.repository}`,
    ...metadata,
    "Description-Content-Type: text/markdown",
  ];
  const wheel = [
    "Wheel-Version: 1.0",
    "Generator: wharf",
    `Root-Is-Purelib: ${platform === "any"}`,
    `Tag: py3-none-${platform}`,
  ];
  const entries = [
    ...files.map((file) => ({
      name: folders[file.folder] + file.name,
      mode: file.folder === "scripts" ? 0o755 : 0o644,
      data: Buffer.from(file.data as Uint8Array),
    })),
    { name: `${info}licenses/LICENSE`, mode: 0o644, data: license },
    { name: `${info}METADATA`, mode: 0o644, data: Buffer.from(`${about.join("\n")}\n\n${readme}`) },
    { name: `${info}WHEEL`, mode: 0o644, data: Buffer.from(`${wheel.join("\n")}\n`) },
  ];
  const record = [
    ...entries.map(
      ({ name, data }) =>
        `${name},sha256=${new Bun.CryptoHasher("sha256").update(data).digest("base64url")},${data.length}`,
    ),
    `${info}RECORD,,`,
  ];
  return [...entries, { name: `${info}RECORD`, mode: 0o644, data: Buffer.from(`${record.join("\n")}\n`) }];
}
