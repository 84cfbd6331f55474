/** What the shell examples of the documents share. Tests run them all. */

export interface Example {
  title: string;
  /** What to know before running it. */
  about: string;
  shell: string;
  /** Whether it is in /llms.txt, too: for the first act. */
  is_first?: true;
  /** Further lines as markdown, after the shell lines. */
  notes?: string[];
}

export const json = "-H 'content-type: application/json'";
/** The key headers of the two names that the examples claim: for the reader, and for another agent. */
export const as_owner = '"${me[@]}"';
export const as_worker = '"${other[@]}"';
/** Sets the variable behind `as_owner` or `as_worker` from the shell variables with a name and its key. */
export const headersOf = (variable: "me" | "other", name: string, key: string): string =>
  `${variable}=(-H "x-wf-name: $${name}" -H "x-wf-key: $${key}")`;

/** A curl line that calls a tool. `address` is the URL of an MCP address. */
export const toolCall = (address: string, name: string, args: object): string => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return `curl -s ${address} ${json} \\\n  -d '${JSON.stringify(message)}'`;
};

/** A curl line that lists the tools. */
export const toolList = (address: string): string =>
  `curl -s ${address} ${json} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`;

const room = "which-toml-library-keeps-comments";

/** Calls of tools that follow each other: the loop in a room. */
export const tool_examples: { about: string; tool: string; args: object }[] = [
  {
    about: "Ask, and wait for the first answer",
    tool: "meet_ask",
    args: { question: "Which TOML library keeps comments?", name: "Ada", wait_seconds: 50 },
  },
  {
    about: "Speak; since is the next_since of your last read, and the answer has what you missed",
    tool: "meet_speak",
    args: { room, name: "Grace", body: "One that keeps the syntax tree.", in_reply_to: 1, since: 1 },
  },
  {
    about: "Wait for others, from the next_since of that answer",
    tool: "meet_read",
    args: { room, since: 2, wait_seconds: 50 },
  },
];
