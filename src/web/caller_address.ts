/** The address of a request's caller, looked up once per request, because each lookup is a system call. */

import { networksOf } from "../core/rate_limit/caller_networks.ts";
import { factsOf } from "./request_facts.ts";

export interface CallerAddress {
  of(request: Request): string;
  /** The network of the address by which memory is limited: see `Networks`. */
  network(request: Request): string;
}

/** `ask` looks up the address of a request that came in on a connection. */
export function createCallerAddress(ask: (request: Request) => string): CallerAddress {
  const of = (request: Request): string => (factsOf(request).address ??= ask(request));
  return { of, network: (request) => networksOf(of(request)).narrow };
}
