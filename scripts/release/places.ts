/** Where releases, images and packages are published. A fork changes this file, and the documents that a test compares with it. */

export const places = {
  /** Files of the newest release are at `<repository>/releases/latest/download/<file>`. */
  repository: "https://github.com/wharf-agents/wharf",
  image: "ghcr.io/wharf-agents/wharf",
  npm_scope: "@wharf-agents",
  pypi: "wharf-agents",
} as const;
