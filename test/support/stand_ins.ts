/** What a claimed name has given out in place of its key: the access token of a program and the session of a browser. */

import { call, get } from "./http.ts";
import type { Holder } from "./names.ts";
import { letIn } from "./oauth.ts";
import { signedIn } from "./sign_in.ts";

export interface StandIn {
  /** The headers of its requests. */
  headers: Record<string, string>;
  /** Ends the grant or the session. */
  end(): Promise<{ status: number }>;
}

/** The access token of a program, at a service with `oauth`. The name ends its grant. */
export async function tokenOf(url: string, holder: Holder): Promise<StandIn> {
  const { access_token, client_id } = await letIn(url, await signedIn(url, holder));
  const { body } = await get<{ grants: { id: string; client: string }[] }>(
    `${url}/api/name/grants`,
    holder.pair,
  );
  const { id } = body.grants.find(({ client }) => client === client_id)!;
  return {
    headers: { authorization: `Bearer ${access_token}` },
    end: () => call("DELETE", `${url}/api/name/grants/${id}`, undefined, holder.pair),
  };
}

/** The session of a browser, which signs out. */
export async function sessionOf(url: string, holder: Holder): Promise<StandIn> {
  const browser = await signedIn(url, holder);
  return { headers: { cookie: browser.cookie }, end: () => browser.post("/signout") };
}
