/** The operations of names, called by every transport. */

import { name_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { isoTime, minuteTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import type { NameCommands } from "./feature.ts";
import { type FailureExtra, ServiceError } from "../core/errors.ts";
import { placeOfName, type Presence } from "../core/presence.ts";
import { issueSecret, newNonce } from "../core/idempotency.ts";
import type { Policy } from "../core/policy.ts";
import type { Ready } from "../core/ready.ts";
import type { IdempotentCall, Tx } from "../core/storage.ts";
import { isSecret, refuseSecrets, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import type { Caller, Credential, Identity } from "../core/caller.ts";
import { anonymous, authenticate, authenticateFormer, callerOf, callerWithGrant } from "./authentication.ts";
import { canonicalName } from "./canonical.ts";
import { isReserved, lookKey } from "./imitation.ts";
import { nameFromRow, type LastSeen, type NameRecord } from "./representations.ts";
import type { Claim } from "../api/names/names.ts";
import { reserved_rules } from "../api/names/rules.ts";
import type { Reach } from "../api/reach.ts";
import { standingOf, type Standing } from "./standing.ts";
import { findName, hasNames, readStanding } from "./store.ts";

interface NamesDeps extends OperationDeps<NameCommands> {
  presence: Pick<Presence, "at">;
  /** Who may claim. */
  claims: Policy["claims"];
  /** How the agent of a name was reached last; undefined if it was not. `canonical`: the canonical form of the name. */
  reachOf(tx: Tx, canonical: string): Promise<Reach | undefined>;
}

/** A name with its secrets. They are null in the answer to a repeated call with a weak idempotency key. */
export interface WithKey {
  record: NameRecord;
  key: string | null;
}
export interface WithCode extends WithKey {
  recovery_code: string | null;
}

export type Names = ReturnType<typeof createNames>;

export function createNames({ storage, commands, presence, clock, random, claims, reachOf }: NamesDeps) {
  const newKey = (call: IdempotentCall | undefined) => issueSecret(secret_prefixes.name_key, random, call);
  const newCode = (call: IdempotentCall | undefined) =>
    issueSecret(secret_prefixes.recovery_code, random, call);

  /** A claimed name, and whether the operator has suspended or reserved it. Throws `name_not_claimed`. */
  async function lookup(name: string): Promise<NameRecord & Standing> {
    const canonical = canonicalName(name);
    const [row, stored] = await storage.read(
      async (tx) => [await findName(tx, canonical), await readStanding(tx, canonical)] as const,
    );
    const standing = standingOf(stored, isoTime(clock.now()));
    if (row) return { ...nameFromRow(row), ...standing };
    const detail = standing.reserved
      ? "Nobody has claimed that name, and the operator has reserved it."
      : "Nobody has claimed that name. Posts under it may come from anybody.";
    throw new ServiceError(name_errors.name_not_claimed, detail, {
      members: { claimed: false, ...standing },
    });
  }

  return {
    /** The caller at `address` with the credential that it sent, if any. Throws `unknown_credential`. */
    authenticate(address: () => string, credential: Credential): Ready<Caller> {
      if (credential.name === null && credential.key === null) return anonymous(address);
      return storage.read((tx) => authenticate(tx, address, credential, clock.now()));
    },

    /** The caller at `address` with this session. */
    callerOf,

    /** The caller at `address` with the access token of this grant. */
    callerWithGrant,

    /** The caller at `address` if its key is the one that the last change of keys replaced; else null. */
    authenticateFormer: (address: () => string, credential: Credential): Promise<Caller | null> =>
      storage.read((tx) => authenticateFormer(tx, address, credential)),

    /** The `once` of a form to claim a name. */
    newForm: (): string => newNonce(random),

    /** Who may claim: `invite` takes the code of an invitation. */
    claims,

    /** Claims a name. Throws `name_taken`, `claims_closed`, `invite_required` and `invite_refused`. */
    async claim(caller: Caller, { name: sent, invite }: Claim, call?: IdempotentCall): Promise<WithCode> {
      const name = sent.normalize("NFC");
      // A secret of another kind is sent here by mistake.
      if (invite !== undefined && !isSecret(secret_prefixes.invite, invite))
        refuseSecrets({ "/invite": invite });
      if (isReserved(name)) {
        throw new ServiceError(
          caller_errors.name_reserved,
          "That name has a reserved word, or one that looks like it.",
          { hint: `Claim another. ${reserved_rules}` },
        );
      }
      const [key, code] = [newKey(call), newCode(call)];
      const written = await commands.run(
        caller,
        "names.claim",
        name,
        {
          name,
          look: lookKey(name),
          key_sha256: key.sha256,
          recovery_sha256: code.sha256,
          claims,
          invite_sha256: invite === undefined ? undefined : sha256Hex(invite),
          now_ms: clock.now(),
        },
        call,
      );
      return { record: written.result, key: key.given(written), recovery_code: code.given(written) };
    },

    lookup,

    /** The name with whether a wait or a stream of it is open now, the minute in which it was there last, and how it was reached. */
    async lookupSeen(name: string): Promise<NameRecord & Standing & LastSeen> {
      const record = await lookup(name);
      const reach = await storage.read((tx) => reachOf(tx, record.canonical));
      const { names } = presence.at(placeOfName(record.canonical));
      const seen = names.get(record.canonical);
      const seen_ms = Math.max(Date.parse(record.last_act), seen?.seen_ms ?? 0);
      return { ...record, waiting: seen?.waiting ?? false, last_seen: minuteTime(seen_ms), reach };
    },

    /** Whether any name is claimed. */
    exist: (): Promise<boolean> => storage.read(hasNames),

    /** The caller's own name. Throws `credential_required`. */
    async whoami(caller: Caller): Promise<NameRecord> {
      const { canonical } = identityOf(caller);
      return nameFromRow((await storage.read((tx) => findName(tx, canonical)))!);
    },

    /** Replaces the key of the caller's name, which must have sent it. Throws `credential_required`. */
    async rotate(caller: Caller, call?: IdempotentCall): Promise<WithKey> {
      const identity = identityOf(caller);
      // A stolen cookie must not give the name away permanently.
      if (caller.session !== null || caller.grant !== null)
        throw new ServiceError(
          caller_errors.credential_required,
          "This takes the key itself: a session or an access token cannot replace it.",
        );
      const key = newKey(call);
      const input = { ...stamp(), identity, key_sha256: key.sha256 };
      const written = await commands.run(caller, "names.rotate", identity.name, input, call);
      return { record: written.result, key: key.given(written) };
    },

    /** Replaces the key and the recovery code of a name. Throws `wrong_recovery_code`. */
    async recover(
      caller: Caller,
      name: string,
      recovery_code: string,
      call?: IdempotentCall,
    ): Promise<WithCode> {
      const [key, code] = [newKey(call), newCode(call)];
      const written = await commands.run(
        caller,
        "names.recover",
        name,
        {
          name,
          code_sha256: sha256Hex(recovery_code),
          key_sha256: key.sha256,
          recovery_sha256: code.sha256,
          ...stamp(),
        },
        call,
      );
      return { record: written.result, key: key.given(written), recovery_code: code.given(written) };
    },

    /** Revokes a key. Throws `unknown_credential` if no name has this key. */
    async revoke(caller: Caller, key: string, call?: IdempotentCall): Promise<NameRecord> {
      const input = { ...stamp(), key_sha256: sha256Hex(key) };
      return (await commands.run(caller, "names.revoke", "", input, call)).result;
    },
  };

  /** The time of a command and the id of the note that it writes. */
  function stamp(): { now_ms: number; note_id: string } {
    const now_ms = clock.now();
    return { now_ms, note_id: random.uuid(now_ms) };
  }
}

/** The caller's claimed name. Throws `credential_required` if the caller sent no key; `extra` can choose its hint. */
export function identityOf(caller: Caller, extra: Pick<FailureExtra, "situation"> = {}): Identity {
  if (caller.identity) return caller.identity;
  const detail = "This takes a claimed name and its key.";
  throw new ServiceError(caller_errors.credential_required, detail, extra);
}
