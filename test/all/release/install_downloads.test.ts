/** install.sh with a server in place of GitHub: addresses, programs that download, interruptions, and the program of the release. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../../scripts/release/places.ts";
import { targetOfMachine } from "../../../scripts/release/targets.ts";
import { writeFakeRelease } from "../../support/fake_release.ts";
import { install, newFolder, programsFolder, removeFolders, startInstall } from "../../support/installing.ts";
import { lacks } from "../../support/programs.ts";
import { linesOf } from "../../support/python.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";

const version = "7.8.9";
const requested: string[] = [];
/** Called for each file; a promise that it returns delays the answer. */
let onFile: (name: string) => Promise<void> | void = () => undefined;
let files: string;

/** Releases as GitHub has them: the address of a file redirects to another. */
const server: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, path, name] = /^\/(.+)\/([^/]+)$/.exec(pathname) ?? [];
    if (path === "files") {
      await onFile(name!);
      return new Response(Bun.file(join(files, name!)));
    }
    requested.push(pathname);
    const known = ["releases/latest/download", `releases/download/v${version}`];
    if (!known.includes(path ?? "")) return new Response("Not Found", { status: 404 });
    return Response.redirect(new URL(`/files/${name}`, request.url).href, 302);
  },
});

beforeAll(async () => {
  files = newFolder();
  await writeFakeRelease(files, version);
  // The script of a project whose releases are at this server.
  const script = readFileSync(join(files, "install.sh"), "utf8");
  writeFileSync(join(files, "install.sh"), script.replaceAll(places.repository, server.url.origin));
});
afterAll(async () => {
  await server.stop(true);
  removeFolders();
});

/** Runs the installation and returns what it did and the addresses that it requested. */
async function installFrom(options: Partial<Parameters<typeof install>[0]>) {
  requested.length = 0;
  const ran = await install({ release: files, ...options });
  return { ...ran, requested: [...requested] };
}

/** The requests for a release, with the target of this machine. */
const requests = (path: string): string[] => [
  `/releases/${path}/SHA256SUMS`,
  `/releases/${path}/wharf-${targetOfMachine()!.name}.tar.gz`,
];

describe.skipIf(lacks("downloads of install.sh", "dash", "busybox", "curl", "wget"))("a download", () => {
  const ways: [name: string, shell: string[], path: () => string][] = [
    ["curl alone", ["dash"], () => programsFolder(["sha256sum", "curl"])],
    ["wget alone", ["dash"], () => programsFolder(["sha256sum", "wget"])],
    ["busybox alone", ["busybox", "sh"], programsOfBusybox],
  ];
  function programsOfBusybox(): string {
    const folder = newFolder();
    expect(Bun.spawnSync(["busybox", "--install", "-s", folder]).exitCode).toBe(0);
    return folder;
  }

  test.each(ways)("with %s takes the newest release", async (_, [program, ...args], path) => {
    const shell = [Bun.which(program!)!, ...args];
    const ran = await installFrom({ shell, path: path() });
    expect([ran.status, ran.installed, ran.left]).toEqual([0, ["wharf"], []]);
    expect(ran.requested).toEqual(requests("latest/download"));
  });

  test.each(ways)(
    "with %s of a version that does not exist ends with the address",
    async (_, [program, ...args], path) => {
      const shell = [Bun.which(program!)!, ...args];
      const ran = await installFrom({ shell, path: path(), args: ["--version", "9.9.9"] });
      expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
      expect(ran.errors).toContain(`could not get ${server.url.origin}/releases/download/v9.9.9/SHA256SUMS`);
    },
  );

  test("is of one version, by an option with or without v, or by a variable", async () => {
    for (const options of [
      { args: ["--version", version] },
      { args: ["--version", `v${version}`] },
      { environment: { WHARF_VERSION: version } },
    ]) {
      const ran = await installFrom(options);
      expect([ran.status, ran.installed]).toEqual([0, ["wharf"]]);
      expect(ran.requested).toEqual(requests(`download/v${version}`));
    }
  });

  test("needs curl or wget", async () => {
    const ran = await installFrom({ path: programsFolder(["sha256sum"]) });
    expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
    expect(ran.errors).toContain("it needs curl or wget");
  });

  test("takes no further file after an interruption, and leaves nothing behind", async () => {
    let arrived!: () => void;
    const [begun, never] = [
      new Promise<void>((resolve) => (arrived = resolve)),
      new Promise<void>(() => undefined),
    ];
    onFile = (name) => (name.endsWith(".tar.gz") ? (arrived(), never) : undefined);
    const { process: script, home } = startInstall({ release: files });
    await begun;
    // As a terminal does it: to the script and to what it has started.
    process.kill(-script.pid, "SIGINT");
    expect(await script.exited).not.toBe(0);
    onFile = () => undefined;
    expect([...new Bun.Glob("**").scanSync({ cwd: home, dot: true, onlyFiles: false })]).toEqual(["tmp"]);
  });

  test("works through a pipe, as the documents show it", async () => {
    const bin = newFolder();
    const command = `curl -fsSL ${server.url.origin}/releases/latest/download/install.sh | sh -s -- --to ${bin}`;
    const child = Bun.spawn(["sh", "-c", command], {
      stdout: "pipe",
      stderr: "inherit",
      env: { PATH: process.env.PATH },
    });
    expect(await new Response(child.stdout).text()).toContain(`is installed: ${bin}/wharf\n`);
    expect(await child.exited).toBe(0);
  });
});

describe.skipIf(lacks_release || lacks("the program of the release", "dash"))(
  "the program of the release",
  () => {
    let folder: string;
    beforeAll(async () => void (folder = await release()), release_timeout_ms);

    test("answers when it is installed, and continues while it is replaced", async () => {
      const first = await install({ release: folder, args: ["--from", folder] });
      expect([first.status, first.errors]).toEqual([0, ""]);
      const path = join(first.home, ".local/bin/wharf");
      await using service = Bun.spawn([path, "dev", "--memory", "--port", "0"], {
        cwd: first.home,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      const { value: url } = await linesOf(service.stdout).next();
      const isHealthy = async () => (await fetch(`${url}/healthz`)).json();
      expect(await isHealthy()).toEqual({ status: "ok" });

      const { ino } = statSync(path);
      const second = await install({ release: folder, home: first.home, args: ["--from", folder] });
      expect([second.status, second.errors, second.installed]).toEqual([0, "", ["wharf"]]);
      expect(statSync(path).ino).not.toBe(ino);
      expect(await isHealthy()).toEqual({ status: "ok" });
      service.kill();
      expect(await service.exited).toBe(0);
    });
  },
);
