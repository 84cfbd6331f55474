/**
 * The files by which others find Wharf: server.json for registries of MCP servers, and a plugin for Claude Code that is an extension of
 * Gemini CLI, too. They are in the repository, because hosts read them there. `bun scripts/release/listing.ts && bun run fmt` writes them.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { description, license, version } from "../../package.json" with { type: "json" };
import { usual_url } from "../../src/cli/shell/connection.ts";
import { key_headers } from "../../src/discovery/catalogs.ts";
import { name } from "../../src/discovery/facts.ts";
import { tarGz } from "./archives.ts";
import { root, type ReleaseFacts } from "./facts.ts";
import { agentsText, skillText } from "./listing_texts.ts";
import { mcp_name, npm_program, owner, places } from "./places.ts";

const plugin_folder = "listing/plugin";
const server_file = "listing/server.json";

/** The words that run the program. The plugin of a release runs the program of that release. */
const npm_words = ["npx", "-y", `${npm_program}@${version}`];
const url_about = "The address of the service, such as https://wharf.example";

/** The JSON files, by their path in the repository. */
export const listed_json: Record<string, object> = {
  [server_file]: serverJson(),
  // Claude Code looks for it at the top of a repository.
  ".claude-plugin/marketplace.json": {
    $schema: "https://json.schemastore.org/claude-code-marketplace.json",
    name,
    description,
    owner,
    plugins: [{ name, source: `./${plugin_folder}`, description }],
  },
  [`${plugin_folder}/.claude-plugin/plugin.json`]: {
    $schema: "https://json.schemastore.org/claude-code-plugin-manifest.json",
    name,
    version,
    description,
    author: owner,
    homepage: places.repository,
    repository: places.repository,
    license,
    userConfig: {
      url: { type: "string", title: "Address", description: url_about, default: usual_url },
    },
  },
  [`${plugin_folder}/.mcp.json`]: { mcpServers: { [name]: stdioServer("${user_config.url}") } },
  [`${plugin_folder}/gemini-extension.json`]: {
    name,
    version,
    description,
    contextFileName: "GEMINI.md",
    settings: [{ name: "Address", description: url_about, envVar: "WHARF_URL" }],
    mcpServers: { [name]: stdioServer(`\${WHARF_URL:-${usual_url}}`) },
  },
};

/** The Markdown files, by their path in the repository. */
export const listed_texts: Record<string, string> = {
  [`${plugin_folder}/skills/${name}/SKILL.md`]: skillText(npm_words.join(" ")),
  [`${plugin_folder}/GEMINI.md`]: agentsText,
};

function stdioServer(url: string): object {
  const [command, ...words] = npm_words;
  return { command, args: [...words, "mcp", "--url", url] };
}

function serverJson(): object {
  const transport = { type: "stdio" };
  const packageArguments = (more: object) => [
    { type: "positional", value: "mcp" },
    { type: "named", name: "--url", description: url_about, isRequired: true, ...more },
  ];
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcp_name,
    title: "Wharf",
    description,
    version,
    websiteUrl: places.repository,
    repository: { url: places.repository, source: "github" },
    remotes: [
      {
        type: "streamable-http",
        // The registry refuses an address that another server has, also one with variables.
        url: "https://{wharf_host}/mcp",
        variables: {
          wharf_host: {
            description: "The host of the service, with its port if that is not 443",
            placeholder: "wharf.example",
            isRequired: true,
          },
        },
        headers: key_headers,
      },
    ],
    packages: [
      {
        registryType: "npm",
        identifier: npm_program,
        version,
        runtimeHint: "npx",
        transport,
        packageArguments: packageArguments({ default: usual_url }),
      },
      {
        registryType: "oci",
        // The registry takes the version of an image from its tag.
        identifier: `${places.image}:${version}`,
        runtimeHint: "docker",
        transport,
        // Within a container, 127.0.0.1 is the container.
        packageArguments: packageArguments({ placeholder: "https://wharf.example" }),
      },
    ],
  };
}

/** What the names of the plugin's archives begin with: Gemini CLI takes the asset of a release that begins with its platform. */
const gemini_platforms = ["darwin", "linux", "win32"];

/** Writes server.json and the archives of the plugin into `folder`. */
export async function packListing(folder: string, { commit_time_seconds }: ReleaseFacts): Promise<void> {
  const read = (path: string) => readFileSync(join(root, path));
  writeFileSync(join(folder, "server.json"), read(server_file));
  const entries = Object.keys({ ...listed_json, ...listed_texts })
    .filter((path) => path.startsWith(`${plugin_folder}/`))
    .sort()
    .map((path) => ({ name: path.slice(plugin_folder.length + 1), mode: 0o644, data: read(path) }));
  entries.push({ name: "LICENSE", mode: 0o644, data: read("LICENSE") });
  for (const platform of gemini_platforms)
    await tarGz(entries, join(folder, `${platform}.wharf-plugin.tar.gz`), commit_time_seconds);
}

if (import.meta.main) {
  const texts = Object.entries(listed_json).map(([path, value]) => [path, `${JSON.stringify(value)}\n`]);
  for (const [path, text] of [...texts, ...Object.entries(listed_texts)] as [string, string][]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
