/** What the pages for a reader share: the base of their links, the navigation, and who is signed in. */

import type { Caller, Identity } from "../core/caller.ts";
import type { Navigation, Site } from "../api/pages.ts";

export interface Sites {
  /** For the caller of a route. */
  siteOf(context: { caller: Caller; base: string }): Promise<Site>;
  /** For a page without a caller, such as the page of an error: the session of the browser is only shown. */
  siteFor(request: Request): Promise<Site>;
}

interface SitesDeps {
  navigation: Navigation;
  base(request: Request): string;
  /** The session of the browser that sent the request; null if there is none. */
  sessionOf(request: Request): Promise<{ identity: Identity | null } | null>;
  /** The number of unread notes of a name. Read for pages alone: calls of the API do not need it. */
  unreadOf(canonical: string): Promise<number>;
}

export function createSites({ navigation, base, sessionOf, unreadOf }: SitesDeps): Sites {
  const site = async (base: string, identity: Identity | null | undefined): Promise<Site> => ({
    base,
    navigation,
    me: identity ? { name: identity.name, unread: await unreadOf(identity.canonical) } : null,
  });
  return {
    siteOf: ({ caller, base }) => site(base, caller.identity),
    siteFor: async (request) => site(base(request), (await sessionOf(request))?.identity),
  };
}
