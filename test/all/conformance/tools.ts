/** The tools that the conformance suite calls (its names and answers), on the SDK's high-level server. */

import { fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";
import { audio, embedded, image, pause, strings, text } from "./parts.ts";

const said = (words: string) => ({ content: [text(words)] });

export function addTools(server: McpServer): void {
  const plain = (name: string, content: object[]) =>
    server.registerTool(name, { description: `Answers with fixed content (${name}).` }, async () => ({
      content: content as [],
    }));
  plain("test_image_content", [image]);
  plain("test_audio_content", [audio]);
  plain("test_embedded_resource", [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]);
  plain("test_multiple_content_types", [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);

  server.registerTool("test_simple_text", { description: "Answers with a text." }, async () =>
    said("This is a simple text response for testing."),
  );
  server.registerTool("test_error_handling", { description: "Always fails." }, async () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_logging", { description: "Logs three times." }, async (ctx) => {
    await ctx.mcpReq.log("info", "Tool execution started");
    await pause(50);
    await ctx.mcpReq.log("info", "Tool processing data");
    await pause(50);
    await ctx.mcpReq.log("info", "Tool execution completed");
    return said("Logged three times.");
  });
  server.registerTool("test_logging_tool", { description: "Logs once." }, async (ctx) => {
    await ctx.mcpReq.log("info", "Logged once.");
    return said("Logged once.");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports progress." }, async (ctx) => {
    const progressToken = ctx.mcpReq["_meta"]?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      }
      await pause(50);
    }
    return said("Done.");
  });
  server.registerTool(
    "test_reconnection",
    { description: "Closes its stream before it answers." },
    async (ctx) => {
      ctx.http?.closeSSE?.();
      await pause(100);
      return said("The stream was closed and the answer came after.");
    },
  );
  addAskingTools(server);
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(wide_schema) },
    async () => said("The schema was kept."),
  );
  server.registerTool(
    "test_headers",
    { description: "Takes an argument that a header repeats.", inputSchema: fromJsonSchema(header_schema) },
    async () => said("The header was right."),
  );
}

/** Tools that ask the client for something in the middle of a call (protocol 2025-11-25 and older). */
function addAskingTools(server: McpServer): void {
  const asking = (name: string, requestedSchema: object) =>
    server.registerTool(name, { description: `Asks the user (${name}).` }, async (ctx) => {
      const answer = await ctx.mcpReq.elicitInput({ message: "Please answer", requestedSchema } as never);
      return said(
        `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
      );
    });
  asking("test_elicitation_sep1034_defaults", schema_with_defaults);
  asking("test_elicitation_sep1330_enums", schema_with_choices);

  server.registerTool(
    "test_sampling",
    {
      description: "Asks the client's model.",
      inputSchema: fromJsonSchema<{ prompt: string }>(strings("prompt")),
    },
    async ({ prompt }, ctx) => {
      const answer = await ctx.mcpReq.requestSampling({
        messages: [{ role: "user", content: text(prompt) }],
        maxTokens: 100,
      });
      const content = answer.content as { text?: string };
      return said(`LLM response: ${content.text}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user.", inputSchema: fromJsonSchema<{ message: string }>(strings("message")) },
    async ({ message }, ctx) => {
      const answer = await ctx.mcpReq.elicitInput({ message, requestedSchema: strings("username", "email") });
      return said(
        `User response: <action: ${answer.action}, content: ${JSON.stringify(answer.content ?? {})}>`,
      );
    },
  );
}

const schema_with_defaults = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

const titled = (prefix: string, titles: string[]) =>
  titles.map((title, i) => ({ const: `${prefix}${i + 1}`, title }));

const schema_with_choices = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: {
      type: "string",
      oneOf: titled("value", ["First Option", "Second Option", "Third Option"]),
    },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: {
      type: "array",
      items: { anyOf: titled("value", ["First Choice", "Second Choice", "Third Choice"]) },
    },
  },
};

const wide_schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema, never awaited
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const header_schema = {
  type: "object" as const,
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
};
