/** The files by which others find Wharf: they are those that the script makes, fit their schemas, and start the tools. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { root } from "../../scripts/release/facts.ts";
import { writeInstaller } from "../../scripts/release/installer.ts";
import { listed_json, listed_texts, packListing } from "../../scripts/release/listing.ts";
import { agentsText } from "../../scripts/release/listing_texts.ts";
import { launcherPackage } from "../../scripts/release/npm.ts";
import { github_name, mcp_name, places } from "../../scripts/release/places.ts";
import { startMcp } from "../support/bridge.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

const { version } = packageFile;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const schemaOf = (file: string) => JSON.parse(read(`test/fixtures/listing/${file}`)) as object;

interface ServerJson {
  name: string;
  version: string;
  remotes: { url: string; variables: Record<string, object> }[];
  packages: {
    registryType: string;
    identifier: string;
    packageArguments: { type: string; name?: string; value?: string }[];
  }[];
}
interface Servers {
  mcpServers: Record<string, { command: string; args: string[] }>;
}
const server = listed_json["listing/server.json"] as ServerJson;
const plugin = "listing/plugin";
const claude_servers = listed_json[`${plugin}/.mcp.json`] as Servers;
const extension = listed_json[`${plugin}/gemini-extension.json`] as Servers & Record<string, unknown>;

describe("the files in the repository", () => {
  test("are those that scripts/release/listing.ts makes, and no others", () => {
    for (const [path, value] of Object.entries(listed_json))
      expect([path, JSON.parse(read(path))]).toEqual([path, value]);
    for (const [path, text] of Object.entries(listed_texts)) expect([path, read(path)]).toEqual([path, text]);
    const found = new Bun.Glob("listing/**").scanSync({ cwd: root, dot: true });
    const made = Object.keys({ ...listed_json, ...listed_texts }).filter((path) =>
      path.startsWith("listing/"),
    );
    expect([...found].sort()).toEqual(made.sort());
  });

  test("have the version of package.json, and run this version", () => {
    const versions = [server, listed_json[`${plugin}/.claude-plugin/plugin.json`] as ServerJson, extension];
    expect(versions.map((file) => file.version)).toEqual([version, version, version]);
    for (const { mcpServers } of [claude_servers, extension])
      expect(mcpServers.wharf!.args).toContain(`${places.npm_scope}/wharf@${version}`);
    const identifiers = server.packages.map(({ identifier }) => identifier);
    expect(identifiers).toEqual([`${places.npm_scope}/wharf`, `${places.image}:${version}`]);
  });
});

describe("a published schema accepts", () => {
  /** A validator for the schema in `file`, or for the one that an object of it has as the member `part`. */
  function validator(file: string) {
    // The schemas have keywords that only describe.
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    return ajv.compile(schemaOf(file));
  }

  const cases: [path: string, schema: string, broken: object][] = [
    ["listing/server.json", "server-2025-12-11.json", { name: "wharf" }],
    [".claude-plugin/marketplace.json", "claude-code-marketplace.json", { owner: {} }],
    [`${plugin}/.claude-plugin/plugin.json`, "claude-code-plugin-manifest.json", { userConfig: { url: {} } }],
  ];
  test.each(cases)("%s, and not with a broken member", (path, schema, broken) => {
    const validate = validator(schema);
    validate(listed_json[path]);
    expect(validate.errors).toBeNull();
    expect(validate({ ...listed_json[path], ...broken })).toBe(false);
  });

  test(".mcp.json as the servers of a plugin, and not without a command", () => {
    const validate = validator("claude-code-plugin-manifest.json");
    validate({ name: "wharf", ...claude_servers });
    expect(validate.errors).toBeNull();
    expect(validate({ name: "wharf", mcpServers: { wharf: { args: [] } } })).toBe(false);
  });
});

// Google publishes no schema: these are the members of the reference for extension authors.
test("gemini-extension.json has members that Gemini CLI knows, and names files that are there", () => {
  const known = ["name", "version", "description", "contextFileName", "settings", "mcpServers"];
  expect(Object.keys(extension)).toEqual(known);
  expect(extension.name).toMatch(/^[a-z0-9-]+$/);
  expect(listed_texts).toHaveProperty([`${plugin}/${String(extension.contextFileName)}`]);
  expect(extension.settings).toEqual([
    { name: expect.any(String), description: expect.any(String), envVar: "WHARF_URL" },
  ]);
});

test("the skill has the frontmatter of Agent Skills, and the name of its folder", () => {
  const path = Object.keys(listed_texts).find((file) => basename(file) === "SKILL.md")!;
  const [, front] = /^---\n([\s\S]+?)\n---\n/.exec(listed_texts[path]!)!;
  const { name, description, compatibility } = Bun.YAML.parse(front!) as Record<string, string>;
  expect(name).toBe(basename(dirname(path)));
  expect(description!.length).toBeWithin(1, 1025);
  expect(compatibility!.length).toBeWithin(1, 501);
});

describe("the registry of MCP servers finds its name", () => {
  test("in the package of npm and in the image, and the name is that of the repository", () => {
    expect(server.name).toBe(mcp_name);
    expect(`https://github.com/${mcp_name.replace("io.github.", "")}`).toBe(places.repository);
    expect(launcherPackage(version).manifest).toMatchObject({ mcpName: mcp_name });
    const folder = mkdtempSync(join(tmpdir(), "wharf-listing-"));
    writeInstaller(folder, { version, commit: "0", commit_time_seconds: 0 });
    const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
    expect(dockerfile).toContain(`io.modelcontextprotocol.server.name="${mcp_name}"`);
    rmSync(folder, { recursive: true });
  });

  test("and every variable of an address is declared", () => {
    for (const { url, variables } of server.remotes)
      expect(Array.from(url.matchAll(/\{(\w+)\}/g), ([, name]) => name!)).toEqual(Object.keys(variables));
  });
});

describe("with a service", () => {
  let service: SourceService;
  const home = newDirectory();
  beforeAll(async () => void (service = await startSource()));
  afterAll(async () => {
    await service.stop();
    removeDirectory(home);
  });

  /** The words after the program, with the address of the service. */
  const argumentsOf = ({ mcpServers }: Servers, address: string): string[] => {
    const [, , ...words] = mcpServers.wharf!.args;
    expect(words).toContain(address);
    return words.map((word) => (word === address ? service.url : word));
  };
  const ways: [string, () => string[]][] = [
    ["the plugin of Claude Code", () => argumentsOf(claude_servers, "${user_config.url}")],
    ["the extension of Gemini CLI", () => argumentsOf(extension, "${WHARF_URL:-http://127.0.0.1:4273}")],
    ...server.packages.map(({ registryType, packageArguments }): [string, () => string[]] => [
      `the ${registryType} package of server.json`,
      () => packageArguments.map(({ name, value }) => (name ? `${name}=${service.url}` : value!)),
    ]),
  ];
  test.each(ways)("%s starts the tools", async (_, words) => {
    const [mcp, ...args] = words();
    expect(mcp).toBe("mcp");
    const client = startMcp(args, home);
    await client.begin();
    const { tools } = (await client.ask("tools/list")).result as unknown as { tools: object[] };
    expect(tools.length).toBeGreaterThan(20);
    expect(await client.end()).toBe(0);
  });

  test("every tool that the texts name is one of its tools", async () => {
    const tools = (await toolsOf(service.url)).map(({ name }) => name);
    const texts = Object.values(listed_texts).join("\n");
    const named = new Set(Array.from(texts.matchAll(/`([a-z]+_[a-z_]+)(?: \{.*\})?`/g), ([, name]) => name!));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !tools.includes(name))).toEqual([]);
  });
});

test("a release has server.json, and the plugin by the names that Gemini CLI looks for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wharf-listing-"));
  await packListing(folder, { version, commit: "0", commit_time_seconds: 0 });
  const archives = ["darwin", "linux", "win32"].map((platform) => `${platform}.wharf-plugin.tar.gz`);
  expect(readdirSync(folder).sort()).toEqual([...archives, "server.json"].sort());
  for (const archive of archives) {
    const files = await new Bun.Archive(await Bun.file(join(folder, archive)).bytes()).files();
    const made = Object.keys({ ...listed_json, ...listed_texts }).filter((path) => path.startsWith(plugin));
    expect([...files.keys()].sort()).toEqual(
      [...made.map((path) => path.slice(plugin.length + 1)), "LICENSE"].sort(),
    );
    expect(await files.get("gemini-extension.json")!.json()).toEqual(extension);
  }
  rmSync(folder, { recursive: true });
});

test("docs/plugins.md names the repository, and shows the lines for AGENTS.md", () => {
  expect(read("docs/plugins.md")).toContain(`claude plugin marketplace add ${github_name}\n`);
  expect(read("docs/plugins.md")).toContain(`\`\`\`markdown\n${agentsText}\`\`\`\n`);
});
