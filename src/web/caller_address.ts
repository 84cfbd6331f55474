/** The address of a request's caller, asked for once a request: it costs a system call. */

const known = Symbol("the caller's address");
type Known = Request & { [known]?: string };

export interface CallerAddress {
  of(request: Request): string;
  /** Says that `copy` came from where `original` came from: the system does not know it. */
  copy(original: Request, copy: Request): void;
}

/** `ask` finds the address of a request that came in on a connection. */
export function createCallerAddress(ask: (request: Request) => string): CallerAddress {
  // A member of the request takes a fifteenth of the time of a WeakMap, and this is done for every request.
  const of = (request: Known): string => (request[known] ??= ask(request));
  return {
    of,
    copy(original, copy: Known) {
      copy[known] = of(original);
    },
  };
}
