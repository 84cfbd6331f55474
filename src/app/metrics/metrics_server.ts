/** The listener for metrics: GET /metrics at an address of its own, and nothing else. */

import { hostAndPort } from "../../core/setting_values.ts";
import { hostInUrl } from "../browser_urls.ts";

export interface MetricsListener {
  url: string;
  stop(): Promise<void>;
}

const plain = { "content-type": "text/plain; charset=utf-8" };
const metrics_type = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };

async function answer(request: Request, text: () => Promise<string>): Promise<Response> {
  if (URL.parse(request.url)?.pathname !== "/metrics") {
    return new Response("There is GET /metrics alone.\n", { status: 404, headers: plain });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("Read /metrics with GET.\n", {
      status: 405,
      headers: { ...plain, allow: "GET, HEAD" },
    });
  }
  return new Response(await text(), { headers: { ...metrics_type, "cache-control": "no-store" } });
}

const reasons: Record<string, string> = {
  EADDRINUSE: "is taken",
  EACCES: "may not be opened",
  EADDRNOTAVAIL: "is not this machine's",
};

/** Listens at `address`, a host and a port. Throws a user-facing error if that is not possible. */
export function listenForMetrics(address: string, text: () => Promise<string>): MetricsListener {
  const { host, port } = hostAndPort(address);
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      fetch: (request) => answer(request, text),
    });
    return {
      url: `http://${hostInUrl(host)}:${server.port}/metrics`,
      // A scraper keeps its connection.
      stop: () => server.stop(true),
    };
  } catch (error) {
    const reason = reasons[(error as { code?: string }).code ?? ""];
    if (reason === undefined) throw error;
    throw new Error(`${address} ${reason}. Set --metrics-listen to another address and port.`, {
      cause: error,
    });
  }
}
