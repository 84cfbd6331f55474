/** Real proxies in front of the binary, with TLS and a base path: the recipes of docs/recipes with other ports and files. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "./certificates.ts";
import { freePort } from "./free_port.ts";
import { started } from "./leftovers.ts";
import { newDirectory, removeDirectory, startBinary } from "./service.ts";

const recipes = join(import.meta.dir, "../../docs/recipes");
/** The path in the recipes. */
const path = "/wharf";

/** Titles for `describe.each`: each proxy of the recipes, and nginx with the unix socket that its recipe names. */
export const proxies = ["nginx", "caddy", "nginx and a unix socket"] as const;
export type ProxyName = (typeof proxies)[number];

export interface Proxied {
  /** The public address, with the base path. */
  base: string;
  /** The file of the proxy's certificate, by which a client trusts it. */
  certificate: string;
  /** Where the service itself listens: an address, or `unix:` and a path. */
  service: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Replaces each of `parts` in a recipe. Throws if the recipe does not have it. */
function adapted(recipe: string, parts: Record<string, string>): string {
  let text = readFileSync(join(recipes, recipe), "utf8");
  for (const [part, other] of Object.entries(parts)) {
    if (!text.includes(part)) throw new Error(`${recipe} has no ${part}`);
    text = text.replaceAll(part, other);
  }
  return text;
}

/** The command that runs a proxy at `port` with its configuration in `directory`. */
function commandOf(
  name: ProxyName,
  directory: string,
  { port, service, cert, key }: { port: number; service: string; cert: string; key: string },
): string[] {
  const file = join(directory, "proxy.conf");
  if (name === "caddy") {
    // The recipe lets Caddy get a certificate, and takes the ports of https and http.
    const site = adapted("Caddyfile", {
      "wharf.example {": `https://localhost:${port} {\n\ttls ${cert} ${key}`,
      "127.0.0.1:4273": new URL(service).host,
    });
    writeFileSync(
      file,
      `{\n\tadmin off\n\tauto_https off\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n${site}`,
    );
    return ["caddy", "run", "--adapter", "caddyfile", "--config", file];
  }
  const upstream = service.startsWith("unix:") ? service : new URL(service).host;
  const site = adapted("nginx.conf", {
    "listen 443": `listen 127.0.0.1:${port}`,
    "/etc/ssl/wharf.crt": cert,
    "/etc/ssl/wharf.key": key,
    "server 127.0.0.1:4273": `server ${upstream}`,
  });
  writeFileSync(join(directory, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join(" ");
  // Its workers open the socket of the service as the user of the test.
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? "user root;" : ""} daemon off; pid ${directory}/nginx.pid; error_log stderr;
     events {} http { access_log off; ${temporary} include ${directory}/site.conf; }`,
  );
  return ["nginx", "-p", directory, "-c", file];
}

/** Starts the binary with a base path behind the proxy. Resolves when the proxy answers. */
export async function startProxied(name: ProxyName): Promise<Proxied> {
  const directory = newDirectory();
  mkdirSync(join(directory, "data"));
  const port = await freePort();
  const base = `https://localhost:${port}${path}`;
  const socket = name === "nginx and a unix socket" ? { socket: join(directory, "wharf.socket") } : {};
  const service = await startBinary({ base_url: base, rate_limit: true, oauth: true, ...socket });
  const { cert, key } = makeCertificate(directory, "proxy");
  const command = commandOf(name, directory, { port, service: service.url, cert, key });
  const proxy = Bun.spawn(command, {
    env: { ...process.env, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    stdout: "ignore",
    stderr: Bun.file(join(directory, "proxy.log")),
  });
  started.push(proxy);
  const call = (below: string, init: RequestInit = {}) =>
    fetch(below.startsWith("https:") ? below : base + below, {
      ...init,
      redirect: "manual",
      tls: { rejectUnauthorized: false },
    });
  for (;;) {
    const answer = await call("/healthz").catch(() => null);
    if (answer?.ok) break;
    if (proxy.exitCode !== null) throw new Error(readFileSync(join(directory, "proxy.log"), "utf8"));
    await Bun.sleep(20);
  }
  return {
    base,
    certificate: cert,
    service: service.url,
    fetch: call,
    async stop() {
      // Caddy ends in order only when all connections have ended.
      proxy.kill(name === "caddy" ? "SIGKILL" : "SIGTERM");
      await proxy.exited;
      await service.stop();
      removeDirectory(directory);
    },
  };
}
