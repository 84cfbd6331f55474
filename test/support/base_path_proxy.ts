/** A proxy that serves a service below a base path, and nothing beside it. */

/** The base path of all tests. */
export const base_path = "/below/wharf";

export interface BasePathProxy {
  /** The public address of the service: origin and base path. */
  base: string;
  /** The targets of requests that were not below the base path. */
  outside: string[];
  /** Where the service listens. Set it before the first request. */
  to: string;
  stop(): Promise<void>;
}

/** The two kinds of proxies: titles for `describe.each`, and whether the proxy removes the path from what it passes on. */
export const proxy_kinds: [title: string, strips: boolean][] = [
  ["that removes the path", true],
  ["that passes the path on", false],
];

/** Whether `url` is `base` or below it. */
export const isBelow = (url: string, base: string): boolean =>
  url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length));

/** Starts a proxy on a free port. */
export function startBasePathProxy(strips: boolean): BasePathProxy {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { origin } = new URL(request.url);
      const target = request.url.slice(origin.length);
      if (!isBelow(request.url, origin + base_path)) {
        proxy.outside.push(target);
        return new Response("Nothing is here.", { status: 404 });
      }
      const passed_on = strips ? target.slice(base_path.length).replace(/^(?!\/)/, "/") : target;
      const { method, headers, body, signal } = request;
      const answer = await fetch(proxy.to + passed_on, {
        method,
        headers,
        body,
        signal,
        redirect: "manual",
        decompress: false,
      });
      return new Response(answer.body, answer);
    },
  });
  const proxy: BasePathProxy = {
    base: `http://127.0.0.1:${server.port}${base_path}`,
    outside: [],
    to: "",
    stop: () => server.stop(true),
  };
  return proxy;
}
