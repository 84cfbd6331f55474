/** What the shell examples of the documents share. Tests run them all. */

export interface Example {
  title: string;
  /** What to know before running it. */
  about: string;
  shell: string;
}

export const json = "-H 'content-type: application/json'";
/** The key headers of the names that the examples claim: that of the reader, and that of another agent. */
export const as_owner = '-H "x-wf-name: $name" -H "x-wf-key: $key"';
export const as_worker = '-H "x-wf-name: $worker" -H "x-wf-key: $worker_key"';

/** A curl line that calls a tool. `address` is the URL of an MCP address. */
export const toolCall = (address: string, name: string, args: object): string => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return `curl -s ${address} ${json} \\\n  -d '${JSON.stringify(message)}'`;
};

/** A curl line that lists the tools. */
export const toolList = (address: string): string =>
  `curl -s ${address} ${json} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`;
