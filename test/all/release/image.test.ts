/** The image of a release: what it declares and has, its health, its data, its end. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json" with { type: "json" };
import { releaseFacts, root } from "../../../scripts/release/facts.ts";
import { mcp_name, places } from "../../../scripts/release/places.ts";
import { freePort } from "../../support/free_port.ts";
import { get, post } from "../../support/http.ts";
import { lacksPodman, Podman } from "../../support/podman.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const [base, image] = ["localhost/base", "localhost/wharf"];
interface Compose {
  environment: Record<string, string>;
  volumes: string[];
  command: string[];
}

/** The user of the service, as in distroless images. */
const user = 65532;
const cpu = process.arch === "x64" ? "amd64" : "arm64";

describe.skipIf(lacks_release || lacksPodman("the image of the release"))("the image", () => {
  const podman = new Podman();
  beforeAll(async () => {
    await podman.buildBase(base);
    await podman.build(await release(), image, cpu, base);
  }, release_timeout_ms);
  afterAll(() => podman.close());

  /** Starts the service in a container at a free port, and returns its address when it answers. */
  async function startService(name: string, ...options: string[]): Promise<string> {
    const port = await freePort();
    await podman.start(name, `--env=WHARF_PORT=${port}`, ...options, image);
    await podman.output("exec", name, "wharf", "healthcheck", "--wait", "120");
    return `http://127.0.0.1:${port}`;
  }
  const stop = async (name: string) => {
    await podman.output("stop", "--time", "120", name);
    return podman.output("inspect", "--format", "{{.State.Status}} {{.State.ExitCode}}", name);
  };

  test("declares its user, volume, port, signal and labels", async () => {
    const [{ Config, Labels }] = JSON.parse(await podman.output("image", "inspect", image)) as [
      { Config: Record<string, unknown>; Labels: Record<string, string> },
    ];
    expect(Config).toMatchObject({
      User: `${user}:${user}`,
      ExposedPorts: { "4273/tcp": {} },
      Volumes: { "/data": {} },
      Entrypoint: ["/usr/local/bin/wharf"],
      Cmd: ["serve"],
      StopSignal: "SIGTERM",
    });
    expect(Labels).toMatchObject({
      "org.opencontainers.image.source": places.repository,
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.revision": releaseFacts()!.commit,
      "io.modelcontextprotocol.server.name": mcp_name,
    });
  });

  test("adds the program, licences and a folder for data to its base, and no shell", async () => {
    const files = async (name: string) => {
      const folder = await podman.output("image", "mount", name);
      return [...new Bun.Glob("**").scanSync({ cwd: folder, onlyFiles: false, dot: true })].filter(
        (path) => !lstatSync(join(folder, path)).isDirectory() || path === "data",
      );
    };
    const before = new Set(await files(base));
    const added = (await files(image)).filter((path) => !before.has(path));
    const licenses = "usr/share/licenses/wharf/THIRD_PARTY_LICENSES";
    expect(added.sort()).toEqual(["data", "usr/local/bin/wharf", licenses]);
  });

  test("serves as a user without rights, and keeps its data in the volume for the next container", async () => {
    const url = await startService("first", "--volume=rooms:/data");
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    const pid = await podman.output("inspect", "--format", "{{.State.Pid}}", "first");
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    expect(status).toContain(`Uid:\t${user}\t${user}\t${user}\t${user}\n`);
    expect(status).toContain("CapEff:\t0000000000000000\n");
    await post(`${url}/api/meet/rooms`, { goal: "What outlives a container", name: "Ada" });
    const ended = await stop("first");
    expect(ended).toBe("exited 0");
    await podman.output("rm", "first");

    const again = await startService("second", "--volume=rooms:/data");
    const { status: found } = await get(`${again}/api/meet/rooms/what-outlives-a-container`);
    expect(found).toBe(200);
    await podman.output("kill", "--signal", "KILL", "second");
    await startService("third", "--volume=rooms:/data");
    // A start checks the database after an unclean stop, which the first one was not.
    const checks = async (name: string) =>
      (await podman.run("logs", name)).errors.includes("storage.check_begun");
    expect([await checks("second"), await checks("third")]).toEqual([false, true]);
  });

  test("is healthy while the service answers, and unhealthy while it does not", async () => {
    await startService("healthy");
    expect((await podman.run("healthcheck", "run", "healthy")).status).toBe(0);
    // Its owner runs commands in it, without a shell.
    await podman.output("exec", "healthy", "wharf", "admin", "audit");
    expect((await podman.run("exec", "healthy", "sh", "-c", "true")).status).not.toBe(0);
    // The service listens at another port than the one that the health check finds in the settings.
    await podman.start("lost", `--env=WHARF_PORT=${await freePort()}`, image, "serve", "--port", "0");
    expect((await podman.run("healthcheck", "run", "lost")).status).toBe(1);
  });

  test("runs as the recipe for compose says, and for tests as testing/docker-compose.yml says", async () => {
    const compose = (path: string) =>
      (Bun.YAML.parse(readFileSync(join(root, path), "utf8")) as { services: { wharf: Compose } }).services
        .wharf;
    const { environment, volumes } = compose("docs/recipes/compose.yaml");
    const variables = Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`);
    const url = await startService("recipe", `--volume=${volumes[0]}`, ...variables);
    const { headers } = await fetch(`${url}/healthz`, { headers: { host: "wharf.example" } });
    expect(headers.get("x-request-id")).not.toBeNull();

    const { command } = compose("testing/docker-compose.yml");
    const port = String(await freePort());
    await podman.start("tests", image, ...command.map((word) => word.replace("4273", port)));
    await podman.output(
      "exec",
      "tests",
      "wharf",
      "healthcheck",
      "--wait",
      "120",
      "--url",
      `http://127.0.0.1:${port}`,
    );
    expect((await fetch(`http://127.0.0.1:${port}/_dev`)).status).toBe(200);
  });

  test("takes every setting by a variable or an option, and runs other commands", async () => {
    const settings = async (...options: string[]) => {
      const { out, errors, status } = await podman.runOnce(...options);
      expect([errors, status]).toEqual(["", 0]);
      return JSON.parse(out) as Record<string, unknown>;
    };
    const config = await settings(image, "config", "--json");
    expect(config).toMatchObject({ host: { value: "0.0.0.0" }, "data-dir": { value: "/data/wharf" } });
    const changed = await settings(
      "--env=WHARF_HOST=127.0.0.1",
      image,
      "config",
      "--json",
      "--data-dir",
      "/data/x",
    );
    expect(changed).toMatchObject({ host: { value: "127.0.0.1" }, "data-dir": { value: "/data/x" } });
    expect((await podman.runOnce(image, "--version")).out).toBe(`${version}\n`);
  });
});

describe.skipIf(lacks_release || lacksPodman("the CPU of an image"))("for each CPU", () => {
  const podman = new Podman();
  afterAll(() => podman.close());

  test.each([
    ["amd64", "linux-x64"],
    ["arm64", "linux-arm64"],
  ])("the image for %s has the program of %s", async (cpu, target) => {
    const context = newDirectory();
    for (const name of ["Dockerfile", "THIRD_PARTY_LICENSES"]) {
      cpSync(join(await release(), name), join(context, name));
    }
    for (const name of ["linux-x64", "linux-arm64"]) {
      mkdirSync(join(context, "bin", name), { recursive: true });
      writeFileSync(join(context, "bin", name, "wharf"), name);
      // As after a transfer that loses permissions.
      chmodSync(join(context, "bin", name, "wharf"), 0o600);
    }
    const name = `localhost/${target}`;
    await podman.build(context, name, cpu, "scratch");
    expect(await podman.output("image", "inspect", "--format", "{{.Architecture}}", name)).toBe(cpu);
    const mounted = await podman.output("image", "mount", name);
    const program = join(mounted, "usr/local/bin/wharf");
    expect([readFileSync(program, "utf8"), statSync(program).mode & 0o777]).toEqual([target, 0o755]);
    removeDirectory(context);
  });
});
