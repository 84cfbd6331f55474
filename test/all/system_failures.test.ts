/** Every command whose files it may not use, that are missing, full or of another kind: one line says what happened and what to do. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, constants, copyFileSync, cpSync, mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../../src/cli/program.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { smallDisk } from "../support/small_disk.ts";

const root = newDirectory();
const at = (name: string) => join(root, name);
let url: string;
let service: SourceService;

/** The program, where every user may run it. */
const wharf = at("wharf");
/** Root may use every file, so it runs commands as nobody. Another user may not use files without permissions either. */
const is_root = process.getuid!() === 0;
const as_other = is_root ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

interface Run {
  args: string[];
  environment?: Record<string, string>;
  stdout?: "pipe" | Bun.BunFile;
  user?: string[];
}

async function ended({ args, environment = {}, stdout = "pipe", user = as_other }: Run) {
  const child = Bun.spawn([...user, wharf, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: at("home"), ...environment },
    stdin: "ignore",
    stdout,
    stderr: "pipe",
  });
  const printed = stdout === "pipe" ? new Response(child.stdout as ReadableStream).text() : "";
  const [out, said, status] = await Promise.all([printed, new Response(child.stderr).text(), child.exited]);
  return { out, said, status };
}

/** What no sentence for a user has: codes and texts of the system and of Bun, stacks. */
const raw =
  /\bE[A-Z]{3,}\b|SQLITE|verbose|disk I\/O|unable to open|readonly database|permission denied|no such file|like files|typo|\n\s+at /;

/** Expects one line of at least two sentences, which names `path`. */
function expectSentence({ out, said, status }: Awaited<ReturnType<typeof ended>>, path: string, code = 1) {
  expect({ out, said, status }).toEqual({
    out: "",
    said: expect.stringMatching(/^wharf: [^\n]+\. [A-Z][^\n]+[.?]\n$/),
    status: code,
  });
  expect(said).not.toMatch(raw);
  expect(said).toContain(path);
}

beforeAll(async () => {
  if (lacks_binary) return;
  chmodSync(root, 0o755);
  copyFileSync(binary(), wharf, constants.COPYFILE_FICLONE);
  chmodSync(wharf, 0o755);
  mkdirSync(at("home"));
  mkdirSync(at("open"));
  chmodSync(at("open"), 0o777);
  mkdirSync(at("directory"));
  mkdirSync(at("settings/wharf/credentials.toml"), { recursive: true });
  writeFileSync(at("file"), "text");
  // A service in this process has made new files private.
  const settings = ["settings", "settings/wharf", "settings/wharf/credentials.toml"];
  for (const name of ["home", "directory", "file", ...settings]) chmodSync(at(name), 0o755);
  service = await startSource({ data_dir: at("sound") });
  ({ url } = service);
  await ended({ args: ["backup", at("backup"), "--data-dir", at("sound")], user: [] });
  await ended({ args: ["export", at("export"), "--data-dir", at("sound")], user: [] });
  chmodSync(at("backup"), 0o644);
  chmodSync(at("export"), 0o644);
  for (const copy of ["closed", "files-closed", "read-only"])
    cpSync(at("backup"), join(at(copy), "wharf.db"), { recursive: true });
  chmodSync(at("files-closed"), 0o755);
  chmodSync(at("files-closed/wharf.db"), 0);
  chmodSync(at("read-only"), 0o555);
  chmodSync(at("read-only/wharf.db"), 0o444);
  writeFileSync(at("secret"), "text");
  for (const path of ["secret", "closed"]) chmodSync(at(path), 0);
});
afterAll(async () => {
  for (const path of ["closed", "read-only"]) if (!lacks_binary) chmodSync(at(path), 0o700);
  await service?.stop();
  removeDirectory(root);
});

let made = 0;
/** A path at which nothing is yet, in a directory that every user may write. */
const fresh = () => join(at("open"), String(++made));

/** Commands that use a data directory. */
const with_directory: Record<string, (directory: string) => string[]> = {
  serve: (directory) => ["serve", "--port", "0", "--data-dir", directory],
  admin: (directory) => ["admin", "audit", "--data-dir", directory],
  backup: (directory) => ["backup", fresh(), "--data-dir", directory],
  retention: (directory) => ["retention", "--dry-run", "--data-dir", directory],
  export: (directory) => ["export", fresh(), "--data-dir", directory],
  keys: (directory) => ["keys", "rotate", "--data-dir", directory],
  mcp: (directory) => ["mcp", "--data-dir", directory, "--port", "0"],
  copy: (directory) => ["copy", "--from", directory, "--to", "postgres://127.0.0.1:1/none"],
};
/** Those that make one. */
const making: Record<string, (directory: string) => string[]> = {
  restore: (directory) => ["restore", at("backup"), "--data-dir", directory],
  import: (directory) => ["import", at("export"), "--data-dir", directory],
};
/** Commands that read a file. Status 2: it is a file of settings. */
const reading: Record<string, [(file: string) => Partial<Run>, status?: number]> = {
  restore: [(file) => ({ args: ["restore", file, "--data-dir", fresh()] })],
  import: [(file) => ({ args: ["import", file, "--data-dir", fresh()] })],
  receipt: [(file) => ({ args: ["receipt", "verify", file] })],
  "receipt --keys": [(file) => ({ args: ["receipt", "verify", at("file"), "--keys", file] })],
  "beacon --key": [(file) => ({ args: ["beacon", "verify", "1", "--url", url, "--key", file] })],
  "beacon --known": [(file) => ({ args: ["beacon", "verify", "--all", "--url", url, "--known", file] })],
  config: [(file) => ({ args: ["config", "--config", file] }), 2],
  healthcheck: [(file) => ({ args: ["healthcheck", "--config", file] }), 2],
  doctor: [(file) => ({ args: ["doctor", "--config", file] }), 2],
  dev: [(file) => ({ args: ["dev", "--config", file] }), 2],
  "serve --tls-cert": [
    (file) => ({ args: ["serve", "--data-dir", fresh(), "--tls-cert", file, "--tls-key", file] }),
  ],
  "admin --url": [
    (file) => ({
      args: ["admin", "audit", "--url", "http://127.0.0.1:1"],
      environment: { WHARF_ADMIN_TOKEN_FILE: file },
    }),
    2,
  ],
};
/** Commands that write a file. */
const writing: Record<string, (file: string) => string[]> = {
  backup: (file) => ["backup", file, "--data-dir", at("sound")],
  "backup --compress": (file) => ["backup", file, "--compress", "--data-dir", at("sound")],
  export: (file) => ["export", file, "--data-dir", at("sound")],
};
/** Commands of the client, which read the saved names and keys. */
const calling: Record<string, string[]> = {
  ask: ["ask", "Why?"],
  rooms: ["rooms"],
  open: ["open", "A goal"],
  read: ["read", "a-room"],
  say: ["say", "a-room", "Hello"],
  close: ["close", "a-room"],
  host: ["host", "a-room"],
  pace: ["pace", "a-room", "none"],
  members: ["members", "list", "a-room"],
  webhook: ["webhook", "show"],
  leave: ["leave", "a-room"],
  setup: ["setup", "--check"],
  login: ["login"],
  name: ["name", "whoami"],
  locker: ["locker", "ls"],
  jobs: ["jobs", "ls"],
  lease: ["lease", "list", "--room", "a-room"],
  inbox: ["inbox"],
  watch: ["watch", "--all", "--", "true"],
  wake: ["wake", "test", "--wait", "0"],
  beacon: ["beacon", "show"],
  mcp: ["mcp"],
};
/** Commands that only print. */
const printing: Record<string, string[]> = {
  version: ["version"],
  openapi: ["openapi"],
  completion: ["completion", "bash"],
  help: ["--help"],
};

test("has a row for every command", async () => {
  const { commands } = await program({ args: [] } as never);
  const rows = [with_directory, making, reading, writing, calling, printing].flatMap(Object.keys);
  expect(commands.map((command) => command.name()).filter((name) => !rows.includes(name))).toEqual([]);
});

const cannot_try = lacks_binary || (is_root && lacks("files that a user may not use", "setpriv"));

describe.skipIf(cannot_try)("no permission", () => {
  test.each(Object.entries({ ...with_directory, ...making }))("%s: a closed directory", async (_, args) =>
    expectSentence(await ended({ args: args(at("closed")) }), at("closed")),
  );
  test.each(Object.entries(with_directory))("%s: files of another user", async (_, args) =>
    expectSentence(await ended({ args: args(at("files-closed")) }), at("files-closed")),
  );
  test.each(Object.entries(reading))("%s: a file to read", async (_, [run, status]) =>
    expectSentence(await ended({ args: [], ...run(at("secret")) }), at("secret"), status),
  );
  test("doctor names what it may not read, and lists its other findings", async () => {
    for (const directory of ["closed", "files-closed"]) {
      const { out, said, status } = await ended({ args: ["doctor", "--data-dir", at(directory)] });
      expect({ said, status }).toEqual({ said: "", status: 1 });
      expect(out).toContain(`this user may not`);
      expect(out).toContain(at(directory));
      expect(out).not.toMatch(raw);
    }
  });
  test("dev: a closed directory for temporary files", async () =>
    expectSentence(
      await ended({ args: ["dev", "--port", "0"], environment: { TMPDIR: at("closed") } }),
      at("closed"),
    ));
  test("ask, open and say work if nothing can be saved, and say so", async () => {
    const environment = { XDG_CONFIG_HOME: at("closed"), WHARF_URL: url };
    const answer = await ended({ args: ["ask", "Why?"], environment });
    expect(answer.status).toBe(0);
    expect(answer.out).toContain(`${url}/meet/r/`);
    expect(answer.said).toMatch(
      /^wharf: The name shell-\w+ is not saved\. .+\nwharf: the key .+ is not saved\. .+\n$/,
    );
    const [slug = ""] = answer.out.split(" ");
    expect((await ended({ args: ["say", slug, "Because."], environment })).status).toBe(0);
    expect((await ended({ args: ["open", "A goal"], environment })).status).toBe(0);
  });
  test("name claim claims no name whose key it cannot save", async () =>
    expectSentence(
      await ended({
        args: ["name", "claim", "ada"],
        environment: { XDG_CONFIG_HOME: at("closed"), WHARF_URL: url },
      }),
      at("closed"),
    ));
});

describe.skipIf(cannot_try)("missing", () => {
  const { serve: _serve, mcp: _mcp, ...others } = with_directory;
  test.each(Object.entries(others))("%s: the data directory", async (_, args) =>
    expectSentence(await ended({ args: args(at("none")) }), at("none")),
  );
  test.each(Object.entries(reading))("%s: a file to read", async (_, [run, status]) =>
    expectSentence(await ended({ args: [], ...run(at("none")) }), at("none"), status),
  );
  test.each(Object.entries(writing))("%s: the directory of the file to write", async (_, args) =>
    expectSentence(await ended({ args: args(at("none/new")), user: [] }), at("none")),
  );
  test.each(["healthcheck", "admin"])("%s: the service", async (name) =>
    expectSentence(
      await ended({
        args: [name, ...(name === "admin" ? ["audit"] : []), "--url", "http://127.0.0.1:1"],
        environment: { WHARF_ADMIN_TOKEN: "wfa_none" },
      }),
      "http://127.0.0.1:1",
    ),
  );
});

test.skipIf(cannot_try).each(["admin", "backup", "retention", "export"])(
  "%s: a service that ends during the call",
  async (name) => {
    const directory = newDirectory();
    const listener = Bun.listen({
      unix: join(directory, "wharf.sock"),
      socket: {
        data(socket, bytes) {
          const is_health = bytes.toString().startsWith("GET /healthz ");
          socket.end(is_health ? "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}" : "");
        },
      },
    });
    const answer = await ended({ args: with_directory[name]!(directory), user: [] });
    expectSentence(answer, "the service still runs");
    listener.stop(true);
    removeDirectory(directory);
  },
);

describe.skipIf(cannot_try)("not a file, or not a directory", () => {
  test.each(Object.entries({ ...with_directory, ...making }))("%s: the data directory", async (_, args) =>
    expectSentence(await ended({ args: args(at("file")) }), at("file")),
  );
  test.each(Object.entries(reading))("%s: a file to read", async (_, [run, status]) =>
    expectSentence(
      await ended({ args: [], ...run(at("directory")) }),
      status === 2 ? "it is a directory" : at("directory"),
      status,
    ),
  );
  test.each(Object.entries(writing))("%s: the directory of the file to write", async (_, args) =>
    expectSentence(await ended({ args: args(at("file/new")), user: [] }), at("file")),
  );
  test("restore: a device without an end", async () =>
    expectSentence(
      await ended({ args: ["restore", "/dev/zero", "--data-dir", fresh()] }),
      "/dev/zero is a pipe or a device",
    ));
  test.each(Object.entries(calling))("%s: the saved names and keys", async (_, args) =>
    expectSentence(await ended({ args, environment: { XDG_CONFIG_HOME: at("settings") } }), at("settings")),
  );
});

describe.skipIf(lacks_binary)("full", () => {
  test.each(Object.entries(printing))("%s: standard output", async (_, args) =>
    expectSentence(await ended({ args, stdout: Bun.file("/dev/full"), user: [] }), "Standard output"),
  );
});

const no_mount = lacks_binary || lacks("full disks", "mount", "umount");
const disk = no_mount ? undefined : smallDisk(8);
afterAll(() => disk?.unmount());
// Containers have the program and not the right to use it. That is no missing program.
const may_not_mount = !no_mount && !disk;
if (may_not_mount) console.log("NOT POSSIBLE HERE: full disks: this user may not mount one.");
const describeWithDisk = may_not_mount ? () => {} : describe.skipIf(no_mount);

describeWithDisk("a full disk", () => {
  const on = (name: string) => join(disk!.directory, name);
  beforeAll(() => {
    mkdirSync(on("settings"));
    cpSync(at("backup"), on("data/wharf.db"), { recursive: true });
    const { bavail, bsize } = statfsSync(disk!.directory);
    writeFileSync(on("ballast"), new Uint8Array(bavail * bsize));
  });

  const { copy: _copy, ...others } = with_directory;
  const tried = Object.entries({ ...others, ...making, ...writing });
  test.each(tried)("%s", async (name, args) => {
    const place = name in making || name === "mcp" ? "new" : name in writing ? "file" : "data";
    expectSentence(await ended({ args: args(on(place)), user: [] }), disk!.directory);
  });
  test("name claim", async () =>
    expectSentence(
      await ended({
        args: ["name", "claim", "ada"],
        environment: { XDG_CONFIG_HOME: on("settings"), WHARF_URL: url },
        user: [],
      }),
      on("settings"),
    ));
});
