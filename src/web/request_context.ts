/** What handlers get of a request. */

import type { Caller } from "../core/caller.ts";

/** The context of a request, for functions that several routes share. */
export interface RequestContext {
  request: Request;
  /** The pattern of the route's path. */
  route: string;
  caller: Caller;
  /** The public base URL of the service as this caller reached it, without a slash at the end. */
  base: string;
}
