/** Turns anything that a route threw into an expected failure. Unexpected errors are logged and become `internal`. */

import type { ValueError } from "@sinclair/typebox/errors";
import { web_errors } from "./errors.ts";
import { service_errors } from "../core/general_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { errorText, type Log } from "../core/log.ts";
import { invalid } from "./problems.ts";
import { pathOf, type Routes } from "./allowed_methods.ts";
import { factsOf } from "./request_facts.ts";

interface ElysiaValidationError {
  type: string;
  value: unknown;
  validator: { Errors(value: unknown): Iterable<ValueError> };
}

/** `code` is Elysia's name for the kind of error. */
export function failureOf(
  code: string | number,
  error: unknown,
  request: Request,
  routes: Routes,
  log: Log,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (code === "NOT_FOUND") return noRoute(request, routes);
  if (code === "VALIDATION") {
    const { type, value, validator } = error as ElysiaValidationError;
    return invalid(validator.Errors(value), type);
  }
  log.error("request.failed", {
    method: request.method,
    path: pathOf(request),
    request_id: factsOf(request).id,
    error: errorText(error),
  });
  return new ServiceError(service_errors.internal, "Something broke on our side; it has been logged.");
}

function noRoute(request: Request, routes: Routes): ServiceError {
  const path = pathOf(request);
  const methods = routes.methods(path);
  const hint = routes.meant(path);
  return methods.length > 0
    ? new ServiceError(web_errors.method_not_allowed, `This path takes ${methods.join(", ")}.`, {
        allow: methods,
        ...(hint !== undefined && { hint }),
      })
    : new ServiceError(web_errors.path_not_found, "There is nothing at this address.", {
        hint: hint ?? "GET /llms.txt says what there is; GET /openapi.json names every path.",
      });
}
