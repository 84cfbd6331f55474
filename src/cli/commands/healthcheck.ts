/** `wharf healthcheck`: whether a service answers, for container runtimes and scripts. */

import { Command } from "commander";
import { isWildcard, hostInUrl } from "../../app/browser_urls.ts";
import { createClient, orThrow } from "../../client/client.ts";
import { systemClock } from "../../core/clock.ts";
import { withReason } from "../../core/log.ts";
import { wholeNumber } from "../../core/setting_values.ts";
import { UsageError, type Config } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";

/** How long one request may take, and the pause between two of them. */
const [request_ms, pause_ms] = [5_000, 100];

const waitSeconds = wholeNumber(0, 86_400, "must be a whole number of seconds, at most 86400");

export function healthcheckCommand(terminal: Terminal): Command {
  const command = new Command("healthcheck")
    .description("end with status 0 if the service answers, with 1 if it does not")
    .option("--url <url>", "its address, or unix:<path> for its socket (default: that of the settings)")
    .option("--wait <seconds>", "how long to repeat until it answers", "0")
    .action(async (options: { url?: string; wait: string }) => {
      const url = options.url ?? urlOf(configFrom(command, terminal));
      const health = healthOf(url, options.url !== undefined);
      const until = systemClock.monotonic() + 1_000 * seconds(options.wait);
      let fault = await health();
      while (fault !== null && systemClock.monotonic() < until) {
        // Unlike the timers of the clock, it keeps the process alive.
        await Bun.sleep(pause_ms);
        fault = await health();
      }
      if (fault !== null) throw withReason(`${url} is not healthy`, fault);
      terminal.print(`${url} is healthy.`);
    });
  return withExamples(
    withSettings(command, ["port", "host", "socket", "tls_cert"]),
    "wharf healthcheck --url http://127.0.0.1:4273 --wait 30",
    "wharf healthcheck --url unix:./wharf-data/wharf.sock",
  );
}

function seconds(text: string): number {
  try {
    return waitSeconds(text);
  } catch (error) {
    throw new UsageError(`--wait ${(error as Error).message}.`, { cause: error });
  }
}

/** The address of a service on this machine with these settings. */
function urlOf({ host, port, socket, tls_cert }: Config): string {
  if (socket !== null) return `unix:${socket}`;
  if (port === 0) throw new UsageError("The system chose the port: give the address with --url.");
  const reached = isWildcard(host) ? (host.includes(":") ? "::1" : "127.0.0.1") : host;
  return `${tls_cert === null ? "http" : "https"}://${hostInUrl(reached)}:${port}`;
}

/** A function that returns null if the service at `url` answers its health check, else the error. Throws a `UsageError`. */
function healthOf(url: string, is_verified: boolean): () => Promise<unknown> {
  const path = url.startsWith("unix:") ? url.slice("unix:".length) : null;
  if (!path && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("--url must be an http or https address, or unix: and the path of a socket.");
  }
  // The address of this machine is not the name in the certificate.
  const tls = { rejectUnauthorized: is_verified };
  const client = createClient({
    url: path ? "http://localhost" : url,
    retries: 0,
    fetch: (address, init) =>
      fetch(address, { ...init, ...(path && { unix: path }), tls } as BunFetchRequestInit),
  });
  return async () => {
    const health = orThrow(client.get("/healthz", { signal: AbortSignal.timeout(request_ms) }));
    return health.then(
      () => null,
      (error: unknown) => error,
    );
  };
}
