/** Where releases, images and packages are published. A fork changes this file, and the documents that a test compares with it. */

export const places = {
  /** Files of the newest release are at `<repository>/releases/latest/download/<file>`. */
  repository: "https://github.com/wharf-agents/wharf",
  image: "ghcr.io/wharf-agents/wharf",
  npm_scope: "@wharf-agents",
  pypi: "wharf-agents",
} as const;

/** The package of npm with the command `wharf`. */
export const npm_program = `${places.npm_scope}/wharf`;

const [, owner_name, repository_name] = new URL(places.repository).pathname.split("/") as [
  string,
  string,
  string,
];

/** Who publishes. */
export const owner = { name: owner_name, url: new URL(`/${owner_name}`, places.repository).href };

/** The repository as commands name it that know GitHub. */
export const github_name = `${owner_name}/${repository_name}`;

/** The name in the registry of MCP servers. Its first part proves that the owner of the repository publishes. */
export const mcp_name = `io.github.${github_name}`;
