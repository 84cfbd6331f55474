/** Limits of the process. */

export const app_limits = {
  /** File descriptors: about 16 at the start, three for the read connection, one for each client. */
  open_files_min: 64,
  /** Free descriptors without which no thread is started; one takes about five. */
  open_files_per_thread: 10,
} as const;
