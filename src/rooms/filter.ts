/** Which public rooms a list has: the parameters of callers, and what queries and the cache of lists get of them. */

import { Type } from "@sinclair/typebox";

export interface RoomFilter {
  closed: boolean;
}

export const filter_params = {
  closed: Type.Optional(
    Type.Union([Type.Literal("true"), Type.Literal("false")], { description: "true: closed rooms instead." }),
  ),
};

export const filterOf = ({ closed }: { closed?: "true" | "false" }): RoomFilter => ({
  closed: closed === "true",
});
