/** The address of a request's caller, looked up once per request, because each lookup is a system call. */

import { factsOf } from "./request_facts.ts";

export interface CallerAddress {
  of(request: Request): string;
}

/** `ask` looks up the address of a request that came in on a connection. */
export const createCallerAddress = (ask: (request: Request) => string): CallerAddress => ({
  of: (request) => (factsOf(request).address ??= ask(request)),
});
