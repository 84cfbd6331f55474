/** The pages of docs/hosts are those that scripts/host_pages.ts makes from the table of `wharf setup`. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { host_pages } from "../../scripts/host_pages.ts";
import { setup_hosts } from "../../src/cli/setup/hosts.ts";

const root = join(import.meta.dir, "../..");

/** A text without what `bun run fmt` changes: the widths of tables, line breaks, and commas at the end of lists. */
const bare = (text: string): string => text.replace(/-{3,}/g, "---").replace(/[\s,]/g, "");

test("every host has its page, and no page differs from the table", () => {
  expect(setup_hosts.length).toBeGreaterThan(3);
  const found = [...new Bun.Glob("docs/hosts/*").scanSync({ cwd: root, dot: true })].sort();
  expect(found).toEqual(Object.keys(host_pages).sort());
  for (const [path, text] of Object.entries(host_pages))
    expect([path, bare(readFileSync(join(root, path), "utf8"))]).toEqual([path, bare(text)]);
});
