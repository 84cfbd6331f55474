/** Entry point of the thread that makes a backup, started by storage.ts. */

import { serveBackup } from "../storage/sqlite/backup_thread.ts";

serveBackup(globalThis as unknown as Parameters<typeof serveBackup>[0]);
