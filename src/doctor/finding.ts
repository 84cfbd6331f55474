/** What a check of the doctor finds. */

export interface Finding {
  /** What was checked, such as `permissions`. */
  check: string;
  /** warning: it works, and something should be done. */
  status: "ok" | "warning" | "failed";
  /** What was found, as a sentence. */
  found: string;
  /** What to do; absent if all is well. */
  remedy?: string;
}

/** What makes the findings of a check. */
export const findingsOf = (check: string) => ({
  ok: (found: string): Finding => ({ check, status: "ok", found }),
  warning: (found: string, remedy: string): Finding => ({ check, status: "warning", found, remedy }),
  failed: (found: string, remedy: string): Finding => ({ check, status: "failed", found, remedy }),
});

/** A size in words. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Math.round(bytes / 1000 ** power)} ${units[power]}`;
}
