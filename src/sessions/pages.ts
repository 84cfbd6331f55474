/** The pages of sessions: signing in and out, and the page of the name that is signed in. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { mePage } from "../../views/me.tsx";
import type { Site } from "../../views/layout.tsx";
import { signInPage, type SignInForm } from "../../views/sign_in.tsx";
import type { Caller, Credential } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { claimingText } from "../discovery/policy.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { page_security } from "../web/page_headers.ts";
import { problemHeaders, statusOf } from "../web/problems.ts";
import { setSessionCookie } from "../web/session_cookie.ts";
import { nextPath } from "./next_path.ts";
import { seeOther } from "../web/responses.ts";
import type { Sessions } from "./sessions.ts";

export interface Keys {
  /** The caller with this credential. Throws `unknown_credential` or `name_suspended`. */
  authenticate(address: () => string, credential: Credential): Promise<Caller>;
  /** The name of a caller. Throws `credential_required`. */
  whoami(caller: Caller): Promise<{ name: string }>;
}

const RoomParams = Type.Object({ room: Type.String() });

const page_headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-store",
  ...page_security,
};

const see = (location: string, headers: Record<string, string> = {}): Response =>
  seeOther(location, { "cache-control": "no-store", ...headers });

export function sessionPages(sessions: Sessions, names: Keys, http: Http) {
  const { access, origins, siteOf, policy } = http;
  const claiming = claimingText(policy);
  const page = (site: Site, form: SignInForm) => signInPage({ site, claiming, form });

  return new Elysia({ name: "sessions-pages" })
    .use(access)
    .get(
      "/signin",
      async ({ request, caller, base, query }) => {
        const next = nextPath(base, query.next ?? request.headers.get("referer"));
        return new Response(await page(siteOf({ caller, base }), { next }), { headers: page_headers });
      },
      {
        // Under `--read members`, this is where members come in.
        needs: "public",
        ...pageDoc({
          summary: "The form to sign in with a claimed name and its key",
          operation_id: "readSignInPage",
          media: ["text/html"],
        }),
      },
    )
    .post(
      "/signin",
      async ({ request, caller, base }) => {
        const { name = "", key = "", next: wanted } = await readForm(request, origins);
        const form = { next: nextPath(base, wanted ?? request.headers.get("referer")) };
        try {
          refuseSecretsIn({ name, next: form.next });
          if (!key) throw new ServiceError(caller_errors.credential_required, "The key is missing.");
          const credential = { name: name.trim() || null, key };
          const holder = await names.authenticate(() => caller.address, credential);
          const cookie = await sessions.signIn(holder, caller.session);
          return see(base + form.next, setSessionCookie(base, cookie));
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          const fault = [error.detail, error.extra.hint].filter(Boolean).join(" ");
          const shown = error.code === "contains_key" ? form : { ...form, name };
          return new Response(await page(siteOf({ caller, base }), { ...shown, fault }), {
            status: statusOf(error.definition),
            headers: { ...page_headers, ...problemHeaders(error) },
          });
        }
      },
      { needs: "public", parse: "none", ...undocumented },
    )
    .post(
      "/signout",
      async ({ request, caller, base }) => {
        await readForm(request, origins);
        await sessions.signOut(caller);
        return see(`${base}/`, setSessionCookie(base, null));
      },
      { needs: "public", parse: "none", ...undocumented },
    )
    .get(
      "/me",
      async ({ caller, base }) => {
        const { name } = await names.whoami(caller);
        const html = await mePage(siteOf({ caller, base }), name, await sessions.list(caller));
        return new Response(html, { headers: page_headers });
      },
      {
        needs: "named",
        ...pageDoc({
          summary: "The page of the name that is signed in",
          operation_id: "readMyPage",
          media: ["text/html"],
          failures: [caller_errors.credential_required],
        }),
      },
    )
    .post(
      "/me/sessions",
      async ({ request, caller, base }) => {
        const { session = "" } = await readForm(request, origins);
        await (session === "others" ? sessions.endOthers(caller) : sessions.end(caller, session));
        return see(`${base}/me`);
      },
      { needs: "named", parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/host",
      async ({ request, caller, base, params: { room } }) => {
        const { host_key = "" } = await readForm(request, origins);
        const cookie = await sessions.host(caller, room, host_key.trim());
        const location = `${base}/meet/r/${encodeURIComponent(room)}`;
        return see(location, cookie === null ? {} : setSessionCookie(base, cookie));
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );
}
