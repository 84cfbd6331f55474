/** A root file system made from Debian's packages with Node alone, and commands of a user in it. It needs root and mmdebstrap. */

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { succeed } from "./installed.ts";
import { lacks, printSkipped } from "./programs.ts";
import { sourceFiles } from "./release.ts";

const source = join(import.meta.dir, "../..");
const user = "ada";
const home = `/home/${user}`;

/** Whether such a root cannot be made here; then a line says why. */
export const lacksDebianRoot = (tests: string): boolean =>
  lacks(tests, "mmdebstrap", "chroot", "unshare", "git", "npm") ||
  (process.getuid?.() !== 0 && printSkipped(tests, "needs root"));

/** The certificates of this machine, which its network may need. */
const certificates = "/etc/ssl/certs/ca-certificates.crt";

export class DebianRoot {
  private readonly children: Bun.Subprocess[] = [];

  constructor(
    private readonly directory: string,
    private readonly environment: Record<string, string>,
  ) {}

  /** Installs Debian with Node and npm, a user, and the source of this repository in the user's folder `wharf`. */
  make(): void {
    const { directory } = this;
    const packages = "nodejs,npm,ca-certificates";
    succeed(["mmdebstrap", "--quiet", "--variant=minbase", `--include=${packages}`, "bookworm", directory]);
    for (const file of ["/etc/resolv.conf", certificates])
      if (existsSync(file)) copyFileSync(file, join(directory, file));
    succeed(["chroot", directory, "useradd", "--create-home", user]);
    for (const name of sourceFiles()) {
      const copy = join(directory, home, "wharf", name);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(source, name), copy);
    }
    succeed(["chroot", directory, "chown", "--recursive", user, home]);
  }

  /** Puts a program into the PATH of the user. */
  addProgram(name: string, file: string): void {
    const copy = join(this.directory, "usr/local/bin", name);
    copyFileSync(file, copy);
    chmodSync(copy, 0o755);
  }

  /** Starts a line of the user's shell in the folder with the source. It sees its own processes alone. */
  start(line: string) {
    const mounted =
      'mount -t proc proc "$1/proc" && cd / && exec chroot --userspec="$2" "$1" env -i "${@:4}" sh -c "cd && cd wharf && $3"';
    const environment = {
      ...{ HOME: home, USER: user, PATH: "/usr/local/bin:/usr/bin:/bin" },
      ...{ NODE_EXTRA_CA_CERTS: certificates, npm_config_cafile: certificates },
      ...this.environment,
    };
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const child = Bun.spawn(
      [
        ...["unshare", "--mount", "--pid", "--fork", "bash", "-c", mounted],
        ...["bash", this.directory, `${user}:${user}`, line, ...variables],
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    this.children.push(child);
    return child;
  }

  /** Ends what runs in it: with its first process the others end, too. */
  async end(): Promise<void> {
    for (const { pid, exited } of this.children.filter(({ exitCode }) => exitCode === null)) {
      const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
      process.kill(Number(first), "SIGKILL");
      await exited;
    }
  }

  /** Runs a line to its end. Returns what it prints; throws if it fails. */
  async run(line: string): Promise<string> {
    const child = this.start(line);
    const [printed, errors, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (status !== 0) throw new Error(`${line}: status ${status}\n${printed}${errors}`);
    return printed;
  }
}
