/** What each host's JSON says: which files an edit changes, and where a turn begins and ends. The calls were recorded from the hosts (test/fixtures/host_hooks). */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codex } from "../../../../src/cli/shell/hooks/codex.ts";
import { Sent } from "../../../../src/cli/shell/hooks/host.ts";
import { hosts } from "../../../../src/cli/shell/hooks/hosts.ts";

interface Recorded {
  about: string;
  sent: object;
  /** What the hook must read in it; undefined: nothing that needs a check. */
  edits?: string[];
  ends?: true;
  /** The name of the hook of a prompt or of the start of a session. */
  prompts?: string;
  ends_turn?: "first" | "continued";
}

const recorded = Object.entries(hosts).flatMap(([name, host]) => {
  const file = join(import.meta.dir, "../../../fixtures/host_hooks", `${name}.json`);
  const { calls } = JSON.parse(readFileSync(file, "utf8")) as { calls: Recorded[] };
  return calls.map((call) => ({ name, host, ...call }));
});

describe("reads the recorded calls of the hosts", () => {
  test.each(recorded)("$name: $about", ({ host, sent, edits, ends, prompts, ends_turn }) => {
    const call = host.read(new Sent(sent));
    const session = expect.stringMatching(/^[\w-]{8,}$/);
    if (ends) expect(call).toEqual({ event: "end", session });
    else if (edits) expect(call).toEqual({ event: "edit", session, paths: edits });
    else if (prompts) expect(call).toEqual({ event: "prompt", hook: prompts });
    else if (ends_turn) expect(call).toEqual({ event: "turn end", is_continued: ends_turn === "continued" });
    else expect(call).toEqual({ event: "other" });
  });

  test.each(Object.keys(hosts))("there is a call of each hook of %s", (host) => {
    const calls = recorded.filter(({ name }) => name === host);
    for (const member of ["edits", "ends", "prompts"] as const)
      expect([member, calls.some((call) => call[member] !== undefined)]).toEqual([member, true]);
    expect(calls.flatMap(({ ends_turn = [] }) => ends_turn)).toEqual(["first", "continued"]);
  });
});

describe("anything else is allowed without a check", () => {
  const strange = [null, 1, "text", [], {}, { tool_input: null }, { hook_event_name: 3, tool_name: {} }];
  test.each(Object.entries(hosts))("%s", (_name, host) => {
    for (const sent of strange) expect(host.read(new Sent(sent))).toEqual({ event: "other" });
  });
});

describe("patches of Codex", () => {
  const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const call = (tool_name: string, command: string) =>
    codex.read(
      new Sent({
        hook_event_name: "PreToolUse",
        session_id: "session",
        cwd: "/repo",
        tool_name,
        tool_input: { command },
      }),
    );
  const edit = (...paths: string[]) => ({ event: "edit" as const, session: "session", paths });

  test("names the files that are added, updated, deleted and moved", () => {
    const text = patch(
      "*** Add File: new file.ts",
      "+*** Update File: not a header",
      "*** Update File: a.ts",
      "*** Move to: b/a.ts",
      "@@",
      "-one",
      "+two",
      "*** Delete File: /repo/c.ts",
    );
    expect(call("apply_patch", text)).toEqual(
      edit("/repo/new file.ts", "/repo/a.ts", "/repo/b/a.ts", "/repo/c.ts"),
    );
  });

  test("finds a patch that its shell gets, also in another folder", () => {
    const text = patch("*** Add File: a.ts", "+x");
    expect(call("Bash", `apply_patch <<'EOF'\n${text}\nEOF\n`)).toEqual(edit("/repo/a.ts"));
    expect(call("Bash", `cd src && apply_patch <<'EOF'\n${text}\nEOF\n`)).toEqual(edit("/repo/src/a.ts"));
    expect(call("Bash", `cd 'my src' && apply_patch <<'EOF'\n${text}\nEOF\n`)).toEqual(
      edit("/repo/my src/a.ts"),
    );
  });

  test("checks no other command, and no file without a name", () => {
    expect(call("Bash", `sed -i s/a/b/ a.ts`)).toEqual({ event: "other" });
    expect(call("Bash", `cat <<'EOF'\n${patch("*** Add File: a.ts")}\nEOF`)).toEqual({ event: "other" });
    expect(call("apply_patch", patch())).toEqual({ event: "other" });
  });

  test("reads a patch that has no end, as Codex does", () => {
    expect(call("apply_patch", "*** Begin Patch\n*** Delete File: a.ts")).toEqual(edit("/repo/a.ts"));
  });
});
