/** A registry of npm on this machine, and packages in it. */

import { cpSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tarGz } from "../../scripts/release/archives.ts";
import { freePort } from "./free_port.ts";
import { succeed } from "./installed.ts";
import { newDirectory } from "./service.ts";
import { linesOf } from "./python.ts";
import { started } from "./leftovers.ts";

/** Installs the tools that check packages, into `directory`. Returns a function that gives the path of a file in a package. */
export function installTools(directory: string): (file: string) => string {
  cpSync(join(import.meta.dir, "../all/release/tools"), directory, { recursive: true });
  succeed([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: directory });
  return (file) => join(directory, "node_modules", file);
}

export interface Registry {
  url: string;
  /** Publishes the file of a package with npm. */
  publish(file: string): void;
  stop(): Promise<void>;
}

/** Starts verdaccio with no package in it. It gets none from elsewhere. */
export async function startRegistry(verdaccio: string): Promise<Registry> {
  const home = newDirectory();
  const url = `http://127.0.0.1:${await freePort()}`;
  const anybody = { access: "$all", publish: "$all" };
  const config = {
    storage: join(home, "storage"),
    uplinks: {},
    packages: { "**": anybody },
    max_body_size: "1gb",
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "warn" },
  };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config));
  // npm publishes only with a token. Verdaccio takes any.
  writeFileSync(join(home, ".npmrc"), `registry=${url}/\n${url.replace("http:", "")}/:_authToken=any\n`);
  const server = Bun.spawn(
    [process.execPath, verdaccio, "--config", join(home, "config.yaml"), "--listen", url],
    { cwd: home, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  );
  started.push(server);
  const lines = linesOf(server.stdout);
  for (let line = await lines.next(); !line.value?.includes("http address"); line = await lines.next()) {
    if (line.done) throw new Error("verdaccio did not start");
  }
  return {
    url,
    publish: (file) =>
      void succeed(["npm", "publish", "--access", "public", file], {
        env: { PATH: process.env.PATH!, HOME: home },
      }),
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

/** A package with the package.json of `file` and nothing else, in `folder`. Returns its path. */
export async function emptied(file: string, folder: string): Promise<string> {
  const manifest = succeed(["tar", "-xzOf", file, "--occurrence=1", "package/package.json"]);
  const path = join(folder, basename(file));
  await tarGz([{ name: "package/package.json", mode: 0o644, data: Buffer.from(manifest) }], path, 0);
  return path;
}
