/** What can be done with names: the operations that every door calls. */

import type { Clock } from "../clock.ts";
import type { Commands, InternalStorage } from "../commands.ts";
import { invalidFields, ServiceError } from "../errors.ts";
import type { Random } from "../random.ts";
import { newSecret, refuseSecrets, secret_prefixes, sha256Hex } from "../secret.ts";
import type { Once } from "../storage/port.ts";
import { anonymous, authenticate, type Caller, type Credential, type Identity } from "./authentication.ts";
import { canonicalName, isReserved } from "./canonical.ts";
import { nameFromRow, type NameRecord } from "./record.ts";
import { findName } from "./store.ts";

export interface NamesDeps {
  storage: InternalStorage;
  commands: Commands;
  clock: Clock;
  random: Random;
}

/** A name with the secrets that are given once: null when an earlier call with the same key was given them. */
export interface WithKey {
  record: NameRecord;
  key: string | null;
}
export interface WithCode extends WithKey {
  recovery_code: string | null;
}

export type Names = ReturnType<typeof createNames>;

export function createNames({ storage, commands, clock, random }: NamesDeps) {
  const freshKey = () => secret(secret_prefixes.name_key);
  const freshCode = () => secret(secret_prefixes.recovery_code);

  return {
    /** The caller at `address`, by what it sent to be known by, if anything. Throws `unknown_credential`. */
    async authenticate(address: () => string, credential: Credential): Promise<Caller> {
      if (credential.name === null && credential.key === null) return anonymous(address);
      return storage.read((tx) => authenticate(tx, address, credential));
    },

    /** Claims a name. Throws `name_taken`. */
    async claim(caller: Caller, name: string, once?: Once): Promise<WithCode> {
      if (isReserved(name))
        throw invalidFields([{ path: "/name", message: "is reserved: no caller can have it" }]);
      refuseSecrets({ "/name": name });
      const [key, code] = [freshKey(), freshCode()];
      const { result, repeated } = await commands.run(
        caller,
        "names.claim",
        name,
        { name, key_sha256: key.sha256, recovery_sha256: code.sha256, now_ms: clock.now() },
        once,
      );
      return { record: result, key: repeated ? null : key.text, recovery_code: repeated ? null : code.text };
    },

    /** What is known of a claimed name. Throws `name_not_claimed`. */
    async lookup(name: string): Promise<NameRecord> {
      const row = await storage.read((tx) => findName(tx, canonicalName(name)));
      if (row) return nameFromRow(row);
      throw new ServiceError("name_not_claimed", "Nobody has claimed that name.", {
        members: { claimed: false },
        hint: 'Claim it: POST /api/name with JSON {"name": "…"}',
      });
    },

    /** The caller's own name. Throws `credential_required`. */
    async whoami(caller: Caller): Promise<NameRecord> {
      const { canonical } = identityOf(caller);
      return nameFromRow((await storage.read((tx) => findName(tx, canonical)))!);
    },

    /** Gives the caller's name another key. */
    async rotate(caller: Caller, once?: Once): Promise<WithKey> {
      const identity = identityOf(caller);
      const key = freshKey();
      const input = { ...stamp(), identity, key_sha256: key.sha256 };
      const { result, repeated } = await commands.run(caller, "names.rotate", identity.name, input, once);
      return { record: result, key: repeated ? null : key.text };
    },

    /** Gives a name another key and another code for its recovery code. Throws `wrong_recovery_code`. */
    async recover(caller: Caller, name: string, recovery_code: string, once?: Once): Promise<WithCode> {
      const [key, code] = [freshKey(), freshCode()];
      const { result, repeated } = await commands.run(
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
        once,
      );
      return { record: result, key: repeated ? null : key.text, recovery_code: repeated ? null : code.text };
    },

    /** Kills a key for whoever holds it. Throws `unknown_credential` when it is nobody's. */
    async revoke(caller: Caller, key: string, once?: Once): Promise<NameRecord> {
      const input = { ...stamp(), key_sha256: sha256Hex(key) };
      return (await commands.run(caller, "names.revoke", "", input, once)).result;
    },
  };

  /** When an act takes place, and the id of the note that it causes. */
  function stamp(): { now_ms: number; note_id: string } {
    const now_ms = clock.now();
    return { now_ms, note_id: random.uuid(now_ms) };
  }

  function secret(prefix: string): { text: string; sha256: string } {
    const text = newSecret(prefix, random);
    return { text, sha256: sha256Hex(text) };
  }
}

/** The caller's claimed name. Throws `credential_required` when no key was shown. */
export function identityOf(caller: Caller): Identity {
  if (caller.identity) return caller.identity;
  throw new ServiceError("credential_required", "This takes a claimed name and its key.", {
    hint: 'Send the headers x-wf-name and x-wf-key. Claim a name first: POST /api/name with JSON {"name": "…"}',
  });
}
