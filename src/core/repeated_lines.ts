/** Folds equal lines of the log: the first is written, the lines of the next 10 s become one line with their number. */

import type { Clock } from "./clock.ts";
import { limits } from "./limits.ts";

export interface LogLine {
  /** ISO time. */
  at: string;
  level: string;
  event: string;
  fields: Record<string, unknown>;
}

export class RepeatedLines {
  /** Lines written in the last 10 s: how often each was repeated, and the latest repetition. */
  readonly #written = new Map<string, { repeated: number; latest: LogLine; cancel: () => void }>();

  constructor(
    private readonly clock: Pick<Clock, "after">,
    private readonly emit: (line: LogLine) => void,
  ) {}

  /** Takes a line that repeats one of the last 10 s. Returns false for another: it has to be written now. */
  takes(line: LogLine): boolean {
    const { level, event, fields } = line;
    const key = JSON.stringify([level, event, { ...fields, request_id: undefined }]);
    const found = this.#written.get(key);
    if (found) {
      found.repeated++;
      found.latest = line;
      return true;
    }
    if (this.#written.size < limits.log_lines_compared_max) {
      const cancel = this.clock.after(limits.log_fold_seconds * 1000, () => this.#end(key));
      this.#written.set(key, { repeated: 0, latest: line, cancel });
    }
    return false;
  }

  /** Writes how often a line was repeated, with the time and the request of the latest repetition. */
  #end(key: string): void {
    const { repeated, latest, cancel } = this.#written.get(key)!;
    this.#written.delete(key);
    cancel();
    if (repeated > 0) this.emit({ ...latest, fields: { ...latest.fields, repeated } });
  }

  /** Writes all repetitions. */
  close(): void {
    for (const key of this.#written.keys()) this.#end(key);
  }
}
