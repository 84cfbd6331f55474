/** Limits of the process. */

export const app_limits = {
  /** File descriptors: about 16 at the start, three for the read connection, one for each client. */
  open_files_min: 64,
  /** With fewer, `wharf doctor` warns. */
  open_files_wanted: 4096,
  /** Free descriptors without which no thread is started; one takes about five. */
  open_files_per_thread: 10,
  /** How often the delay of the event loop is measured. */
  lag_every_ms: 500,
} as const;
