/** Input and output schemas of the lease tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { ReleasedLease, ReleaseLease, TakeLease, TakenLease } from "./leases.ts";
import { lease_limits } from "./limits.ts";
import { roomField } from "./rooms/tools.ts";

// A field whose name says everything has no description.
const { ttl_seconds, purpose, wait_seconds } = TakeLease.properties;
const undescribed = { description: "" };
const paths = (description: string) => Type.Optional({ ...TakeLease.properties.paths, description });

/** The inputs of the tools. At a room's own address (`own`), `room` is optional. */
export function leaseInputs(own: boolean) {
  const room = roomField(own);
  const { fence } = ReleaseLease.properties;
  return {
    TakeInput: Type.Object({
      room,
      paths: paths("Files, issue/12: each with all below. All or none."),
      extend: Type.Optional({ ...fence, description: "Or the fence of a lease, to hold it longer." }),
      ttl_seconds: Type.Optional({
        ...ttl_seconds,
        ...undescribed,
        default: lease_limits.lease_seconds_default,
      }),
      purpose: { ...purpose, ...undescribed },
      wait_seconds: { ...wait_seconds, ...undescribed },
    }),
    ReleaseInput: Type.Object({
      room,
      fence: { ...fence, ...undescribed },
      paths: paths("Only these."),
    }),
  };
}

const next = Type.Optional(Type.String());
export const TakeOutput = Type.Object({ ...TakenLease.properties, next });
const { released, paths: left } = ReleasedLease.properties;
export const ReleaseOutput = Type.Object({ released, paths: left });
