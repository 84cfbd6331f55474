/** The form of a room's page that reports a post. */

import { Type } from "@sinclair/typebox";
import { reportedPage } from "../../views/reported.tsx";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import type { Reports } from "./reports.ts";
import { ReportPost } from "../api/reports.ts";

const check = checkBy(ReportPost, "body");

export const reportPages = (reports: Reports, { access, origins, siteOf }: Http) =>
  access.post(
    "/meet/r/:room/report",
    async ({ request, caller, base, params: { room } }) => {
      const form = await readForm(request, origins);
      const { reason } = check({ reason: form.reason });
      const { n } = await reports.report(caller, room, (form.post ?? "").trim(), reason);
      return sendPage(await reportedPage(await siteOf({ caller, base }), { room, n }), 201);
    },
    { needs: "reader", params: Type.Object({ room: Type.String() }), parse: "none", ...undocumented },
  );
