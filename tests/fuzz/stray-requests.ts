import fc from "fast-check";
import { oddText } from "./odd-values.ts";
import { failureSchema, type OpenApiDocument, operationsOf, type ResponseCheck } from "./open-api.ts";
import type { RawRequest } from "./raw-client.ts";

const METHODS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LOCK", "M-SEARCH"];

/**
 * Requests that are not documented: other methods, and paths next to and below the calls, none of which leaves the API.
 */
export function strayRequests(document: OpenApiDocument): fc.Arbitrary<RawRequest> {
  const paths = fc.constantFrom(...operationsOf(document).map(({ path }) => path));
  const others = fc
    .tuple(paths, fc.constantFrom("", "/", "//", "/%2f..%2f", "/__proto__"), oddText)
    .map(([path, join, text]) => `${path}${join}x${text.replaceAll(/\?|\.\./g, "")}`);
  const common = { headers: fc.constant({ "Content-Type": "application/json" }), body: fc.constant("{}") };
  return fc.oneof(
    fc.record({ method: fc.constantFrom(...METHODS), path: paths, ...common }),
    fc.record({ method: fc.constantFrom("GET", "POST", ...METHODS), path: others, ...common }),
  );
}

/** All must be refused with the documented error body; HTTP itself may refuse a path that is no URL. */
export function strayCheck(document: OpenApiDocument): ResponseCheck {
  const schema = failureSchema(document);
  return ({ status, text }) => {
    if (status < 400 || status >= 500) return `answered ${status}: ${text}`;
    if (status === 400 && text === "") return null;
    const { error } = schema.safeParse(JSON.parse(text));
    return error ? `answered ${status} in another shape: ${text}` : null;
  };
}
