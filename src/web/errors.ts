/** Errors of HTTP requests, for every route. */

import { defineErrors } from "../core/error_definition.ts";

export const web_errors = defineErrors({
  malformed_json: {
    kind: "malformed",
    title: "The body is not JSON",
    explanation:
      "The request body could not be read as UTF-8 JSON (RFC 8259), or it is nested deeper than 32 levels.",
  },
  malformed_form: {
    kind: "malformed",
    title: "The form could not be read",
    explanation: "The form body is not valid UTF-8.",
  },
  origin_refused: {
    kind: "forbidden",
    title: "That web page may not call here",
    explanation:
      "A web page of another origin called a service that has no public base URL, or a form did not come from a page of this service. Whoever runs the service can allow an origin, or name its public address. Programs send no Origin header.",
  },
  path_not_found: {
    kind: "not_found",
    title: "There is nothing here",
    explanation: "The service has no such path.",
  },
  method_not_allowed: {
    kind: "method_not_allowed",
    title: "That method is not for this path",
    explanation: "The path exists, with other methods. They are named in the Allow header.",
  },
  unknown_method: {
    kind: "not_implemented",
    title: "That method is not known here",
    explanation:
      "The service knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS. It closes the connection after this answer.",
  },
  not_acceptable: {
    kind: "not_acceptable",
    title: "Nothing here in a form you accept",
    explanation: "The Accept header rules out every form in which this resource exists.",
  },
  body_too_large: {
    kind: "too_large",
    title: "The body is too large",
    explanation: "The request body is over the limit that the answer names. Nothing was stored.",
  },
  unsupported_media_type: {
    kind: "unsupported_media",
    title: "That media type is not read here",
    explanation: "The Content-Type of the request is not one that this path reads.",
  },
  host_not_served: {
    kind: "misdirected",
    title: "This host name is not served here",
    explanation:
      "The Host header names a host that this service was not told to serve. This protects it against DNS rebinding.",
  },
});
