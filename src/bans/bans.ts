/** The operations of bans. All bans are in memory, and are read again when they change. */

import { actionBy, requireScope, type Admin } from "../core/admin.ts";
import { isoTime, parseTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { OpenCaller, OpenCalls } from "../core/open_calls.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { bans_changed, type BanBefore } from "./commands.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ban_errors } from "./errors.ts";
import type { BanCommands } from "./feature.ts";
import { networkIn, NetworkMap, overlap, type Network } from "./networks.ts";
import * as store from "./store.ts";
import { ban_limits } from "../api/limits.ts";

interface BansDeps extends OperationDeps<BanCommands> {
  /** CIDR blocks that cannot be banned: loopback, and the proxies that the operator trusts. */
  never_banned: readonly string[];
  /** Where callers reach the operator: an e-mail address or a URL. */
  contact: string | null;
  open_calls: OpenCalls;
}

interface BanRequest {
  /** An address or a CIDR block. */
  network: string;
  /** ISO time; null or absent: without end. */
  until?: string | null | undefined;
  reason: string;
}

interface Banned extends store.BanRow {
  /** `open_calls`: the waits and streams from the network that were open here. */
  found: { ban: BanBefore | null; open_calls: number };
}

/** A ban in memory. */
interface Ban {
  until_ms: number;
  until: string | null;
}

const isText = (value: unknown): value is string => typeof value === "string";

export type Bans = Awaited<ReturnType<typeof createBans>>;

/** Reads the bans. Rejects if they cannot be read: the service must not start without them. */
export async function createBans(deps: BansDeps) {
  const { storage, clock, open_calls, contact } = deps;
  const never_banned = deps.never_banned.map((block) => networkIn(block)!);
  let bans = new NetworkMap<Ban>([]);
  let reading = Promise.resolve();

  async function read(): Promise<void> {
    const rows = await storage.read((tx) => store.allBans(tx, isoTime(clock.now())));
    bans = new NetworkMap(
      rows.map(({ network, until }) => [
        networkIn(network)!,
        { until, until_ms: until === null ? Infinity : Date.parse(until) },
      ]),
    );
  }

  const refusalOf = ({ address }: OpenCaller) => refusalFor(() => address);

  await read();
  storage.onChange("invalidate", (topic) => {
    if (topic !== bans_changed && topic !== null) return undefined;
    // One after the other, so that the latest bans win.
    const read_again = reading.catch(() => undefined).then(read);
    return (reading = open_calls.refuseLater(read_again.then(() => refusalOf)));
  });

  /** The network in `text`. Throws `invalid_fields`, and `cannot_ban` for one that cannot be banned. */
  function networkOf(text: string): Network {
    const network = networkIn(text);
    if (network) return network;
    const message = "must be an IP address, or a network such as 192.0.2.0/24 or 2001:db8::/32";
    throw invalidFields([{ path: "/network", message }]);
  }

  function refusalFor(addressOf: () => string): ServiceError | null {
    // Usually there are no bans. An address costs a system call.
    if (bans.size === 0) return null;
    const now_ms = clock.now();
    let last: Ban | null = null;
    for (const ban of bans.find(addressOf())) {
      if (ban.until_ms > now_ms && ban.until_ms > (last?.until_ms ?? 0)) last = ban;
    }
    return last && addressBanned(last.until, contact);
  }

  return {
    /** The refusal for a call from the address that `addressOf` returns; null if it is not banned. */
    refusalFor,

    /** Bans a network. Resolves when the service refuses it. Throws `cannot_ban`, `too_many_bans` or `scope_missing`. */
    async ban(admin: Admin, { network: text, reason, ...rest }: BanRequest): Promise<Banned> {
      const until = rest.until ? parseTime(rest.until) : null;
      const network = networkOf(text);
      const { 4: ipv4, 16: ipv6 } = ban_limits.moderated_prefix_bits_min;
      if (network.length < (network.bytes.length === 4 ? ipv4 : ipv6))
        requireScope(admin, "operate", `Banning a network larger than /${ipv4}, or /${ipv6} of IPv6,`);
      const spared = never_banned.find((one) => overlap(one, network));
      if (spared) {
        throw new ServiceError(
          ban_errors.cannot_ban,
          `${network.text} overlaps ${spared.text}, which is loopback or a trusted proxy.`,
        );
      }
      const now_ms = clock.now();
      if (until !== null && Date.parse(until) <= now_ms) {
        throw invalidFields([{ path: "/until", message: "must be in the future" }]);
      }
      const input = { actor: admin.actor, reason, now_ms, network: network.text, until };
      const open_calls = deps.open_calls.count(({ address }) => {
        const one = networkIn(address);
        return one !== null && overlap(one, network);
      });
      const { row, before } = (await storage.write("bans.ban", input)).result;
      await reading;
      return { ...row, found: { ban: before, open_calls } };
    },

    /** Lifts the ban of a network. Resolves when the service admits it again, to whether there was a ban of exactly it. */
    async lift(admin: Admin, { network: text, reason }: Omit<BanRequest, "until">) {
      const network = networkOf(text).text;
      const input = { ...actionBy(admin, reason, clock), network };
      const { result } = await storage.write("bans.lift", input);
      await reading;
      return { network, ...result };
    },

    /** A page of the bans, in the order of their text. */
    async list(limit: number, cursor?: string): Promise<{ bans: store.BanRow[]; next: string | null }> {
      const after = cursor === undefined ? "" : decodeCursor(cursor, isText);
      const rows = await storage.read((tx) => store.bansAfter(tx, after, isoTime(clock.now()), limit + 1));
      const page = rows.slice(0, limit);
      return { bans: page, next: rows.length > limit ? encodeCursor(page.at(-1)!.network) : null };
    },
  };
}

const addressBanned = (until: string | null, contact: string | null): ServiceError =>
  new ServiceError(
    caller_errors.address_banned,
    until === null
      ? "Calls from this address are refused."
      : `Calls from this address are refused until ${until}.`,
    {
      ...(contact !== null && { hint: `The operator: ${contact}` }),
      members: { until, ...(contact !== null && { contact }) },
    },
  );
