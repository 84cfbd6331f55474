/** The callers at the addresses of MCP, whose tools also take a credential as an argument. */

import { account_path, challengeOf } from "../api/account.ts";
import type { Caller, Credential } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import { opensMcpPage } from "./mcp_pages.ts";
import type { Members } from "./members.ts";

interface ArgumentCallersDeps {
  authenticate(request: Request, credential?: Credential): Ready<Caller>;
  base(request: Request): string;
  members: Members | null;
  /** Whether clients can sign in by OAuth. */
  oauth: boolean;
}

/** A type and no interface, because Elysia takes only what has an index signature. */
export type ArgumentCallers = {
  /**
   * The caller by the headers, who is looked up once, or by the credential in an argument. Throws `unknown_credential`, and
   * `credential_required` for a visitor.
   */
  callerOf(argument?: Credential): Ready<Caller>;
  /** Whether the caller by the headers may read. False for a visitor of a service for members. Throws `unknown_credential`. */
  mayRead(): Ready<boolean>;
  base: string;
};

export function createArgumentCallers({ authenticate, base, members, oauth }: ArgumentCallersDeps) {
  function anybody(request: Request): ArgumentCallers {
    let by_headers: Ready<Caller> | undefined;
    const callerOf = (argument?: Credential): Ready<Caller> =>
      argument ? authenticate(request, argument) : (by_headers ??= authenticate(request));
    return { callerOf, mayRead: () => whenReady(callerOf(), () => true), base: base(request) };
  }

  async function member(request: Request, { admit }: Members): Promise<ArgumentCallers> {
    const found = anybody(request);
    admit(request, await found.callerOf());
    return found;
  }

  /**
   * Lets in anybody: a client that gets 401 would look for a sign-in that this address does not have. Who is no member is a visitor,
   * for whom `callerOf` throws.
   */
  function visitor(request: Request, { admit }: Members): ArgumentCallers {
    const found = anybody(request);
    const hint = `Connect to ${found.base}${account_path}, where a client signs in by OAuth, or send the headers x-wf-name and x-wf-key.`;
    async function callerOf(argument?: Credential): Promise<Caller> {
      const caller = await found.callerOf();
      admit(request, caller, hint);
      return argument ? found.callerOf(argument) : caller;
    }
    async function mayRead(): Promise<boolean> {
      const caller = await found.callerOf();
      if (caller.identity === null) return false;
      admit(request, caller);
      return true;
    }
    return { callerOf, mayRead, base: found.base };
  }

  function readerOf(request: Request): Ready<ArgumentCallers> {
    if (!members) return anybody(request);
    return oauth && !opensMcpPage(request) ? visitor(request, members) : member(request, members);
  }

  /** Lets in the holders of claimed names, and readers to the page. A client without a token is led to the sign-in. */
  async function holderOf(request: Request): Promise<ArgumentCallers> {
    const found = anybody(request);
    try {
      const caller = await found.callerOf();
      if (caller.identity === null) {
        if (opensMcpPage(request)) return await readerOf(request);
        throw signInNeeded(found.base);
      }
      members?.admit(request, caller);
    } catch (error) {
      throw challenged(error, found.base);
    }
    return found;
  }

  return { reader: readerOf, holder: holderOf };
}

const signInNeeded = (base: string): ServiceError =>
  new ServiceError(
    caller_errors.credential_required,
    "This address is for claimed names: it takes an access token or a key.",
    {
      hint: `Sign in by OAuth as the header WWW-Authenticate says, or send the key of your name. Without a name, connect to ${base}/mcp.`,
    },
  );

/** The error with the challenge that leads a client to the sign-in. */
function challenged(error: unknown, base: string): unknown {
  if (!(error instanceof ServiceError) || error.definition.kind !== "unauthenticated") return error;
  // RFC 6750, section 3.1: no error code for a request without a token.
  const has_none = error.code === caller_errors.credential_required.code;
  const challenge = challengeOf(base, has_none ? undefined : "invalid_token");
  return new ServiceError(error.definition, error.detail, { ...error.extra, challenge });
}
