/** The topics of the leases of a room. */

const leases = "leases:";
const places = "lease places:";

/** Published when a lease of this room was taken, extended, released or broken, or when its time was up; also when a place in line has ended. */
export const leasesTopic = (room: string): string => `${leases}${room}`;

/** Published when a place in line was given, or ends at another time: those who wait behind it need not look, but it ends sometime. */
export const placesTopic = (room: string): string => `${places}${room}`;

/** Whether a change of this topic (null: of any) may change when the next lease or place in line ends. */
export const mayChangeEnds = (topic: string | null): boolean =>
  topic === null || topic.startsWith(leases) || topic.startsWith(places);
