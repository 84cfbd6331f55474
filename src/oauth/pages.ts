/** The page on which a name lets a program in (RFC 6749, section 4.1.1), and its answer to the program. */

import { consentPage, refusedRequestPage } from "../../views/consent.tsx";
import { consent_path } from "../api/account.ts";
import type { Caller } from "../core/caller.ts";
import { refuseAccessToken } from "../core/caller_errors.ts";
import type { OperationDeps } from "../core/commands.ts";
import { newSecret, sameDigest, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { page_security, queryOf, sendPage } from "../web/page_headers.ts";
import { chooseForm, seeOther, sendJson } from "../web/responses.ts";
import { oauth_path } from "./addresses.ts";
import { readRequest, RefusedRequest, type AuthorizationRequest } from "./authorization.ts";
import { hostOf, UnusableClient, type Clients } from "./clients.ts";
import type { OAuthCommands } from "./feature.ts";
import { answeredAt, isLocal, receiverOf, sourceOf } from "./redirects.ts";

interface ConsentDeps extends OperationDeps<OAuthCommands> {
  clients: Clients;
  /** 32 bytes in hex, never returned. */
  server_secret: string;
  /** The base URL of the service, without a slash at the end. */
  base(): string;
}

interface Reader {
  request: Request;
  caller: Caller;
  /** The base URL by which the browser came. */
  base: string;
}

/** The headers of a page whose form may lead to `redirect_uri`: browsers also check where the answer to a form leads (CSP 3, section 6.4.1). */
const headersFor = (redirect_uri: string) => ({
  "content-security-policy": page_security["content-security-policy"].replace(
    "form-action 'self'",
    `form-action 'self' ${sourceOf(redirect_uri)}`,
  ),
});

export function consentPages(deps: ConsentDeps, { access, origins, siteOf, policy }: Http) {
  const { commands, clock, random, clients } = deps;

  /** What binds the form to the browser and the name that it was shown to, so that nothing else is allowed than what was read. */
  const ticketFor = ({ session, identity }: Caller, query: string): string =>
    new Bun.CryptoHasher("sha256", Uint8Array.fromHex(deps.server_secret))
      .update(JSON.stringify(["consent", session, identity?.canonical, query]))
      .digest("hex");

  /** Answers a request that can be shown to a name by `answer`, and any other with the page that says why not. */
  async function answered(
    reader: Reader,
    query: string,
    answer: (asked: AuthorizationRequest) => Promise<Response>,
  ): Promise<Response> {
    const { caller, base } = reader;
    try {
      return await answer(await readRequest(query, clients, { caller, base: deps.base(), reached: base }));
    } catch (error) {
      if (error instanceof UnusableClient) return unusable(reader, error.message);
      if (!(error instanceof RefusedRequest)) throw error;
      const { code, description } = error.reason;
      const back = {
        host: receiverOf(error.back.redirect_uri),
        href: answerTo(error.back, { error: code, error_description: description }),
      };
      return sendPage(await refusedRequestPage(await siteOf({ caller, base }), description, back), 400);
    }
  }

  /** The page for a request. Nobody is led anywhere before a name has decided: anybody can register an address (RFC 9700, section 4.11.2). */
  async function page(
    { caller, base }: Reader,
    query: string,
    asked: AuthorizationRequest,
  ): Promise<Response> {
    const { client, redirect_uri } = asked;
    const shown = {
      program: { name: client.name, host: hostOf(client, redirect_uri) },
      receiver: receiverOf(redirect_uri),
      is_local: isLocal(redirect_uri),
      query,
      ticket: ticketFor(caller, query),
    };
    const next = `${consent_path}?${query}`;
    const html = await consentPage(await siteOf({ caller, base }), policy.claims, shown, next);
    return sendPage(html, 200, headersFor(redirect_uri));
  }

  /** The answer if it is not known who could be answered. A program that looks here itself, as mcp-remote does, then registers again. */
  async function unusable({ request, caller, base }: Reader, why: string): Promise<Response> {
    if (chooseForm(request, ["html", "json"]) === "json")
      return sendJson({ error: "invalid_client", error_description: why }, 400);
    return sendPage(await refusedRequestPage(await siteOf({ caller, base }), why, null), 400);
  }

  /** Where the browser takes an answer (RFC 6749, section 4.1.2), with the issuer against mix-up (RFC 9207, section 2). */
  const answerTo = (
    { redirect_uri, state }: Pick<AuthorizationRequest, "redirect_uri" | "state">,
    answer: Record<string, string>,
  ): string =>
    answeredAt(redirect_uri, {
      ...answer,
      ...(state !== undefined && { state }),
      iss: `${deps.base()}${oauth_path}`,
    });

  /** Lets a program in. Returns the code for it. Throws what the name may not do. */
  async function allow(caller: Caller, asked: AuthorizationRequest): Promise<string> {
    const { client, redirect_uri, challenge, resource, scope } = asked;
    const identity = caller.identity!;
    const code = newSecret(secret_prefixes.authorization_code, random);
    await commands.run(caller, "oauth.allow", identity.name, {
      identity,
      code: {
        code_sha256: sha256Hex(code),
        client: client.id,
        client_name: client.name,
        client_host: hostOf(client, redirect_uri),
        ...{ redirect_uri, challenge, resource, scope },
      },
      ...clock.moment(),
    });
    return code;
  }

  access
    .get(
      consent_path,
      ({ request, caller, base }) => {
        const query = queryOf(request).slice(1);
        const reader = { request, caller, base };
        return answered(reader, query, (asked) => page(reader, query, asked));
      },
      { needs: "public", ...undocumented },
    )
    .post(
      consent_path,
      async ({ request, caller, base }) => {
        refuseAccessToken(
          caller,
          "Only a person who is signed in lets a program in: an access token does not.",
        );
        const { query = "", ticket = "", answer } = await readForm(request, origins);
        const reader = { request, caller, base };
        return answered(reader, query, async (asked) => {
          // Somebody else is signed in now, or nobody: the page says who.
          const is_shown = caller.identity !== null && sameDigest(ticket, ticketFor(caller, query));
          if (!is_shown) return page(reader, query, asked);
          if (answer === "allow") return seeOther(answerTo(asked, { code: await allow(caller, asked) }));
          const denied = { error: "access_denied", error_description: "The name has not allowed it." };
          return seeOther(answerTo(asked, denied));
        });
      },
      { needs: "public", parse: "none", ...undocumented },
    );
}
