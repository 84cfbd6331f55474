/** Which paths a commit and a push change. */

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gitOf } from "../../../../src/cli/shell/lease/hooks/git.ts";
import { stagedPaths } from "../../../../src/cli/shell/lease/hooks/git_pre_commit.ts";
import { fencesIn, pushedPaths, updatesIn } from "../../../../src/cli/shell/lease/hooks/git_pre_receive.ts";
import { newRepository, type Repository } from "../../../support/git_repositories.ts";
import { lacks } from "../../../support/programs.ts";
import { newDirectory, removeDirectory } from "../../../support/service.ts";

const no_git = lacks("the paths of commits and pushes", "git");
const none = "0".repeat(40);

let root = newDirectory();
let work: Repository;
beforeEach(() => {
  removeDirectory(root);
  root = newDirectory();
  if (!no_git) work = newRepository(join(root, "work"));
});
afterAll(() => removeDirectory(root));

describe.skipIf(no_git)("the paths of a commit", () => {
  const staged = async () => (await stagedPaths(gitOf(work.environment, work.directory))).toSorted();

  test("are those that are added, changed and deleted, and both paths of a rename", async () => {
    work.commit({
      "changed.txt": "1\n",
      "deleted.txt": "1\n",
      "from.txt": "a long text\n",
      "same.txt": "1\n",
    });
    work.git("mv", "from.txt", "to.txt");
    work.write({ "changed.txt": "2\n", "deleted.txt": null, "src/added ä\n.txt": "1\n" });
    work.git("add", "--all");
    work.write({ "not staged.txt": "1\n" });
    const paths = ["changed.txt", "deleted.txt", "from.txt", "src/added ä\n.txt", "to.txt"];
    expect(await staged()).toEqual(paths);
    // Settings of the user change nothing.
    work.git("config", "diff.renames", "copies");
    work.git("config", "diff.relative", "true");
    work.git("config", "diff.noprefix", "true");
    expect(await staged()).toEqual(paths);
  });

  test("are all of the first commit", async () => {
    work.write({ "a.txt": "1\n", "b/c.txt": "1\n" });
    work.git("add", "--all");
    expect(await staged()).toEqual(["a.txt", "b/c.txt"]);
  });

  test("are from the top, wherever the commit is made", async () => {
    work.commit({ "src/a.txt": "1\n" });
    work.write({ "src/a.txt": "2\n" });
    work.git("add", "--all");
    expect(await stagedPaths(gitOf(work.environment, join(work.directory, "src")))).toEqual(["src/a.txt"]);
  });

  test("of a merge are those that neither side has so", async () => {
    work.commit({ "both.txt": "1\n", "theirs.txt": "1\n", "ours.txt": "1\n" });
    work.git("switch", "--quiet", "--create", "theirs");
    work.commit({ "both.txt": "2\n", "theirs.txt": "2\n" });
    work.git("switch", "--quiet", "main");
    work.commit({ "both.txt": "3\n", "ours.txt": "3\n" });
    expect(work.tryGit("merge", "theirs").status).toBe(1);
    work.write({ "both.txt": "2 and 3\n" });
    work.git("add", "--all");
    expect(await staged()).toEqual(["both.txt"]);
  });
});

describe.skipIf(no_git)("the paths of a push", () => {
  let server: Repository;
  beforeEach(() => {
    server = newRepository(join(root, "server.git"), { is_bare: true });
  });

  /** Brings the objects of a commit to the server, as git does before the hook runs, without a ref. */
  function bring(commit: string): string {
    server.git("fetch", "--quiet", work.directory, commit);
    return commit;
  }
  /** Sets a branch of the server. */
  function at(branch: string, commit: string): string {
    server.git("update-ref", `refs/heads/${branch}`, bring(commit));
    return commit;
  }
  async function paths(...updates: [old_id: string, new_id: string, branch: string][]) {
    const input = updates
      .map(([old_id, new_id, branch]) => `${old_id} ${new_id} refs/heads/${branch}\n`)
      .join("");
    const pushed = await pushedPaths(gitOf(server.environment, server.directory), updatesIn(input));
    return pushed.map(({ paths, config_commit }) => ({ paths: paths.toSorted(), config_commit }));
  }

  test("are what differs after the move of the default branch, also of a rename, a deletion and a rewind", async () => {
    const first = at("main", work.commit({ "a.txt": "1\n", "from.txt": "a long text\n", "gone.txt": "1\n" }));
    work.git("mv", "from.txt", "to ä.txt");
    const second = bring(work.commit({ "a.txt": "2\n", "gone.txt": null }));
    const changed = ["a.txt", "from.txt", "gone.txt", "to ä.txt"];
    expect(await paths([first, second, "main"])).toEqual([{ paths: changed, config_commit: first }]);
    at("main", second);
    expect(await paths([second, first, "main"])).toEqual([{ paths: changed, config_commit: second }]);
  });

  test("are all of the first push", async () => {
    const first = bring(work.commit({ "a.txt": "1\n", "b/c.txt": "1\n" }));
    const second = bring(work.commit({ "d.txt": "1\n" }));
    expect(first).not.toBe(second);
    expect(await paths([none, second, "main"])).toEqual([
      { paths: ["a.txt", "b/c.txt", "d.txt"], config_commit: null },
    ]);
  });

  test("of a new branch are those of the commits that no other branch has", async () => {
    const first = at("main", work.commit({ "a.txt": "1\n" }));
    work.git("switch", "--quiet", "--create", "beside");
    at("beside", work.commit({ "b.txt": "1\n" }));
    work.git("switch", "--quiet", "--create", "third");
    expect(await paths([none, work.git("rev-parse", "HEAD"), "third"])).toEqual([
      { paths: [], config_commit: first },
    ]);
    work.commit({ "c.txt": "1\n" });
    const last = bring(work.commit({ "d.txt": "1\n" }));
    expect(await paths([none, last, "third"])).toEqual([{ paths: ["c.txt", "d.txt"], config_commit: first }]);
  });

  test("of another branch leave out what a merge of the default branch, or a rebase onto it, brings", async () => {
    const first = at("main", work.commit({ "main.txt": "1\n", "beside.txt": "1\n" }));
    work.git("switch", "--quiet", "--create", "beside");
    const before = at("beside", work.commit({ "beside.txt": "2\n" }));
    work.git("switch", "--quiet", "main");
    at("main", work.commit({ "main.txt": "2\n" }));
    work.git("switch", "--quiet", "beside");
    work.git("merge", "--quiet", "--no-edit", "main");
    const merged = bring(work.git("rev-parse", "HEAD"));
    expect(await paths([before, merged, "beside"])).toEqual([{ paths: [], config_commit: before }]);
    work.git("reset", "--quiet", "--hard", before);
    work.git("rebase", "--quiet", "main");
    const rebased = bring(work.commit({ "new.txt": "1\n" }));
    expect(await paths([before, rebased, "beside"])).toEqual([{ paths: ["new.txt"], config_commit: before }]);
    // The branch loses its own change.
    expect(await paths([before, first, "beside"])).toEqual([
      { paths: ["beside.txt"], config_commit: before },
    ]);
  });

  test("of the default branch have what a merge undoes of it", async () => {
    work.commit({ "main.txt": "1\n", "beside.txt": "1\n" });
    work.git("switch", "--quiet", "--create", "beside");
    work.commit({ "beside.txt": "2\n" });
    work.git("switch", "--quiet", "main");
    const before = at("main", work.commit({ "main.txt": "2\n" }));
    work.git("switch", "--quiet", "beside");
    work.git("merge", "--quiet", "--no-edit", "--strategy=ours", "main");
    const merged = bring(work.git("rev-parse", "HEAD"));
    expect(await paths([before, merged, "main"])).toEqual([
      { paths: ["beside.txt", "main.txt"], config_commit: before },
    ]);
  });

  test("of a merge on a new branch are those of its commits, and those that differ from all sides", async () => {
    at("main", work.commit({ "a.txt": "1\n" }));
    work.git("switch", "--quiet", "--create", "one");
    work.commit({ "one.txt": "1\n" });
    work.git("switch", "--quiet", "--create", "two", "main");
    work.commit({ "two.txt": "1\n" });
    work.git("merge", "--quiet", "--no-commit", "one");
    const merged = bring(work.commit({ "by hand.txt": "1\n" }));
    expect((await paths([none, merged, "two"]))[0]!.paths).toEqual(["by hand.txt", "one.txt", "two.txt"]);
  });

  test("a deleted branch, a tag of it, and a ref to no commit change nothing", async () => {
    const first = at("main", work.commit({ "a.txt": "1\n" }));
    work.git("tag", "--annotate", "--message", "v1", "v1");
    const tag = bring(work.git("rev-parse", "v1"));
    const blob = server.git("rev-parse", `${first}:a.txt`);
    expect(await paths([first, none, "main"])).toEqual([]);
    expect(await paths([none, tag, "tagged"])).toEqual([{ paths: [], config_commit: first }]);
    expect(await paths([none, blob, "blob"])).toEqual([]);
  });

  test("each of several refs has its own", async () => {
    const first = at("main", work.commit({ "a.txt": "1\n" }));
    const second = bring(work.commit({ "a.txt": "2\n" }));
    const third = bring(work.commit({ "b.txt": "1\n" }));
    expect(await paths([first, second, "main"], [none, third, "next"])).toEqual([
      { paths: ["a.txt"], config_commit: first },
      { paths: ["a.txt", "b.txt"], config_commit: first },
    ]);
  });
});

describe("the leases of a push", () => {
  const options = (...given: string[]) => ({
    GIT_PUSH_OPTION_COUNT: String(given.length),
    ...Object.fromEntries(given.map((option, i) => [`GIT_PUSH_OPTION_${i}`, option])),
  });

  test("are in its options, beside options of others", () => {
    expect(fencesIn({})).toEqual({});
    expect(fencesIn(options("ci.skip", "wharf-lease=src/a: b.ts:17", "wharf-lease=src/c.ts:2"))).toEqual({
      "src/a: b.ts": 17,
      "src/c.ts": 2,
    });
  });

  test.each([
    "wharf-lease=",
    "wharf-lease=a.ts",
    "wharf-lease=:3",
    "wharf-lease=a.ts:x",
    "wharf-lease=a.ts:-1",
  ])("are refused as %s", (option) => {
    expect(() => fencesIn(options(option))).toThrow("is no lease: send wharf-lease=PATH:FENCE.");
  });
});
