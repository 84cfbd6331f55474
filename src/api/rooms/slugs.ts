/** The slugs of rooms in addresses. */

/** How the slug of a private room begins, and no other: the words of a goal have no two hyphens in a row. */
export const private_slug_beginning = "private--";
