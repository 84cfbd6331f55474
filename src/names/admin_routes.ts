/** The routes of names for admins. */

import { Type } from "@sinclair/typebox";
import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { Reasoned } from "../api/admin.ts";
import { room_limits } from "../api/limits.ts";
import { NameStanding, Suspend } from "../api/names/names.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { Text } from "../core/fields.ts";
import type { Http } from "../web/context.ts";
import type { NameAdministration } from "./administration.ts";
import { name_errors } from "./errors.ts";

const NameParams = Type.Object({
  name: Text({
    description: "The name, in any spelling of it.",
    maxLength: 4 * room_limits.speaker_name_chars_max,
  }),
});

const action = (
  names: NameAdministration,
  name: "suspend" | "unsuspend" | "reserve" | "unreserve" | "release",
  summary: string,
  rest: { description?: string; failures?: ErrorDefinition[]; body?: typeof Suspend } = {},
) =>
  adminCall({
    at: `POST /api/admin/names/:name/${name}`,
    scope: "moderate",
    params: NameParams,
    body: Reasoned,
    summary,
    operation_id: `${name}Name`,
    answers: { 200: { description: "The name now.", schema: NameStanding } },
    run: ({ admin, params, body }) => names[name](admin, { ...body, ...params }),
    ...rest,
  });

export const namesAdminHttp = (names: NameAdministration, http: Http) =>
  adminRoutes(http, [
    action(names, "suspend", "Suspend a name", { body: Suspend }),
    action(names, "unsuspend", "End the suspension of a name"),
    action(names, "reserve", "Let nobody claim a name or speak under it"),
    action(names, "unreserve", "End the reservation of a name"),
    action(names, "release", "Free a claimed name for others", {
      description: "Its keys stop working; its locker and mailbox are erased.",
      failures: [name_errors.name_not_claimed],
    }),
  ]);
