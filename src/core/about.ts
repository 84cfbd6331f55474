/** What the operator says about the instance. Each is null if it is not set. */

import type { Config } from "./settings.ts";

/** `contact` is an e-mail address or a URL. */
export type About = Pick<Config, "title" | "contact" | "terms_url">;

/** The name of the instance. */
export const titleOf = ({ title }: About): string => title ?? "Wharf";

/** Whether a contact is a URL, not an e-mail address. */
export const isUrl = (contact: string): boolean => /^https?:/.test(contact);
