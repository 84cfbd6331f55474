/** The write commands of names: claim a name, replace or revoke its key. Their inputs contain only hashes of secrets. */

import { refusedTopic } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { name_errors } from "./errors.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Policy } from "../core/policy.ts";
import type { PutNote } from "../mailbox/commands.ts";
import type { Tx } from "../core/storage.ts";
import { finderOf } from "../storage/lists.ts";
import { canonicalName } from "./canonical.ts";
import { canImitate, isSpokenFor, looksAscii, lookKey } from "./imitation.ts";
import type { FindSpeakers, Identity } from "../core/caller.ts";
import { takeUse, usableInvite } from "./invites/commands.ts";
import type { InviteRow } from "./invites/store.ts";
import { refuseSuspended } from "./standing.ts";
import { nameFromRow, type NameRecord } from "./representations.ts";
import { fits, unknownCredential } from "./authentication.ts";
import * as store from "./store.ts";

export interface ClaimInput {
  /** In normalisation form C. */
  name: string;
  /** Its look key. It is here so that claims of names that look alike run one after the other. */
  look: string;
  key_sha256: string;
  recovery_sha256: string;
  /** Who may claim. */
  claims: Policy["claims"];
  /** SHA-256 of the code of an invitation, if the caller sent one. It counts under `invite` only. */
  invite_sha256?: string | undefined;
  now_ms: number;
}

interface RotateInput {
  note_id: string;
  identity: Identity;
  key_sha256: string;
  now_ms: number;
}

interface RecoverInput {
  note_id: string;
  name: string;
  /** SHA-256 of the recovery code that the caller sent. */
  code_sha256: string;
  key_sha256: string;
  recovery_sha256: string;
  now_ms: number;
}

export interface RevokeInput {
  note_id: string;
  key_sha256: string;
  now_ms: number;
}

/** What commands need of other features that replace a key. */
interface KeyRules {
  putNote: PutNote;
  /** Ends the sessions of a name, and its grants to programs. `canonical`: its canonical form. */
  endSessions(tx: Tx, canonical: string): Promise<unknown>;
}

/**
 * Claims a name. First come, first served. Throws `name_taken`, `name_reserved`, `name_suspended`, `claims_closed`,
 * `invite_required` and `invite_refused`. A refused claim takes no use of its invitation.
 */
export async function claimName(tx: Tx, input: ClaimInput): Promise<NameRecord> {
  const invite = await inviteOf(tx, input);
  const canonical = canonicalName(input.name);
  const standing = await store.readStanding(tx, canonical);
  refuseSuspended(standing, input.now_ms);
  if (standing.reserved === 1 && standing.canonical === null) {
    throw nameReserved("The operator has reserved that name.", "Claim another.");
  }
  await refuseLookalike(tx, input, standing);
  const row = await store.insertName(tx, {
    canonical,
    name: input.name,
    look: input.look,
    looks_ascii: looksAscii(input.name, input.look) ? 1 : 0,
    created: isoTime(input.now_ms),
    key_sha256: input.key_sha256,
    recovery_sha256: input.recovery_sha256,
  });
  if (!row) throw nameTaken("That name, or one that reads like it, has been claimed.");
  if (invite) await takeUse(tx, invite);
  return nameFromRow(row);
}

/**
 * Throws if a name with the same look key is claimed or under a rule, and it or this name is not in ASCII. `standing`: of the name
 * that is claimed.
 */
async function refuseLookalike(
  tx: Tx,
  { name, look, now_ms }: ClaimInput,
  standing: store.StandingRow,
): Promise<void> {
  const looks_like = "That name looks like one that";
  const [lookalike] = canImitate(name) ? await store.findLookalikes(tx, [[look, canonicalName(name)]]) : [];
  if (lookalike?.claimed === 1 || standing.twin !== null) throw nameTaken(`${looks_like} has been claimed.`);
  const rules = await store.findRulesOfLook(tx, look);
  const is_ruled = ({ name: ruled, until }: store.RuleRow) =>
    (canImitate(name) || canImitate(ruled)) && (until ?? "~") > isoTime(now_ms);
  if (rules.some(is_ruled))
    throw nameReserved(`${looks_like} the operator has reserved or suspended.`, "Claim another.");
}

/** The invitation of a claim; null if claims need none. Throws if the name may not be claimed. */
async function inviteOf(tx: Tx, { claims, invite_sha256, now_ms }: ClaimInput): Promise<InviteRow | null> {
  if (claims === "open") return null;
  if (claims === "closed") throw new ServiceError(name_errors.claims_closed, "Claims are closed here.");
  if (invite_sha256 !== undefined) return usableInvite(tx, invite_sha256, now_ms);
  throw new ServiceError(name_errors.invite_required, "Claiming a name here takes an invitation.");
}

/** Replaces the key of a name. The old key is invalid at once. */
export async function rotateKey(tx: Tx, rules: KeyRules, input: RotateInput): Promise<NameRecord> {
  const { canonical, key_sha256 } = input.identity;
  const row = await store.replaceKey(tx, canonical, key_sha256, input.key_sha256, isoTime(input.now_ms));
  if (!row) throw unknownCredential();
  await keyChanged(tx, rules, row, input.note_id, "rotated");
  await store.countCommand(tx, canonical, isoTime(input.now_ms));
  return nameFromRow((await store.findName(tx, canonical))!);
}

/** Replaces the key and the recovery code of a name, if the given code is right. */
export async function recoverName(tx: Tx, rules: KeyRules, input: RecoverInput): Promise<NameRecord> {
  const canonical = canonicalName(input.name);
  const found = await store.findNameSteadily(tx, canonical);
  const is_right = fits(found?.recovery_sha256, input.code_sha256);
  if (!found || !is_right) {
    throw new ServiceError(
      name_errors.wrong_recovery_code,
      "That is not the recovery code of a claimed name.",
    );
  }
  const at = isoTime(input.now_ms);
  const next = { key_sha256: input.key_sha256, recovery_sha256: input.recovery_sha256, at };
  const row = await store.replaceRecovery(tx, canonical, found.recovery_sha256, next);
  if (!row) throw unknownCredential();
  await keyChanged(tx, rules, row, input.note_id, "recovered");
  await store.countCommand(tx, canonical, at);
  return nameFromRow((await store.findName(tx, canonical))!);
}

/** Revokes a key. The name then needs its recovery code. */
export async function revokeKey(tx: Tx, rules: KeyRules, input: RevokeInput): Promise<NameRecord> {
  const found = await store.findNameByKey(tx, input.key_sha256);
  if (!found) throw unknownCredential();
  const row = await store.replaceKey(tx, found.canonical, input.key_sha256, null, isoTime(input.now_ms));
  if (!row) throw unknownCredential();
  await keyChanged(tx, rules, row, input.note_id, "revoked");
  return nameFromRow(row);
}

async function keyChanged(
  tx: Tx,
  { putNote, endSessions }: KeyRules,
  row: store.NameRow,
  id: string,
  how: string,
): Promise<void> {
  await endSessions(tx, row.canonical);
  tx.announce(refusedTopic(row.canonical));
  await putNote(tx, row.canonical, { id, kind: "name.key_changed", at: row.key_changed, content: { how } });
}

type KeyHolder = Pick<Identity, "canonical" | "key_sha256">;

/**
 * Checks the key of an identity in the transaction of a command: it may have been rotated or revoked, and the name suspended,
 * since the caller was authenticated. Returns when the name was claimed. Throws `unknown_credential` or `name_suspended`.
 */
export async function checkKey(tx: Tx, identity: KeyHolder, now_ms: number): Promise<{ claimed_at: string }> {
  const row = await store.readStanding(tx, identity.canonical);
  refuseOtherKey(row, identity, now_ms);
  return { claimed_at: row.created! };
}

function refuseOtherKey(row: store.StandingRow, identity: KeyHolder, now_ms: number): void {
  if (!fits(row.key_sha256, identity.key_sha256)) throw unknownCredential();
  refuseSuspended(row, now_ms);
}

/** Counts activities of the identity. Call it after the commands have changed something. */
export async function countCommand(tx: Tx, identity: Identity, at: string, times?: number): Promise<void> {
  await store.countCommand(tx, identity.canonical, at, times);
}

/**
 * Reads what decides whether callers may speak as they want. A claimed name needs its key, and a key allows only its own name, in a
 * spelling that does not look like another.
 * The returned function throws `name_is_claimed` (also for a name that looks like a claimed one), `name_mismatch`,
 * `name_reserved` or `name_suspended`.
 */
export const findSpeakers: FindSpeakers = async (tx, speakers) => {
  const canonicals = speakers.map(({ name }) => canonicalName(name));
  const looks = speakers.map(({ name }) => (canImitate(name) ? lookKey(name) : undefined));
  const imitators = looks.flatMap((look, i): [look: string, canonical: string][] =>
    look === undefined ? [] : [[look, canonicals[i]!]],
  );
  const reading = store.readStandings(tx, canonicals);
  const [standings, lookalikes] =
    imitators.length === 0
      ? [await reading, []]
      : await Promise.all([reading, store.findLookalikes(tx, imitators)]);
  const standingOf = finderOf(standings, ({ wanted }) => wanted);

  /** Throws if the name of this speaker is not in ASCII and looks like another that is claimed or under a rule. */
  function refuseImitation(index: number): void {
    const [look, canonical, { now_ms }] = [looks[index], canonicals[index], speakers[index]!];
    if (look === undefined) return;
    const { claimed, ruled_until } = lookalikes.find(
      (found) => found.look === look && found.canonical === canonical,
    )!;
    if (claimed === 1) throw nameIsClaimed();
    if ((ruled_until ?? "") > isoTime(now_ms)) throw nameReserved();
  }

  return (index) => {
    const { identity, name, now_ms } = speakers[index]!;
    const canonical = canonicals[index]!;
    const standing = standingOf(canonical)!;
    if (identity) {
      if (identity.canonical !== canonical) throw nameMismatch();
      refuseOtherKey(standing, identity, now_ms);
      // The spelling that was claimed looks like no other name; capitals may.
      if (looks[index] !== undefined && isSpokenFor(name, canonical)) throw nameReserved();
      refuseImitation(index);
      return { claimed: true };
    }
    if (isSpokenFor(name, canonical)) throw nameReserved();
    refuseSuspended(standing, now_ms);
    if (standing.canonical !== null || standing.twin !== null) throw nameIsClaimed();
    if (standing.reserved === 1) throw nameReserved();
    refuseImitation(index);
    return { claimed: false };
  };
};

/** When the names with these canonical forms were claimed; those that are not claimed are missing. */
export const claimedSince = async (tx: Tx, canonicals: readonly string[]): Promise<Map<string, string>> =>
  new Map((await store.findClaims(tx, canonicals)).map(({ canonical, created }) => [canonical, created]));

const nameTaken = (detail: string): ServiceError => new ServiceError(name_errors.name_taken, detail);

const nameIsClaimed = (): ServiceError =>
  new ServiceError(
    caller_errors.name_is_claimed,
    "That name, or one that reads like it, is claimed: it takes its key to use it.",
  );

const nameReserved = (
  detail = "Nobody speaks under that name here.",
  hint = "Speak under another name.",
): ServiceError => new ServiceError(caller_errors.name_reserved, detail, { hint });

const nameMismatch = (): ServiceError =>
  new ServiceError(caller_errors.name_mismatch, "The key belongs to another name than the one in the body.");
