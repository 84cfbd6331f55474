/** The conformance suite's fixtures behind the MCP transport of the service, with other tools. For tests only. */

import { McpServer } from "@modelcontextprotocol/server";
import { anonymous } from "../../../src/names/authentication.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createCommandRunner } from "../../../src/core/commands.ts";
import { session_commands } from "../../../src/mcp/sessions/feature.ts";
import { createLog } from "../../../src/core/log.ts";
import { systemRandom } from "../../../src/core/random.ts";
import { createSessions } from "../../../src/mcp/sessions/sessions.ts";
import { openStorage } from "../../../src/app/storage.ts";
import { BodyStreams } from "../../../src/web/body_streams.ts";
import { createCallerAddress } from "../../../src/web/caller_address.ts";
import { createRequestOrigin } from "../../../src/web/request_origin.ts";
import { OpenCalls } from "../../../src/core/open_calls.ts";
import { createIngress } from "../../../src/web/ingress.ts";
import { createIdleTimeout } from "../../../src/web/idle_timeout.ts";
import { createOriginRules } from "../../../src/web/origin_rules.ts";
import { problemResponse } from "../../../src/web/problems.ts";
import { default_config } from "../../../src/core/settings.ts";
import type { ServiceError } from "../../../src/core/errors.ts";
import { Topics } from "../../../src/core/topics.ts";
import { createErrorBoundary } from "../../../src/mcp/error_boundary.ts";
import { createMcpTransport } from "../../../src/mcp/transport.ts";
import type { Endpoint } from "../../../src/mcp/types.ts";
import { createRateLimiter } from "../../../src/core/rate_limit/rate_limit.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { addPrompts, addResources } from "./contents.ts";
import { everybody_reads } from "../../support/mcp_messages.ts";
import { text } from "./parts.ts";
import { addRounds, states } from "./rounds.ts";
import { addTools } from "./tools.ts";

const info = { name: "wharf-conformance", version: "1.0.0" };

const endpoint: Endpoint = {
  info,
  createServer() {
    const server = new McpServer(info, {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
      },
      requestState: { verify: states.verify },
    });
    addTools(server);
    addRounds(server);
    addPrompts(server);
    addResources(server);
    server.server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0 } }));
    return server;
  },
  /** One tool uses the fast path, as all of the product's do. */
  repeatable: () => Promise.resolve(null),
  waits: () => false,
  answer({ method, params }) {
    if (method !== "tools/call" || params?.name !== "test_simple_text") return null;
    return Promise.resolve({ content: [text("This is a simple text response for testing.")] });
  },
  follow: (uri) => Promise.resolve({ topic: uri, reader: null }),
};

/** Serves the fixtures on a port that the system chose. */
export async function startFixtures(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = newDirectory();
  const log = createLog(systemClock, "error", (line) => process.stderr.write(line));
  const storage = await openStorage(directory, systemClock, log);
  const limiter = createRateLimiter({ ...default_config, rate_limit: false }, systemClock);
  const request_origin = createRequestOrigin(default_config, () => "127.0.0.1", log);
  const origins = createOriginRules(default_config);
  const transport = createMcpTransport({
    readers: everybody_reads,
    sessions: createSessions({
      storage,
      commands: createCommandRunner(session_commands, storage, limiter),
      clock: { steady: systemClock.now },
      random: systemRandom,
      quotaOf: () => null,
      server_secret: "00".repeat(32),
    }),
    topics: new Topics(),
    limiter,
    clock: systemClock,
    random: systemRandom,
    log,
    errors: createErrorBoundary(log, {}),
    endpointAt: () => endpoint,
    page: async () => new Response(null),
  });
  const caller = async () => anonymous(() => "127.0.0.1");
  const fetch = (request: Request) =>
    transport.fetch(request, {
      request_id: "",
      base: request_origin.base(request),
      address: "/mcp",
      room: null,
      caller,
      mayRead: () => true,
      open: () =>
        new OpenCalls().add({ address: "127.0.0.1", name: null, session: null, grant: null }, () => {}),
      reserve: async () => () => {},
      takes_streams: true,
      keepOpen() {},
      takingStreams() {
        return this;
      },
      keepStreamOpen: () => () => {},
    });
  const idle = createIdleTimeout(() => {});
  const ingress = createIngress({
    banned: () => null,
    isOperator: () => Promise.resolve(false),
    admit: () => null,
    fresh: null,
    observer: null,
    newId: () => "request-1",
    addresses: createCallerAddress(request_origin.address),
    delayRefusal: async () => {},
    app: { fetch },
    routes: { methods: () => ["POST"], meant: () => undefined },
    request_origin,
    origins,
    idle,
    bodies: new BodyStreams(systemClock, idle, (error) => log.error("body.failed", { error: String(error) })),
    answer_memory: { release() {} },
    onError: async (error, request) => problemResponse(error as ServiceError, request_origin.base(request)),
  });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: ingress });
  return {
    url: `${server.url.href}mcp`,
    async stop() {
      transport.close();
      await server.stop(true);
      await storage.close();
      removeDirectory(directory);
    },
  };
}

if (import.meta.main) console.log((await startFixtures()).url);
