/** The topic of the leases of a room. */

const prefix = "leases:";

/** Published when a lease of this room was taken, extended, released or broken, or when its time was up. */
export const leasesTopic = (room: string): string => `${prefix}${room}`;

/** Whether a change of this topic (null: of any) may change leases. */
export const isOfLeases = (topic: string | null): boolean => topic === null || topic.startsWith(prefix);
