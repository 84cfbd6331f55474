/** The prompts and resources that the conformance suite reads. */

import { fromJsonSchema, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import { embedded, image, png, strings, text } from "./parts.ts";

const user = <Content>(content: Content) => ({ role: "user" as const, content });

export function addPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "A simple prompt." }, async () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A prompt with arguments.",
      argsSchema: fromJsonSchema<{ arg1: string; arg2: string }>(strings("arg1", "arg2")),
    },
    async ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "A prompt with an embedded resource.",
      argsSchema: fromJsonSchema<{ resourceUri: string }>(strings("resourceUri")),
    },
    async ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A prompt with an image." }, async () => ({
    messages: [user(image), user(text("Please analyze the image above."))],
  }));
}

export function addResources(server: McpServer): void {
  const words = (name: string, uri: string, said: string) =>
    server.registerResource(name, uri, { description: name, mimeType: "text/plain" }, async () => ({
      contents: [{ uri, mimeType: "text/plain", text: said }],
    }));
  words("static-text", "test://static-text", "This is the content of the static text resource.");
  words("watched-resource", "test://watched-resource", "This resource can be watched.");
  const binary = { description: "static-binary", mimeType: "image/png" };
  server.registerResource("static-binary", "test://static-binary", binary, async () => ({
    contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: png }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "A resource for each id.", mimeType: "application/json" },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}
