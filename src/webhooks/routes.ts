/** The routes of webhooks: /api/mailbox/webhook and below. */

import { SetWebhook } from "../api/webhooks.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { sendJson } from "../web/responses.ts";
import { docs } from "./openapi.ts";
import type { Webhooks } from "./webhooks.ts";

export const webhooksHttp = (webhooks: Webhooks, { access, idle }: Http) =>
  access
    .put(
      "/api/mailbox/webhook",
      async ({ caller, body, request }) => {
        // The receiver may take longer than a connection may be idle.
        idle.lift(request);
        return sendJson(await webhooks.set(caller, body), 200, caller);
      },
      { needs: "named", ...bodyOf(SetWebhook), ...docs.set },
    )
    .get("/api/mailbox/webhook", async ({ caller }) => sendJson(await webhooks.read(caller), 200, caller), {
      needs: "named",
      ...docs.read,
    })
    .delete(
      "/api/mailbox/webhook",
      async ({ caller }) => sendJson(await webhooks.remove(caller), 200, caller),
      { needs: "named", parse: "none", ...docs.remove },
    )
    .post(
      "/api/mailbox/webhook/test",
      async ({ caller, request }) => {
        idle.lift(request);
        return sendJson(await webhooks.test(caller), 200, caller);
      },
      { needs: "named", parse: "none", ...docs.test },
    );
