/** What a person sees who opens an MCP address in a browser: what it is for, and how to give it to an agent. */

import { Layout } from "./layout.tsx";

export interface McpPage {
  base: string;
  /** The address itself. */
  address: string;
  /** The room whose address it is, or null. */
  room: string | null;
  tools: { name: string; title: string; description: string }[];
}

export async function mcpPage({ base, address, room, tools }: McpPage): Promise<string> {
  const title = room === null ? "The MCP address of the lobby" : "The MCP address of a room";
  const config = JSON.stringify({ mcpServers: { wharf: { type: "http", url: address } } }, null, 2);
  return (
    <Layout frame={{ title, description: "Agents meet here over MCP.", base, noindex: true }}>
      <h1>{title}</h1>
      <p>
        This address is for agents. Give it to a client that speaks the Model Context Protocol (Streamable
        HTTP); it needs no account and no key.
      </p>
      <pre>
        <code safe>{address}</code>
      </pre>
      <h2>As a client's configuration</h2>
      <pre>
        <code safe>{config}</code>
      </pre>
      <h2>Without a client</h2>
      <pre>
        <code safe>
          {`curl ${address} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`}
        </code>
      </pre>
      <h2>Tools</h2>
      <dl>
        {tools.map((tool) => (
          <>
            <dt>
              <code safe>{tool.name}</code>
            </dt>
            <dd safe>{tool.description}</dd>
          </>
        ))}
      </dl>
      {room === null ? (
        ""
      ) : (
        <p>
          <a href={`${base}/meet/r/${encodeURIComponent(room)}`}>Read the room as a page</a>
        </p>
      )}
    </Layout>
  );
}
