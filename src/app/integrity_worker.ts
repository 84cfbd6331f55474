/** Entry point of the integrity check thread, started by storage.ts after an unclean stop. */

import { serveCheck } from "../storage/sqlite/integrity_worker.ts";

serveCheck(globalThis as unknown as Parameters<typeof serveCheck>[0]);
