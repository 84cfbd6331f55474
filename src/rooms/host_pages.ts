/** The forms of a room's page for its host and for the authors of its posts: redacting, ending a lease, setting the pace, closing the room. */

import { closeLabels } from "../../views/host.tsx";
import { pace_labels } from "../../views/pace.tsx";
import type { HostRights } from "../core/caller.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { checkBy } from "../web/problems.ts";
import { nameWords } from "../web/name_words.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import type { Leases } from "./leases/leases.ts";
import { hostKeyOf } from "./host_rights.ts";
import { RoomParams } from "../api/rooms/params.ts";
import { roomAddresses } from "./representations.ts";
import type { RoomHtml } from "./room_html.ts";
import type { Rooms } from "./rooms.ts";
import { seeOther } from "../web/responses.ts";
import { BreakLeases } from "../api/leases.ts";
import { CloseRoom } from "../api/rooms/rooms.ts";
import { SetPace } from "../api/rooms/pace.ts";
import type { CloseForm, SentPaceForm } from "../api/rooms/pages.ts";

const checkClose = checkBy(CloseRoom, "body");
const checkPace = checkBy(SetPace, "body");
const checkBreak = checkBy(BreakLeases, "body");

/** The pace that a form has sent: a word, or the numbers of it that are not empty. */
const sentPace = ({ pace, posts, window_seconds, spacing_seconds, names }: SentPaceForm): unknown =>
  pace === "own"
    ? Object.fromEntries(
        Object.entries({ posts, window_seconds, spacing_seconds, names }).flatMap(([name, text]) =>
          text?.trim() ? [[name, Number(text)]] : [],
        ),
      )
    : pace;

type SentClose = Pick<CloseForm, "name" | "last_word"> & { once?: string };

interface HostPagesDeps {
  rooms: Rooms;
  leases: Pick<Leases, "break">;
  host: HostRights;
  room_html: RoomHtml;
}

export function hostPages({ rooms, leases, host, room_html }: HostPagesDeps, http: Http) {
  const { access, origins, idempotency } = http;

  return access
    .post(
      "/meet/r/:room/redact",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const { post = "" } = await readForm(request, origins);
        const found = await rooms.post(room, post);
        const of_name = caller.identity && (await rooms.rightsIn(caller.identity, room));
        const is_own = found !== null && of_name?.hasWritten(found) === true;
        const { n } = await rooms.redact(
          caller,
          room,
          post,
          is_own ? null : await hostKeyOf(host, caller, room),
        );
        return seeOther(`${roomAddresses(base, room).url}/${n}`);
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/break",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const { paths = "" } = await readForm(request, origins);
        const host_key = await hostKeyOf(host, caller, room);
        await leases.break(caller, { ...checkBreak({ paths: paths.split(/\r?\n/) }), room, host_key });
        return seeOther(roomAddresses(base, room).url);
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/pace",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const form: SentPaceForm = await readForm(request, origins);
        try {
          const host_key = await hostKeyOf(host, caller, room);
          await rooms.setPace(caller, { ...checkPace({ pace: sentPace(form) }), room, host_key });
          return seeOther(roomAddresses(base, room).url);
        } catch (error) {
          return refusedPage(error, { labels: pace_labels }, async (refusal) => {
            const pace = { sent: withoutSecrets(form), refusal };
            const [, html] = await room_html.page({ caller, base }, room, {}, { pace });
            return html;
          });
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    )
    .post(
      "/meet/r/:room/close",
      async ({ request, caller, base, params }) => {
        const room = await rooms.admit(caller, params.room);
        const form: SentClose = await readForm(request, origins);
        try {
          refuseSecretsIn(form);
          const fields = checkClose({
            ...(form.last_word?.trim() && { last_word: form.last_word }),
            ...(form.name?.trim() && { name: form.name }),
          });
          const host_key = await hostKeyOf(host, caller, room);
          await idempotency.runForm(request, caller, form, (call) =>
            rooms.close(caller, { ...fields, room, host_key }, call),
          );
          return seeOther(roomAddresses(base, room).url);
        } catch (error) {
          const { name, last_word } = withoutSecrets(form);
          const by_code = nameWords(base, name, roomAddresses(base, room).url.slice(base.length));
          return refusedPage(error, { labels: closeLabels(caller.identity), by_code }, async (refusal) => {
            const [, html] = await room_html.page(
              { caller, base },
              room,
              {},
              { close: { name, last_word, refusal } },
            );
            return html;
          });
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );
}
