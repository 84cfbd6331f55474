/** Settings: whether names can have webhooks. */

import { setting, switchedOn } from "./setting.ts";
import { hostNameOf, words } from "./setting_values.ts";

export const webhook_settings = {
  webhooks: switchedOn(
    "webhooks",
    "call addresses that claimed names choose when they have new notes; a receiver must answer a challenge first",
  ),
  /** In lower case. */
  webhook_unchecked_hosts: setting<string[]>({
    flag: "webhook-unchecked-hosts",
    value_name: "hosts",
    description: "hosts whose receivers of webhooks need not answer that challenge, with commas between",
    default: [],
    default_shown: "none",
    parse: (text) => words(text).map((host) => hostNameOf(host).toLowerCase()),
  }),
};
