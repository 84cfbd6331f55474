/** The forms of a private room's page about its members: adding, changing and removing them, and leaving. */

import { member_labels } from "../../../views/members.tsx";
import { RoomParams } from "../../api/rooms/params.ts";
import { PutMember } from "../../api/rooms/members.ts";
import type { MemberForm, ShownMembers } from "../../api/rooms/pages.ts";
import type { Caller } from "../../core/caller.ts";
import { invalidFields, isFailure } from "../../core/errors.ts";
import { refuseSecretsIn } from "../../core/secrets.ts";
import { readForm } from "../../web/body.ts";
import type { Http } from "../../web/context.ts";
import { undocumented } from "../../web/openapi/describe.ts";
import { checkBy } from "../../web/problems.ts";
import { refusedPage, withoutSecrets, type FormWords } from "../../web/refused_form.ts";
import type { RequestContext } from "../../web/request_context.ts";
import { seeOther } from "../../web/responses.ts";
import { room_errors } from "../errors.ts";
import { roomAddresses } from "../representations.ts";
import type { RoomHtml } from "../room_html.ts";
import type { Rooms } from "../rooms.ts";
import type { ReadableSlug } from "../slug.ts";
import type { RoomMembers } from "./members.ts";

const checkPut = checkBy(PutMember, "body");

type SentMember = Pick<MemberForm, "name" | "role"> & {
  /** Whether it comes from the form to change a member. */
  change?: string;
};

interface MemberPagesDeps {
  rooms: Rooms;
  members: Pick<RoomMembers, "put" | "remove">;
  room_html: RoomHtml;
}

export function memberPages({ rooms, members, room_html }: MemberPagesDeps, http: Http) {
  const { access, origins } = http;

  /** The page of the room with the form that was refused. Throws `error` if the reader has no such form. */
  async function refused(
    error: unknown,
    reader: Pick<RequestContext, "caller" | "base">,
    room: ReadableSlug,
    name: string,
    formOf: (refusal: NonNullable<MemberForm["refusal"]>) => Partial<ShownMembers>,
  ): Promise<Response> {
    for (const of_others of [room_errors.not_private, room_errors.host_key_required])
      if (isFailure(error, of_others)) throw error;
    return refusedPage(error, memberWords(name), async (refusal) => {
      const [, html] = await room_html.page(reader, room, {}, { members: formOf(refusal) });
      return html;
    });
  }

  return access
    .post(
      "/meet/r/:room/members",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const form: SentMember = await readForm(request, origins);
        const name = form.name?.trim() ?? "";
        try {
          refuseSecretsIn(form);
          if (name === "") throw invalidFields([{ path: "/name", message: "must not be empty" }]);
          const fields = checkPut({ name, role: form.role });
          await members.put(caller, { ...fields, room, host_key: null });
          return seeOther(`${roomAddresses(base, room).url}#members`);
        } catch (error) {
          const sent = withoutSecrets({ name: form.name ?? "", role: form.role ?? "" });
          return refused(error, { caller, base }, room, sent.name, (refusal) =>
            form.change ? { change: { ...sent, refusal } } : { invite: { ...sent, refusal } },
          );
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/members/remove",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const { name = "" } = await readForm(request, origins);
        try {
          await members.remove(caller, { room, name, host_key: null });
          return seeOther(await placeAfter(caller, base, room));
        } catch (error) {
          // It was removed before.
          if (isFailure(error, room_errors.member_not_found)) return seeOther(roomAddresses(base, room).url);
          const sent = withoutSecrets({ name });
          return refused(error, { caller, base }, room, sent.name, (refusal) => ({
            change: { ...sent, refusal },
          }));
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/leave",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        await readForm(request, origins);
        const name = caller.identity?.name ?? "";
        try {
          await members.remove(caller, { room, name, host_key: null });
          return seeOther(await placeAfter(caller, base, room));
        } catch (error) {
          return refused(error, { caller, base }, room, "You", (leave) => ({ leave }));
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );

  /** Where somebody goes who has removed a member: to the room, or if it was its own name, to its own page. */
  async function placeAfter(caller: Caller, base: string, room: ReadableSlug): Promise<string> {
    const is_member = (await rooms.roleFor(caller, room)) !== null;
    return is_member ? `${roomAddresses(base, room).url}#members` : `${base}/me#private-rooms`;
  }
}

const memberWords = (name: string): FormWords => ({
  labels: member_labels,
  by_code: {
    [room_errors.member_not_claimed.code]: {
      field: "name",
      say: `Nobody has claimed ${name}. Check its spelling: only a claimed name can be a member.`,
    },
    [room_errors.last_host.code]: {
      say:
        name === "You"
          ? "You are the only host. Make another member a host first."
          : `${name} is the only host. Make another member a host first.`,
    },
  },
});
