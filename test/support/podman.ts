/** Images and containers by podman, in a folder of their own, on machines with and without systemd. It needs root. */

import { cpSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lacks, printSkipped } from "./programs.ts";
import { newDirectory, removeDirectory } from "./service.ts";

const is_root = process.getuid?.() === 0;

/** Whether images cannot be built and run here; then a line says why. */
export const lacksPodman = (tests: string): boolean =>
  lacks(tests, "podman", "crun", "unshare", "umount", "dpkg") ||
  (!is_root && printSkipped(tests, "needs root"));

/** The runtime reads cgroups of version 2 alone. They are mounted for it, where only it sees them. */
const with_cgroups =
  'umask 022 && umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup && exec "$@"';

/** What a container of these tests has: the network of the machine, few rights, and nothing that it may write but its volumes. */
const confined = [
  ...["--cgroups=disabled", "--network=host", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1000:1000"],
  ...["--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges"],
  // Its health is checked when a test wants it: the timer would be one of systemd.
  "--health-interval=disable",
];

export class Podman {
  private readonly directory = newDirectory();

  /** Runs podman with `args`; returns its status and output. */
  async run(...args: string[]) {
    const at = (name: string) => join(this.directory, name);
    const child = Bun.spawn(
      [
        ...["unshare", "--mount", "sh", "-c", with_cgroups, "sh", "podman"],
        ...[
          "--root",
          at("storage"),
          "--runroot",
          at("run"),
          "--tmpdir",
          at("tmp"),
          "--volumepath",
          at("volumes"),
        ],
        ...[
          "--storage-driver=vfs",
          "--cgroup-manager=cgroupfs",
          "--events-backend=none",
          "--log-level=fatal",
        ],
        ...args,
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const [status, out, errors] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status, out, errors };
  }

  /** The same for a command that must succeed: returns what it prints, without the last line break. */
  async output(...args: string[]): Promise<string> {
    const { status, out, errors } = await this.run(...args);
    if (status !== 0) throw new Error(`podman ${args.join(" ")}: ${errors}${out}`);
    return out.trimEnd();
  }

  /** Builds `context`/Dockerfile as the image `name`, for `cpu` as images name it. */
  async build(context: string, name: string, cpu: string, base: string): Promise<void> {
    await this.output(
      ...[
        "build",
        "--isolation=chroot",
        "--format=docker",
        "--layers=false",
        "--rm=false",
        "--force-rm=false",
      ],
      ...[`--platform=linux/${cpu}`, `--build-arg=BASE=${base}`, `--tag=${name}`, context],
    );
  }

  /** Builds the image `name` with the C library of this machine and nothing else. */
  async buildBase(name: string): Promise<void> {
    const context = join(this.directory, "base");
    mkdirSync(context);
    const { stdout } = Bun.spawnSync(["dpkg", "-L", "libc6"]);
    const libraries = stdout.toString().match(/^\/\S+\.so[.\d]*$/gm)!;
    for (const path of libraries.filter((path) => lstatSync(path, { throwIfNoEntry: false }))) {
      cpSync(path, join(context, "root", path), { verbatimSymlinks: true });
    }
    writeFileSync(join(context, "Dockerfile"), "FROM scratch\nCOPY root /\n");
    // Services that ran in this process before have left it with a umask under which others cannot read what it writes.
    Bun.spawnSync(["chmod", "-R", "a+rX", context]);
    await this.output("build", "--isolation=chroot", "--format=docker", "--tag", name, context);
  }

  /** Starts a container `name`, confined as in the recipe. `options` are those of `podman run` and the image. */
  start(name: string, ...options: string[]): Promise<string> {
    return this.output("run", "--detach", "--name", name, ...confined, ...options);
  }

  /** Runs a container until it ends; returns its status and output. */
  runOnce(...options: string[]) {
    return this.run("run", "--rm", ...confined, ...options);
  }

  /** Ends all containers and deletes everything. */
  async close(): Promise<void> {
    await this.output("rm", "--all", "--force", "--time", "0");
    removeDirectory(this.directory);
  }
}
