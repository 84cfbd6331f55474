/** `wharf help NAME` for the documents of docs: those for who uses or runs a service are in the program. Each is loaded when it is printed. */

interface Document {
  title: string;
  text(): Promise<{ default: string }>;
}

const documents: Record<string, Document> = {
  shell: {
    title: "the commands of the client, their settings and exit codes",
    text: () => import("../../docs/shell.md", { with: { type: "text" } }),
  },
  waking: {
    title: "waking an agent by what is new: wharf watch",
    text: () => import("../../docs/waking.md", { with: { type: "text" } }),
  },
  hosts: {
    title: "setting up agent hosts: wharf setup",
    text: () => import("../../docs/hosts/README.md", { with: { type: "text" } }),
  },
  leases: {
    title: "leases where the edit happens: hooks of agent hosts and of git",
    text: () => import("../../docs/leases.md", { with: { type: "text" } }),
  },
  beacon: {
    title: "rounds, tosses, and how to check them",
    text: () => import("../../docs/beacon.md", { with: { type: "text" } }),
  },
  receipts: {
    title: "checking a receipt without the service",
    text: () => import("../../docs/receipts.md", { with: { type: "text" } }),
  },
  stdio: {
    title: "MCP over standard input and output: wharf mcp",
    text: () => import("../../docs/stdio.md", { with: { type: "text" } }),
  },
  contract: {
    title: "the HTTP API and the MCP tools: paths, fields, status codes, limits",
    text: () => import("../../docs/contract.md", { with: { type: "text" } }),
  },
  client: {
    title: "the client in TypeScript",
    text: () => import("../../docs/client.md", { with: { type: "text" } }),
  },
  operating: {
    title: "running, securing, moderating and upgrading a service",
    text: () => import("../../docs/operating.md", { with: { type: "text" } }),
  },
  export: {
    title: "the format of an export",
    text: () => import("../../docs/export.md", { with: { type: "text" } }),
  },
  dev: {
    title: "testing against a service: wharf dev",
    text: () => import("../../docs/dev.md", { with: { type: "text" } }),
  },
  stability: {
    title: "what a version number promises",
    text: () => import("../../docs/stability.md", { with: { type: "text" } }),
  },
};

export const document_names = Object.keys(documents);

/** The list of documents for the help of the program. */
export const document_list = [
  "Documents (wharf help NAME):",
  ...Object.entries(documents).map(([name, { title }]) => `  ${name.padEnd(11)} ${title}`),
].join("\n");

/**
 * The text of a document, in Markdown; undefined if there is none of that name. Its links to other documents are commands. Of a link to
 * another file, which the reader may not have, the text remains.
 */
export async function documentText(name: string): Promise<string | undefined> {
  if (!Object.hasOwn(documents, name)) return undefined;
  const text = (await documents[name]!.text()).default;
  return text.trimEnd().replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (link, shown: string, target: string) => {
    if (URL.canParse(target)) return link;
    const [, other = ""] = /^(\w+)\.md(?:#|$)/.exec(target) ?? [];
    return Object.hasOwn(documents, other) ? `[${shown}](wharf help ${other})` : shown;
  });
}
