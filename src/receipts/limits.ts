/** Limits of receipts. */

export const receipt_limits = {
  receipt_chars_max: 4_096,
} as const;
