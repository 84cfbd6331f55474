/** Processes that tests have started: the last of them ends those that failing tests left behind (end_leftovers.ts). */

export const started: Bun.Subprocess[] = [];
