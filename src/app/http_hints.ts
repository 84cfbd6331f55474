/** All hints of HTTP, and the details in which HTTP differs from the operations. */

import { beacon_http_hints } from "../beacon/http_hints.ts";
import { job_http_hints } from "../jobs/http_hints.ts";
import { locker_http_hints } from "../locker/http_hints.ts";
import { name_http_hints } from "../names/http_hints.ts";
import { room_http_hints } from "../rooms/http_hints.ts";
import { web_http_hints } from "../web/http_hints.ts";

export { room_http_details as http_details } from "../rooms/http_hints.ts";

export const http_hints = {
  ...web_http_hints,
  ...room_http_hints,
  ...name_http_hints,
  ...locker_http_hints,
  ...job_http_hints,
  ...beacon_http_hints,
};
