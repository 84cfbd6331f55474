/** The thread that makes backups: started for each, and ended after it. */

import { platform, setPriority } from "node:os";
import { ServiceError } from "../../core/errors.ts";
import { service_errors } from "../../core/general_errors.ts";
import type { BackupOptions, BackupSummary } from "../../core/storage.ts";
import { backupTo, finishBackup } from "./backup.ts";
import type { DiskLimits } from "./disk_budget.ts";
import { removePartial } from "./unfinished.ts";
import { explained } from "../../core/log.ts";

interface Job {
  source: string;
  file: string;
  compress: boolean;
  disk: DiskLimits | undefined;
}

/** Finishes the copy that was written for this backup. */
interface FinishJob {
  finish: string;
  compress: boolean;
}

type FromBackup =
  | { copied_bytes: number; total_bytes: number }
  /** The log of the database is no longer needed. */
  | { copied: true }
  | { summary: BackupSummary }
  | { error: string };

interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromBackup): void;
}

/** Receives one job, to make a backup or to finish one, and perhaps a message to cancel it, and posts its progress and its end. */
export function serveBackup(port: Port): void {
  // On Linux this is the priority of the thread alone (setpriority(2)), elsewhere the priority of the process. With the lowest priority, 19,
  // the backup of an empty service took 21 s beside eight busy programs; with 10, 2 s.
  if (platform() === "linux") setPriority(0, 10);
  const cancel = new AbortController();
  const run = (job: Job | FinishJob): Promise<BackupSummary> => {
    if ("finish" in job) return finishBackup(job.finish, job);
    const { source, file, ...options } = job;
    return backupTo(source, file, {
      ...options,
      signal: cancel.signal,
      onProgress: (copied_bytes, total_bytes) => port.postMessage({ copied_bytes, total_bytes }),
      onCopied: () => port.postMessage({ copied: true }),
    });
  };
  port.onmessage = async ({ data }: MessageEvent<Job | FinishJob | "cancel">) => {
    if (data === "cancel") return cancel.abort();
    try {
      port.postMessage({ summary: await run(data) });
    } catch (error) {
      port.postMessage({ error: explained(error) });
    }
  };
}

/** Finishes a copy that this thread has written, as `finishBackup` does, in a worker that runs `serveBackup`. `signal` ends it early. */
export async function finishInThread(
  start: () => Worker,
  file: string,
  { compress = false }: BackupOptions,
  signal: AbortSignal,
): Promise<BackupSummary> {
  signal.throwIfAborted();
  const worker = start();
  const { promise, resolve, reject } = Promise.withResolvers<BackupSummary>();
  worker.onmessage = ({ data }: MessageEvent<{ summary: BackupSummary } | { error: string }>) =>
    "summary" in data ? resolve(data.summary) : reject(new Error(data.error));
  worker.onerror = (event) => reject(new Error(event.message));
  // When it has ended, it writes no more: its files can be removed.
  const lost = new Error("The thread of the backup ended.");
  worker.addEventListener("close", () => reject(signal.aborted ? signal.reason : lost));
  const end = () => worker.terminate();
  signal.addEventListener("abort", end);
  worker.postMessage({ finish: file, compress } satisfies FinishJob);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", end);
    worker.terminate();
  }
}

interface BackupThreadOptions {
  /** The database file. */
  source: string;
  disk: DiskLimits | undefined;
  /** Starts a worker that runs `serveBackup`. */
  start: (() => Worker) | undefined;
  /** Called before the log is needed, and when it is needed no longer. */
  holdLog(is_held: boolean): void;
}

/** Makes one backup at a time. */
export class BackupThread {
  /** Ends the backup that is being made. Resolves when it no longer reads the database. */
  #cancel: (() => Promise<void>) | undefined;
  #is_closed = false;

  constructor(private readonly options: BackupThreadOptions) {}

  /** Writes a backup to `file`. Throws `backup_running`, `stopping`, or an error for the operator. */
  async run(file: string, { compress = false, onProgress }: BackupOptions = {}): Promise<BackupSummary> {
    if (this.#is_closed) throw stopping();
    if (this.#cancel) throw new ServiceError(service_errors.backup_running, "Another backup is being made.");
    const { source, disk, start, holdLog } = this.options;
    if (!start) throw new Error("This storage makes no backups.");
    const worker = start();
    const { promise, resolve, reject } = Promise.withResolvers<BackupSummary>();
    const copied = Promise.withResolvers<void>();
    this.#cancel = async () => {
      reject(stopping());
      worker.postMessage("cancel");
      await copied.promise;
      worker.terminate();
      removePartial(file);
    };
    worker.onmessage = ({ data }: MessageEvent<FromBackup>) => {
      if (!("copied_bytes" in data)) copied.resolve();
      if ("copied" in data) holdLog(false);
      else if ("summary" in data) resolve(data.summary);
      else if ("error" in data) reject(new Error(data.error));
      else onProgress?.(data.copied_bytes, data.total_bytes);
    };
    const lose = (reason: string) => {
      copied.resolve();
      reject(new Error(reason));
    };
    worker.onerror = (event) => lose(event.message);
    worker.addEventListener("close", () => lose("The thread of the backup ended."));
    holdLog(true);
    worker.postMessage({ source, file, compress, disk } satisfies Job);
    try {
      return await promise;
    } finally {
      this.#cancel = undefined;
      if (!this.#is_closed) worker.terminate();
      holdLog(false);
    }
  }

  /** Ends the backup that is being made, and removes what it has written. */
  async close(): Promise<void> {
    this.#is_closed = true;
    await this.#cancel?.();
  }
}

const stopping = (): ServiceError => new ServiceError(service_errors.stopping, "The service is stopping.");
