/** The guard as a hook of git: what it refuses of commits and pushes, and what it does if the service is away. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../../../src/client/client.ts";
import { quotedForShell } from "../../../../src/core/text_form.ts";
import { wharf_command } from "../../../support/binary.ts";
import { clientOf } from "../../../support/client.ts";
import { freePort } from "../../../support/free_port.ts";
import { newRepository, type Repository } from "../../../support/git_repositories.ts";
import { patient } from "../../../support/guards.ts";
import { claim, type Holder } from "../../../support/names.ts";
import { lacks } from "../../../support/programs.ts";
import { open } from "../../../support/rooms.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../../../support/service.ts";
import { lacks_binary } from "../../../support/binary.ts";

// The service is a process: git runs the hook while this process waits for it.
const cannot_run = lacks("the hooks of git for leases", "git") || lacks_binary;

let service: TestService;
let alice: Holder;
let room: string;
let root: string;
let work: Repository;
let server: Repository;
let rooms = 0;

describe.skipIf(cannot_run)("hooks of git", () => {
  beforeAll(async () => {
    service = await startBinary();
    alice = await claim(service.url, "alice");
  });
  beforeEach(async () => {
    room = (await open(service.url, `Team ${(rooms += 1)}`)).slug;
    root = newDirectory();
    server = newRepository(join(root, "server.git"), { is_bare: true });
    server.git("config", "receive.advertisePushOptions", "true");
    work = newRepository(join(root, "work"), { environment: patient });
    work.git("remote", "add", "server", server.directory);
    work.commit({ ".wharf-leases.toml": `room = "${room}"\n`, "src/a.txt": "1\n", "b.txt": "1\n" });
    work.git("push", "--quiet", "server", "main");
    hook(work, ".git/hooks/pre-commit", "git-pre-commit", service.url);
    hook(server, "hooks/pre-receive", "git-pre-receive", service.url);
  });
  afterEach(() => removeDirectory(root));
  afterAll(() => service.stop());

  const hook = ({ directory }: Repository, path: string, name: string, url: string, ...options: string[]) => {
    const words = [...wharf_command, "lease", "guard", "--hook", name, "--url", url, ...options];
    writeFileSync(join(directory, path), `#!/bin/sh\nexec ${words.map(quotedForShell).join(" ")}\n`);
    chmodSync(join(directory, path), 0o755);
  };
  const take = (...paths: string[]) =>
    orThrow(
      clientOf(service.url, alice).post("/api/meet/rooms/{room}/leases", {
        path: { room },
        body: { paths, ttl_seconds: 600 },
      }),
    );
  const push = (...words: string[]) => work.tryGit("push", "--quiet", "server", ...words);
  const commit = (files: Record<string, string | null>) => {
    work.write(files);
    work.git("add", "--all");
    return work.tryGit("commit", "--quiet", "--message", "A change");
  };
  /** Commits without the hook. */
  const change = (files: Record<string, string | null>) => {
    work.write(files);
    work.git("add", "--all");
    work.git("commit", "--quiet", "--no-verify", "--message", "A change");
  };
  const refused = (path: string) => ({
    status: 1,
    errors: expect.stringContaining(`wharf: ${path} is leased by alice until `) as string,
  });
  const done = { status: 0, errors: "" };

  test("a commit and a push of what nobody else holds pass in silence", async () => {
    await take("b.txt");
    expect(commit({ "src/a.txt": "2\n" })).toEqual(done);
    expect(push("main")).toEqual(done);
  });

  test("a change, a deletion and a rename of a leased path are refused", async () => {
    await take("src");
    expect(commit({ "src/a.txt": "2\n" })).toEqual(refused("src/a.txt"));
    expect(commit({ "src/a.txt": null, "moved.txt": "1\n" })).toEqual(refused("src/a.txt"));
    work.git("commit", "--quiet", "--no-verify", "--message", "A rename");
    expect(push("main")).toEqual(refused("src/a.txt"));
    expect(push("main:refs/heads/new")).toEqual(refused("src/a.txt"));
    expect(push("main:refs/tags/v1")).toEqual(refused("src/a.txt"));
  });

  test("a push cannot take itself out: the file counts as it was before", async () => {
    await take("b.txt");
    change({ ".wharf-leases.toml": null, "b.txt": "2\n" });
    expect(push("main")).toEqual(refused("b.txt"));
    expect(push("main:refs/heads/new")).toEqual(refused("b.txt"));
  });

  test("the fence of a folder proves what lies below it, and no other, and not after its end", async () => {
    const { fence } = await take("src");
    change({ "src/a.txt": "2\n", "src/c.txt": "1\n" });
    const stale = expect.stringContaining("The lease of src has ended, or its fence is another.") as string;
    expect(push("-o", `wharf-lease=src:${fence + 1}`, "main")).toEqual({ status: 1, errors: stale });
    expect(push("-o", "wharf-lease=src", "main")).toEqual({
      status: 1,
      errors: expect.stringContaining("wharf-lease=src is no lease: send wharf-lease=PATH:FENCE.") as string,
    });
    expect(push("-o", `wharf-lease=src:${fence}`, "main")).toEqual(done);
    await orThrow(
      clientOf(service.url, alice).post("/api/meet/rooms/{room}/leases/release", {
        path: { room },
        body: { fence },
      }),
    );
    change({ "src/a.txt": "3\n" });
    expect(push("-o", `wharf-lease=src:${fence}`, "main")).toEqual({ status: 1, errors: stale });
    expect(push("main")).toEqual(done);
  });

  test("deleting a branch passes", async () => {
    expect(push("main:refs/heads/old")).toEqual(done);
    await take("b.txt", "src");
    expect(push(":refs/heads/old")).toEqual(done);
  });

  test("if the service is away a commit passes with a line, and a push is refused, unless --offline says otherwise", async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const line = expect.stringMatching(
      /^wharf: leases are not checked, and the change is allowed: .+\n$/,
    ) as string;
    hook(work, ".git/hooks/pre-commit", "git-pre-commit", away);
    hook(server, "hooks/pre-receive", "git-pre-receive", away);
    expect(commit({ "b.txt": "2\n" })).toEqual({ status: 0, errors: line });
    const cannot = expect.stringContaining("leases cannot be checked, so the change is refused: ") as string;
    expect(push("main")).toEqual({ status: 1, errors: cannot });
    hook(server, "hooks/pre-receive", "git-pre-receive", away, "--offline", "allow");
    expect(push("main").status).toBe(0);
    hook(work, ".git/hooks/pre-commit", "git-pre-commit", away, "--offline", "deny");
    expect(commit({ "b.txt": "3\n" })).toEqual({ status: 1, errors: cannot });
  });

  test("without the file nothing is guarded, and nobody is called", async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    change({ ".wharf-leases.toml": null });
    expect(push("main")).toEqual(done);
    hook(work, ".git/hooks/pre-commit", "git-pre-commit", away, "--offline", "deny");
    hook(server, "hooks/pre-receive", "git-pre-receive", away);
    await take("b.txt");
    expect(commit({ "b.txt": "2\n" })).toEqual(done);
    expect(push("main")).toEqual(done);
  });
});
