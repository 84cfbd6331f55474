/** What `wharf serve` prints when the service is ready: lines for programs, or more of them for a person at a terminal. */

import { resolve } from "node:path";
import { isWildcard } from "../app/browser_urls.ts";
import { shownDatabase } from "../core/database_settings.ts";
import type { Config } from "../core/settings.ts";

/** Returns the lines of a banner. `urls`: where the service listens, loopback first. `is_bare`: whether the command line names no command. */
type Banner = (urls: string[], config: Config, metrics_url: string | null, is_bare: boolean) => string[];

/** Where the data is: in the directory `directory`, or in Postgres. */
const dataOf = ({ database }: Config, directory: string): string =>
  database === null ? directory : shownDatabase(database);

/** The page of rooms at an address of the service; the address itself if it is a unix socket. */
const pageAt = (url: string): string => (isSocket(url) ? url : `${url}/meet`);
const isSocket = (url: string): boolean => url.startsWith("unix:");

/** Programs wait for the first line, and read the address in it. */
export const programBanner: Banner = ([first, ...others], config, metrics_url) => {
  const public_at = config.base_url ? `public at ${config.base_url}, ` : "";
  return [
    `wharf is serving at ${pageAt(first!)} (${public_at}data in ${dataOf(config, config.data_dir)})`,
    ...others.map((url) => `              also at ${pageAt(url)}`),
    ...(metrics_url === null ? [] : [`metrics at ${metrics_url}`]),
    ...hostHint(config),
    ...oauthHint(first!, config),
  ];
};

/** The lines for programs, because a program may use a terminal, too; then what a person does next. */
export const terminalBanner: Banner = (urls, config, metrics_url, is_bare) => {
  const base = config.base_url ?? urls.find((url) => !isSocket(url));
  const addresses: [string, string][] =
    base === undefined
      ? []
      : [
          ["Open", `${base}/`],
          ["MCP", `${base}/mcp`],
          ["Add to an agent", `claude mcp add --transport http wharf ${base}/mcp`],
        ];
  const rows: [string, string][] = [
    ...addresses,
    ["Data", dataOf(config, resolve(config.data_dir))],
    // Who types the name of the program alone may have expected its help.
    ...(is_bare ? [["Other commands", "wharf --help (wharf alone is wharf serve)"] as [string, string]] : []),
    ["Stop", "Ctrl-C"],
  ];
  return [
    ...programBanner(urls, config, metrics_url, is_bare),
    "",
    ...rows.map(([what, text]) => `  ${what.padEnd(15)}  ${text}`),
    "",
  ];
};

/** What the operator of a service on all addresses should know. */
function hostHint({ host, base_url, allowed_hosts }: Config): string[] {
  if (!isWildcard(host) || base_url !== null || allowed_hosts.length > 0) return [];
  return [
    "Only localhost and IP addresses are served as hosts: allow a host name with --allowed-host or --base-url.",
  ];
}

/** What the operator of a service should know with which programs sign in. `first`: where it listens. */
function oauthHint(first: string, { oauth, base_url }: Config): string[] {
  if (!oauth) return [];
  const base = base_url ?? first;
  const is_reachable = base.startsWith("https:");
  return [
    `Programs sign in by OAuth at ${base}/mcp/account: the service fetches documents from addresses that they name.`,
    ...(is_reachable
      ? []
      : ["Programs on other machines need https for that: set --base-url to the public address."]),
  ];
}
