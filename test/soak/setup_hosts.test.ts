/**
 * `wharf setup` with the real hosts from npm and scripted models: set up, checked, a task through the tools, and taken back. It takes about
 * 1.1 GB in .hosts.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { binary } from "../support/binary.ts";
import { clientOf } from "../support/client.ts";
import { newRepository } from "../support/git_repositories.ts";
import { installHosts } from "../support/hosts/install_hosts.ts";
import { startModel, type Turn } from "../support/hosts/scripted_model.ts";
import { host_users, writeFiles, type HostUser } from "../support/hosts/users.ts";
import { started } from "../support/leftovers.ts";
import { claim } from "../support/names.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";
import { filesWith, watchProcesses } from "../support/secret_watch.ts";
import type { Ended } from "../support/shell.ts";

let service: TestService;
let programs: string;
beforeAll(async () => {
  service = await startBinary({ rate_limit: false });
  programs = installHosts();
});
afterAll(() => service.stop());

/** A user of a host with a home and a repository, in which somebody else holds a lease. */
async function newUser(user: HostUser) {
  const root = realpathSync(newDirectory());
  const [home, bin] = [join(root, "home"), join(root, "bin")];
  mkdirSync(bin);
  symlinkSync(binary(), join(bin, "wharf"));
  let script: (results: string[]) => Turn = () => ({ text: "Done." });
  const model = startModel(user.host.shell_tool, (results) => script(results));
  const bob = await claim(service.url, `bob-${crypto.randomUUID().slice(0, 8)}`);
  const { slug: room } = await orThrow(
    clientOf(service.url).post("/api/meet/rooms", { body: { goal: "Team", name: "Host" } }),
  );
  const environment = {
    HOME: home,
    USER: `u${crypto.randomUUID().slice(0, 8)}`,
    PATH: `${bin}:${programs}:${process.env.PATH}`,
    // The test needs no network.
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
  const repository = newRepository(join(root, "shared"), { environment });
  repository.commit({
    ".wharf-leases.toml": `room = "${room}"\npaths = ["app/**"]\n`,
    "app/login.py": "by = 'nobody'\n",
  });
  const settings = user.settings(model.url, repository.directory);
  writeFiles(home, { ...settings, ".profile": `PATH=${bin}:$PATH\n` });
  const name = `${environment.USER}-${user.host.name}`;
  return {
    ...{ user, home, name, bob, room, model, repository, settings },
    wharf: (...args: string[]) => run(["wharf", ...args], home, environment),
    /** Runs the host with these turns. Returns what its tools returned. */
    async work(turns: Turn[]): Promise<string[]> {
      script = (results) => turns[results.length] ?? { text: "Done." };
      const { status, printed, errors } = await run(user.words, repository.directory, {
        ...environment,
        ...user.environment(model.url),
      });
      if (status !== 0) throw new Error(`status ${status}\n${printed}\n${errors}`);
      return model.results;
    },
    file: (path: string): string => readFileSync(join(home, path), "utf8"),
    remove() {
      model.stop();
      removeDirectory(root);
    },
  };
}

async function run(words: string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  const program = Bun.which(words[0]!, { PATH: env["PATH"]! })!;
  const child = Bun.spawn([program, ...words.slice(1)], {
    ...{ cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  started.push(child);
  const [printed, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { printed, errors, status };
}

type User = Awaited<ReturnType<typeof newUser>>;

/** A mention by bob, and his lease on the file. */
async function prepareTask({ bob, room, name }: User): Promise<void> {
  const client = clientOf(service.url, bob);
  const path = { room };
  await orThrow(
    client.post("/api/meet/rooms/{room}/posts", {
      path,
      body: { name: bob.name, body: `@${name} Are you there?` },
    }),
  );
  await orThrow(
    client.post("/api/meet/rooms/{room}/leases", {
      path,
      body: { paths: ["app/login.py"], ttl_seconds: 600 },
    }),
  );
}

/** The files of the user as they were. The host itself adds members to one of them at each start. */
function expectAsBefore({ user, settings, file }: User): void {
  for (const [path, text] of Object.entries(settings)) {
    if (path === user.rewritten) expect(JSON.parse(file(path))).toMatchObject(JSON.parse(text) as object);
    else expect({ path, text: file(path) }).toEqual({ path, text });
  }
}

/** The files below the home that setup has made or changed, as its state names them. */
const changedFiles = ({ file }: User): string[] =>
  Object.keys((JSON.parse(file(".local/state/wharf/setup.json")) as { files: object }).files);

function secretsOf({ file }: User): string[] {
  return [...file(".config/wharf/credentials.toml").matchAll(/wf[a-z]_[0-9A-Za-z]{49}/g)].map(
    ([secret]) => secret,
  );
}

test("a key in the arguments or the environment of a process is found", async () => {
  const secret = `wfk_${"a".repeat(49)}`;
  const watch = watchProcesses();
  const child = Bun.spawn(["tail", "-f", "/dev/null", `--pid=${process.pid}`], { env: { KEY: secret } });
  const other = Bun.spawn(["tail", "-f", "/dev/null", `--retry`, secret], { stderr: "ignore" });
  started.push(child, other);
  expect(watch.stop().found).toEqual(["the arguments of tail", "the environment of tail"]);
  child.kill();
  other.kill();
});

describe.each(host_users.map((user) => ({ user, name: user.host.name })))("$name", ({ user }) => {
  test("is set up, answers its list of servers, works through the tools, and is as before", async () => {
    const one = await newUser(user);
    const watch = watchProcesses();
    const id = user.host.name;
    const set_up = await one.wharf("setup", id, "--yes", "--url", service.url);
    expect(set_up).toMatchObject({ status: 0 });
    const changed = changedFiles(one);
    expect(await one.wharf("setup", id, "--yes", "--url", service.url)).toMatchObject({ status: 0 });
    const checked = await one.wharf("setup", "--check");
    expect(checked).toMatchObject({ status: 0, printed: expect.not.stringContaining("FAILED") as string });

    await prepareTask(one);
    const turns: Turn[] = [
      user.call("meet_open", { goal: `Look at the login of ${one.name}` }),
      user.call("meet_speak", { room: one.room, body: "I am here." }),
      user.call("meet_read", { room: one.room }),
      user.host.write(join(one.repository.directory, "app/login.py"), "by = 'me'\n"),
    ];
    const results = await one.work(turns);
    expect(one.model.request).toContain("Wharf: 1 new note for ");
    expect(results[0]).toContain("/meet/r/look-at-the-login");
    expect(results[2]).toContain("I am here.");
    expect(results[3]).toContain(`app/login.py is leased by ${one.bob.name} until `);
    expect(readFileSync(join(one.repository.directory, "app/login.py"), "utf8")).toBe("by = 'nobody'\n");

    expect(await one.wharf("setup", "--undo")).toMatchObject({ status: 0 });
    expectAsBefore(one);
    const gone = changed.filter((path) => !(path.replace(`${one.home}/`, "") in one.settings));
    expect(gone.filter((path) => Bun.file(path).size > 0)).toEqual([]);

    const { found, seen } = watch.stop();
    expect(found).toEqual([]);
    const secrets = secretsOf(one);
    expect(secrets.length).toBeGreaterThan(0);
    expect(filesWith(one.home, secrets)).toEqual([join(one.home, ".config/wharf/credentials.toml")]);
    for (const secret of secrets) expect(service.output()).not.toContain(secret);
    console.log(
      `MEASURED: ${id}: ${changed.length} files changed and restored, ${seen} processes without a key`,
    );
    one.remove();
  });

  test("has a file that is a link, which stays one", async () => {
    const one = await newUser(user);
    const file = join(one.home, user.changed);
    const target = join(one.home, "dotfiles", user.changed);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(file, target);
    symlinkSync(target, file);
    expect(await one.wharf("setup", user.host.name, "--yes", "--url", service.url)).toMatchObject({
      status: 0,
    });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(one.file(user.changed)).toContain("wharf");
    expect(await one.wharf("setup", "--undo")).toMatchObject({ status: 0 });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expectAsBefore(one);
    one.remove();
  });

  test("has a broken file, which is left as it is", async () => {
    const one = await newUser(user);
    writeFiles(one.home, { [user.changed]: user.broken });
    const { status, errors } = await one.wharf("setup", user.host.name, "--yes", "--url", service.url);
    expect(status).toBe(1);
    expect(errors).toContain(user.changed);
    expect(one.file(user.changed)).toBe(user.broken);
    one.remove();
  });
});
