/** The operations of webhooks, called by routes and pages. */

import { webhook_limits } from "../api/limits.ts";
import type {
  CallFailed,
  SetWebhook,
  Webhook,
  WebhookRefused,
  WebhookSet,
  WebhookTested,
} from "../api/webhooks.ts";
import type { Caller, Identity } from "../core/caller.ts";
import { refuseAccessToken } from "../core/caller_errors.ts";
import { isoTime, shownTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { testCall, verificationCall } from "./body.ts";
import { saltsOf, type MailboxOf } from "./commands.ts";
import { webhook_errors } from "./errors.ts";
import type { WebhookCommands } from "./feature.ts";
import { webhook_internal_limits } from "./limits.ts";
import { isAuthorization, type Outgoing, type Receivers } from "./receiver.ts";
import { shownSettings, shownWebhook } from "./representations.ts";
import type { WebhookSecrets } from "./secrets.ts";
import * as store from "./store.ts";
import { failureText } from "./words.ts";

export interface WebhookDeps extends OperationDeps<WebhookCommands> {
  receivers: Receivers;
  secrets: WebhookSecrets;
  mailboxOf: MailboxOf;
  /** Hosts whose receivers get no challenge. */
  unchecked_hosts: readonly string[];
  /** The base URL of the service. */
  base(): string;
  /** The caller's claimed name. Throws `credential_required`. */
  identityOf(caller: Caller): Identity;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: WebhookDeps) {
  const {
    storage,
    commands,
    clock,
    random,
    receivers,
    secrets,
    mailboxOf,
    unchecked_hosts,
    base,
    identityOf,
  } = deps;
  let checks = 0;

  /** The holder of the caller's name. Throws `credential_required`, also for an access token. */
  function holderOf(caller: Caller): Identity {
    const identity = identityOf(caller);
    refuseAccessToken(
      caller,
      "This takes the key itself, or a session: an access token has no say over webhooks.",
    );
    return identity;
  }

  /** Calls a receiver on behalf of a caller who waits for it. Throws `webhooks_busy`. */
  async function check<Result>(run: () => Promise<Result>): Promise<Result> {
    if (checks >= webhook_internal_limits.checks_at_once_max)
      throw new ServiceError(webhook_errors.webhooks_busy, "Too many webhooks are being checked now.", {
        retry_after_seconds: webhook_limits.call_seconds_max,
      });
    checks++;
    try {
      return await run();
    } finally {
      checks--;
    }
  }

  const newCallId = (): string => `msg_${random.uuid(clock.now())}`;

  /** Throws `webhook_refused` unless the receiver may be called, and repeats a challenge if it must. */
  async function challenge(outgoing: Omit<Outgoing, "id" | "body">): Promise<void> {
    const text = random.bytes(32).toHex();
    const call = { ...outgoing, id: newCallId(), body: verificationCall(text) };
    const failed = await check(() =>
      isUnchecked(call.url) ? receivers.check(call.url) : receivers.challenge(call, text),
    );
    if (failed) throw refused(failed);
  }

  /** Whether the operator exempts the host of a URL from challenges. */
  const isUnchecked = (url: string): boolean => unchecked_hosts.includes(URL.parse(url)?.hostname ?? "");

  return {
    /**
     * Sets the webhook of the caller's name, after its receiver has answered a challenge. Throws `webhook_refused`, `webhooks_busy`,
     * `invalid_fields` and `credential_required`.
     */
    async set(caller: Caller, { url, kinds, authorization }: SetWebhook): Promise<WebhookSet> {
      const identity = holderOf(caller);
      if (authorization !== undefined && !isAuthorization(authorization))
        throw invalidFields([
          {
            path: "/authorization",
            message: "must be visible ASCII characters, with spaces between them at most",
          },
        ]);
      const id = random.uuid(clock.now());
      const row = {
        ...{ id, url, salt: secrets.newSalt() },
        kinds: kinds ? JSON.stringify([...new Set(kinds)]) : null,
        authorization_sealed: authorization === undefined ? null : secrets.seal(id, authorization),
      };
      const checked = async () => {
        const before = await storage.read((tx) => store.findWebhook(tx, identity.canonical));
        // The answer with the secret before may be lost: the receiver may know only the one before that.
        const earlier = before?.url === url ? saltsOf(before, clock.moment()) : [];
        await challenge({ ...row, webhook: id, salts: [row.salt, ...earlier] });
        return { identity, ...row, ...clock.moment() };
      };
      const { result } = await commands.run(caller, "webhooks.set", identity.name, checked);
      const { created, previous_until } = result;
      return {
        ...shownSettings({ ...row, created }),
        secret: secrets.shown(row.salt),
        ...(previous_until !== null && {
          previous_secret_until: shownTime(previous_until, clock.moment().ahead_ms),
        }),
      };
    },

    /** The webhook of the caller's name. Throws `webhook_not_found` and `credential_required`. */
    async read(caller: Caller): Promise<Webhook> {
      const owner = holderOf(caller).canonical;
      const { row, call, read_through } = await storage.read(async (tx) => ({
        row: await store.findWebhook(tx, owner),
        call: await store.findCall(tx, owner),
        read_through: (await mailboxOf(tx, owner)).read_through,
      }));
      if (!row) throw notFound();
      return shownWebhook(row, call, read_through, clock.moment());
    },

    /** Deletes the webhook. A call that is under way ends. Throws `webhook_not_found` and `credential_required`. */
    async remove(caller: Caller): Promise<{ deleted: true }> {
      const identity = holderOf(caller);
      const input = { identity, now_ms: clock.now() };
      const { result } = await commands.run(caller, "webhooks.remove", identity.name, input);
      if (!result) throw notFound();
      return { deleted: true };
    },

    /**
     * Calls the receiver for a test. If it accepts, a webhook that sleeps is awake. Throws `webhook_not_found`, `webhooks_busy` and
     * `credential_required`.
     */
    async test(caller: Caller): Promise<WebhookTested> {
      const identity = holderOf(caller);
      const row = await storage.read((tx) => store.findWebhook(tx, identity.canonical));
      if (!row) throw notFound();
      let tested: WebhookTested | undefined;
      await commands.run(caller, "webhooks.test", identity.name, async () => {
        const body = testCall({ base: base(), name: identity.name, at: isoTime(clock.now()) });
        const outgoing = {
          ...row,
          webhook: row.id,
          id: newCallId(),
          body,
          salts: saltsOf(row, clock.moment()),
        };
        const { is_accepted, is_slow, ...result } = await check(() => receivers.call(outgoing));
        const { status, because } = result as Partial<CallFailed>;
        tested = {
          delivered: is_accepted,
          ...(status !== undefined && { status }),
          ...(because && { because }),
        };
        const note_id = random.uuid(clock.now());
        return { identity, webhook: row.id, is_accepted, is_slow, status, note_id, ...clock.moment() };
      });
      return tested!;
    },
  };
}

function refused(failed: CallFailed): ServiceError {
  const { because, status } = failed;
  const has_answered = because === "status" || because === "no_challenge";
  return new ServiceError(webhook_errors.webhook_refused, failureText(failed), {
    members: {
      because,
      ...(status !== undefined && { receiver_status: status }),
    } satisfies WebhookRefused,
    ...(has_answered && { situation: "challenge_not_repeated" }),
  });
}

const notFound = (): ServiceError =>
  new ServiceError(webhook_errors.webhook_not_found, "The name has no webhook.");
