/** What is in the way of a lease. */

import { shownTime, steadyTime, type Moment } from "../../core/clock.ts";
import type { Identity } from "../../core/caller.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Tx } from "../../core/storage.ts";
import { lease_errors } from "./errors.ts";
import { lease_internal_limits } from "./limits.ts";
import { findPlace } from "./line_store.ts";
import { leasesOn, placesFor, type Obstacle } from "./obstacles_store.ts";
import { pathsDigest } from "./paths.ts";

interface Wanted extends Moment {
  paths: string[];
  identity: Pick<Identity, "canonical">;
}

/**
 * Some of the leases on these paths, and of the places of others in line for them that come before that of the caller. `has_place`:
 * whether the caller has one. The room is given by its seq.
 */
export async function obstaclesFor(
  tx: Tx,
  room: number,
  { paths, identity: { canonical: own }, ...at }: Wanted,
): Promise<{ obstacles: Obstacle[]; has_place: boolean }> {
  const now = steadyTime(at);
  const place = await findPlace(tx, room, own, pathsDigest(paths), now);
  const before = place?.place ?? Number.MAX_SAFE_INTEGER;
  const wanted = { room, paths, now, limit: lease_internal_limits.obstacles_read_max, own };
  const obstacles = [...(await leasesOn(tx, wanted)), ...(await placesFor(tx, { ...wanted, before }))];
  return { obstacles, has_place: place !== undefined };
}

/** The refusal of a lease. It names the lease of somebody else that ends last, else the own one, else who is in line. */
export function heldError(
  obstacles: readonly Obstacle[],
  { identity, ahead_ms }: Pick<Moment, "ahead_ms"> & { identity: Pick<Identity, "canonical"> },
): ServiceError {
  const { path, fence, holder, holder_name, purpose, expires } = obstacles[0]!;
  const until = shownTime(expires, ahead_ms);
  const is_own = fence !== null && holder === identity.canonical;
  const detail = is_own
    ? `You hold it yourself until ${until}.`
    : fence === null
      ? "Somebody else is in line for it before you."
      : `Somebody holds it until ${until}.`;
  return new ServiceError(lease_errors.lease_held, detail, {
    members: {
      path,
      holder: holder_name,
      ...(purpose !== null && { purpose }),
      until,
      ...(fence === null && { in_line: true }),
      ...(is_own && { yours: true, fence }),
    },
    ...(is_own && { situation: "own" }),
  });
}

/** The same refusal of a call that has waited. `place_until`: the time, as it is shown, when its place in line ends. */
export const withPlace = ({ definition, detail, extra }: ServiceError, place_until: string): ServiceError =>
  new ServiceError(definition, detail, { ...extra, members: { ...extra.members, place_until } });
