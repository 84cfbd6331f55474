/** What a tag publishes, and the text of its release. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/release/facts.ts";
import { places } from "../../scripts/release/places.ts";
import { notesOf, planOf } from "../../scripts/release/tag.ts";
import { targets } from "../../scripts/release/targets.ts";

const { repository, image } = places;

describe("a tag", () => {
  test("of a version publishes the image by the version, its minor version and as the newest", () => {
    const plan = planOf("v1.2.3", "1.2.3", repository);
    expect(plan.tags).toBe(`${image}:1.2.3,${image}:1.2,${image}:latest`);
    expect(plan).toMatchObject({ image, prerelease: "false", npm_tag: "latest" });
  });

  test("of a prerelease is nobody's default", () => {
    const plan = planOf("v1.3.0-rc.1", "1.3.0-rc.1", repository);
    expect(plan).toEqual({ image, tags: `${image}:1.3.0-rc.1`, prerelease: "true", npm_tag: "next" });
  });

  test("of another version, or in another repository, publishes nothing", () => {
    expect(() => planOf("v1.2.4", "1.2.3", repository)).toThrow("v1.2.3");
    expect(() => planOf("1.2.3", "1.2.3", repository)).toThrow("v1.2.3");
    expect(() => planOf("v1.2.3", "1.2.3", "https://example.com/a-fork")).toThrow("places.ts");
  });
});

describe("the text of a release", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.10.0 - 2026-02-01\n\n### Added\n\n- This.\n\n## 1.1.0 - 2026-01-01\n\n## 1.0.0\n\n- That.\n";

  test("is the section of its version and no other", () => {
    expect(notesOf(changelog, "1.10.0")).toBe("### Added\n\n- This.");
    expect(notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), "0.1.0")).toStartWith("### ");
  });

  test("is missing without a section, a date or a line", () => {
    expect(() => notesOf(changelog, "1.1")).toThrow("no section");
    expect(() => notesOf(changelog, "1.0.0")).toThrow("no date");
    expect(() => notesOf(changelog, "1.1.0")).toThrow("empty");
  });
});

test("docs/stability.md names the systems whose builds are experimental", () => {
  const names: Record<string, string> = { darwin: "macOS", win32: "Windows", linux: "Linux" };
  const systems = new Set(targets.filter(({ experimental }) => experimental).map(({ os }) => names[os]));
  const text = readFileSync(join(root, "docs/stability.md"), "utf8");
  expect(/\*\*Builds marked experimental\*\*, for (.+?)\./.exec(text)![1]!.split(" and ")).toEqual([
    ...systems,
  ] as string[]);
});
