/** The pages of sessions: signing in and out, and the page of the name that is signed in. */

import { Type } from "@sinclair/typebox";
import { mePage, type MyNews, type ShownProgram } from "../../views/me.tsx";
import { sign_in_labels, signInPage } from "../../views/sign_in.tsx";
import type { Ready } from "../core/ready.ts";
import type { Caller, Credential } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import { browserOf } from "../web/browser_text.ts";
import type { Http } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { problemHeaders, statusOf } from "../web/problems.ts";
import { setSessionCookie } from "../web/session_cookie.ts";
import { refusalOf, type FormWords } from "../web/refused_form.ts";
import { nextPath } from "../web/next_path.ts";
import { seeOther } from "../web/responses.ts";
import type { Sessions } from "./sessions.ts";
import type { SignInForm, Site } from "../api/pages.ts";

interface Keys {
  /** The caller with this credential. Throws `unknown_credential` or `name_suspended`. */
  authenticate(address: () => string, credential: Credential): Ready<Caller>;
}

const RoomParams = Type.Object({ room: Type.String() });

/** What a browser can do at a path of this service that takes a claimed name, such as `claim the job “…”`; null if nothing is to be said. */
type PurposeOf = (path: string) => Promise<string | null>;

const mistyped = "The key was mistyped or cut short. A key is wfk_ and 49 letters and digits.";

/** The programs that act under the caller's name. */
type ProgramsOf = (caller: Caller) => Promise<ShownProgram[]>;

/** What is new for the caller's name. */
type NewsOf = (caller: Caller) => Promise<MyNews>;

interface SessionPagesDeps {
  sessions: Sessions;
  names: Keys;
  purposeOf: PurposeOf;
  programsOf: ProgramsOf;
  newsOf: NewsOf;
  /** Lets a caller with this host key into a room. Throws `room_not_found`. */
  admitHost: (caller: Caller, room: string, host_key: string) => Promise<unknown>;
  /** Whether names can have webhooks. */
  has_webhooks: boolean;
}

export function sessionPages(
  { sessions, names, purposeOf, programsOf, newsOf, admitHost, has_webhooks }: SessionPagesDeps,
  http: Http,
) {
  const { access, origins, siteOf, policy } = http;
  const page = async (site: Site, form: SignInForm) => {
    // Under `--read members`, a stranger gets no title.
    const purpose = policy.read === "anyone" && form.next ? await purposeOf(form.next) : null;
    return signInPage({ site, purpose, claims: policy.claims, form });
  };

  return access
    .get(
      "/signin",
      async ({ request, caller, base, query }) => {
        const next = nextPath(base, query.next ?? request.headers.get("referer"));
        return sendPage(await page(await siteOf({ caller, base }), { next }));
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
          const cookie = await sessions.signIn(holder, caller.session, browserOf(request.headers));
          return seeOther(base + form.next, setSessionCookie(base, cookie));
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          // A hint comes with a key whose checksum does not fit: then nothing is known of the name.
          const say = error.extra.hint === undefined ? error.detail : mistyped;
          const words: FormWords = {
            labels: sign_in_labels,
            by_code: {
              credential_required: { field: "key" },
              unknown_credential: { field: "key", say },
              name_suspended: { field: "name" },
            },
          };
          const refusal = refusalOf(error, words);
          const shown = error.code === "contains_key" ? form : { ...form, name };
          const html = await page(await siteOf({ caller, base }), { ...shown, refusal });
          return sendPage(html, statusOf(error.definition), problemHeaders(error));
        }
      },
      { needs: "public", parse: "none", ...undocumented },
    )
    .post(
      "/signout",
      async ({ request, caller, base }) => {
        await readForm(request, origins);
        await sessions.signOut(caller);
        return seeOther(`${base}/`, setSessionCookie(base, null));
      },
      { needs: "public", parse: "none", ...undocumented },
    )
    .get(
      "/me",
      async ({ caller, base }) => {
        const { name } = caller.identity!;
        const shown = {
          news: await newsOf(caller),
          sessions: await sessions.list(caller),
          programs: await programsOf(caller),
          has_webhooks,
        };
        return sendPage(await mePage(await siteOf({ caller, base }), name, shown));
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
        return seeOther(`${base}/me`);
      },
      { needs: "named", parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/host",
      async ({ request, caller, base, params: { room } }) => {
        const host_key = (await readForm(request, origins)).host_key?.trim() ?? "";
        await admitHost(caller, room, host_key);
        const cookie = await sessions.host(caller, room, host_key, browserOf(request.headers));
        const location = `${base}/meet/r/${encodeURIComponent(room)}`;
        return seeOther(location, setSessionCookie(base, cookie));
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );
}
