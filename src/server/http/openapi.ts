import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { html } from "hono/html";
import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "#shared/error-codes.ts";
import { loadOnce } from "#shared/load-once.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { PERMISSIONS, type Procedure } from "#shared/permissions.ts";
import type { Deps } from "../context.ts";
import { STATUS } from "../errors.ts";
import { cookieName, type Env, SESSION_COOKIE } from "./request-context.ts";

/** The groups of operations, in the order of an order. */
const TAGS = {
  Users: "Sign-up, login by password or code, password recovery and logout",
  Shops: "Print shops with their options and prices",
  Files: "Files to print",
  Orders: "Orders of a logged-in student",
  Contact: "Messages to the store",
} as const;
export type Tag = keyof typeof TAGS;

const SESSION_SCHEME = "session";

/** The id of a procedure's operation, and whether it needs a session. */
export function operationOf(procedure: Procedure) {
  const isPublic = PERMISSIONS[procedure] === "everyone";
  return { operationId: procedure, security: isPublic ? [] : [{ [SESSION_SCHEME]: [] }] };
}

const ASSETS = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
} as const;

const START_SCRIPT = `SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#docs" })`;

/** Mounts the OpenAPI document and a Swagger UI page that loads nothing from other hosts. */
export function mountApiDocs(api: OpenAPIHono<Env>, { publicUrl }: Pick<Deps, "publicUrl">): void {
  api.openAPIRegistry.registerComponent("securitySchemes", SESSION_SCHEME, {
    type: "apiKey",
    in: "cookie",
    name: cookieName(SESSION_COOKIE, publicUrl().startsWith("https:")),
    description: "The cookie that a login sets",
  });
  const document = onFirstUse(() =>
    api.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Print Store",
        version: "1",
        description: "Browse print shops, upload PDFs and order prints.",
        license: { name: "Terms and Conditions", url: `${publicUrl()}/terms-and-conditions` },
      },
      servers: [{ url: "/api/v1", description: "This store" }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    }),
  );
  api.get("/openapi.json", (c) => c.json(document()));
  api.get("/docs/start.js", (c) => c.body(START_SCRIPT, 200, { "Content-Type": "text/javascript" }));
  for (const [name, type] of Object.entries(ASSETS)) {
    // Importing the package to find its folder would run the whole bundle on the server. All who read it share its bytes,
    // however slow they are.
    const load = loadOnce(() => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))));
    api.get(`/docs/${name}`, async (c) => {
      const body = await load();
      return c.body(body, 200, { "Content-Type": type, "Cache-Control": "public, max-age=86400" });
    });
  }
  api.get("/docs", (c) => {
    c.header(
      "Content-Security-Policy",
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    return c.html(docsPage);
  });
}

const docsPage = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Print Store API</title>
    <link rel="stylesheet" href="/api/v1/docs/swagger-ui.css" />
  </head>
  <body>
    <main id="docs"></main>
    <script src="/api/v1/docs/swagger-ui-bundle.js"></script>
    <script src="/api/v1/docs/start.js"></script>
  </body>
</html>`;

/** Errors that every route can return. */
const COMMON_FAILURES: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "FORBIDDEN",
  "TOO_LARGE",
  "UNSUPPORTED_TYPE",
  "INTERNAL",
  "UNAVAILABLE",
];

const failureBody = z
  .object({
    success: z.literal(false),
    message: z.string(),
    code: z.enum(ERROR_CODES),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Failure" });

/** OpenAPI responses of these errors and of the common ones, one per status. */
export function failureResponses(failures: readonly ErrorCode[]) {
  const byStatus = Map.groupBy([...COMMON_FAILURES, ...failures], (code) => STATUS[code].http);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: codes.join(" or "), content: jsonContent(failureBody) },
    ]),
  );
}

/** The content of a JSON body in the documentation. */
export function jsonContent(schema: z.ZodType) {
  return { "application/json": { schema } };
}
