/** What every page for people is sent with. */

/** Only our own style sheet and forms; no scripts, no frames, nothing from elsewhere. */
export const page_headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};
