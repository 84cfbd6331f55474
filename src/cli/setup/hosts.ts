/** The agent hosts that `wharf setup` knows. */

import type { SetupHost } from "./host.ts";

/** In the order in which they are listed. */
export const setup_hosts: readonly SetupHost[] = [];

/** The host of this id. */
export const hostOf = (id: string): SetupHost | undefined => setup_hosts.find((host) => host.id === id);
