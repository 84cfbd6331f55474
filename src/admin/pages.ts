/**
 * The page for admins. It shows what the admin API answers, and each of its forms is a call of the admin API, so the page can do
 * nothing that the API cannot.
 */

import type { AnyElysia } from "elysia";
import type { Admin } from "../core/admin.ts";
import { adminPage } from "../../views/admin.tsx";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { admin_failures } from "./admin_call.ts";
import { seeOther } from "../web/responses.ts";
import { addressOf, page_actions, pageAction } from "./page_actions.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import type { AdminPage } from "../api/admin.ts";
import { program_limits } from "../api/limits.ts";

type GoalsOf = (slugs: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface Problem {
  detail: string;
  hint?: string;
  errors?: { path: string; message: string }[];
}

/** `whole` returns the app with all routes, and `goalsOf` the goals of all rooms by their slugs, also of private ones. */
export function adminPages(whole: () => AnyElysia, goalsOf: GoalsOf, { access, siteFor, origins }: Http) {
  /** Calls the admin API with the credential of `request`. */
  const call = async (request: Request, path: string, body?: object): Promise<Response> =>
    whole().fetch(
      new Request(new URL(path, request.url), {
        headers: {
          authorization: request.headers.get("authorization") ?? "",
          "content-type": "application/json",
        },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      }),
    );

  const read = async <Answer>(request: Request, path: string): Promise<Answer> =>
    (await call(request, path)).json() as Promise<Answer>;

  async function page(request: Request, { actor }: Admin, form: AdminPage["form"], status = 200) {
    const { reports, next } = await read<Pick<AdminPage, "reports"> & { next: string | null }>(
      request,
      "/api/admin/reports",
    );
    const { clients: programs } = await read<{ clients: AdminPage["programs"] }>(
      request,
      `/api/admin/clients?limit=${program_limits.clients_shown_max}`,
    );
    const { lines } = await read<AdminPage["audit"]>(request, "/api/admin/audit?limit=50");
    const of_rooms = lines.filter(({ action }) => action.startsWith("room."));
    const named = pageAction(form.action ?? "")?.of === "room" ? [form.target ?? ""] : [];
    const goals = await goalsOf([...of_rooms.map(({ target }) => target), ...named]);
    const shown = {
      actor,
      reports,
      has_more_reports: next !== null,
      programs,
      audit: { lines },
      goals,
      isPrivate: isPrivateSlug,
      form: { ...form, asks: form.fault === undefined ? questionOf(form, { reports, goals }) : undefined },
    };
    return sendPage(await adminPage(await siteFor(request), shown, page_actions), status);
  }

  return access
    .get("/admin", ({ request, admin, query }) => page(request, admin, formIn(query)), {
      needs_scope: "moderate",
      ...pageDoc({
        summary: "What admins do in a browser",
        operation_id: "readAdminPage",
        media: ["text/html"],
        failures: admin_failures,
      }),
    })
    .post(
      "/admin",
      async ({ request, admin, base }) => {
        const { action = "", target = "", reason = "", sure } = await readForm(request, origins);
        const form = { action, target, reason };
        const chosen = pageAction(action);
        const refused = (fault: string, status: number) => page(request, admin, { ...form, fault }, status);
        if (!chosen) return refused("Choose what to do.", 422);
        const sent = target.trim();
        const address = addressOf(chosen, sent);
        if (address === null) return refused(`The target cannot be a ${chosen.of}.`, 422);
        // The first press shows what it does.
        if (chosen.asks && sure !== "1") return page(request, admin, form);
        const answer = await call(request, address, { ...chosen.body?.(sent), reason });
        if (answer.ok) return seeOther(`${base}/admin?done=1`);
        return refused(faultOf((await answer.json()) as Problem), answer.status);
      },
      { needs_scope: "moderate", parse: "none", ...undocumented },
    );
}

/** The form that a report fills in: the action that cannot be undone, its target and the reason. */
const formIn = ({
  done,
  ask,
  target,
  reason = "",
}: Record<string, string | undefined>): AdminPage["form"] => ({
  done: done !== undefined,
  ...(ask !== undefined && target !== undefined && { action: ask, target, reason }),
});

/** The question before the action of the form; undefined if it can be undone. It calls the target by what people see of it. */
function questionOf(
  { action = "", target = "" }: AdminPage["form"],
  { reports, goals }: Pick<AdminPage, "reports" | "goals">,
): string | undefined {
  const chosen = pageAction(action);
  const sent = target.trim();
  const post = chosen?.of === "post" ? reports.find(({ post_id }) => post_id === sent) : undefined;
  const goal = chosen?.of === "room" ? goals.get(sent) : undefined;
  if (post) return chosen!.asks?.(`post #${post.n} of “${post.goal}”`);
  return chosen?.asks?.(`the ${chosen.of} “${goal ?? sent}”`);
}

/** The hint is left out: it names calls for programs. */
const faultOf = ({ detail, errors = [] }: Problem): string =>
  [detail, ...errors.map(({ path, message }) => `${path.slice(1)} ${message}.`)].filter(Boolean).join(" ");
