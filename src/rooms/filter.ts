/** Which public rooms a list has: the parameters of callers, and what queries and the cache of lists get of them. */

export interface RoomFilter {
  closed: boolean;
}

export const filterOf = ({ closed }: { closed?: "true" | "false" }): RoomFilter => ({
  closed: closed === "true",
});
