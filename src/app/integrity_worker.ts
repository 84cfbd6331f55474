/** The thread that checks the database after an unclean stop: the third entry of the program, started by open.ts. */

import { serveCheck } from "../storage/sqlite/integrity_worker.ts";

serveCheck(globalThis as unknown as Parameters<typeof serveCheck>[0]);
