import { z } from "zod";
import type { RawAnswer } from "./raw-client.ts";
import type { JsonSchema } from "./schema-values.ts";

/** The parts of an OpenAPI document that describe calls and responses. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedCall>>;
  components: { schemas: Record<string, JsonSchema> };
  servers: { url: string }[];
}

interface DocumentedCall {
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** One documented call. */
export interface Operation extends DocumentedCall {
  /** For example `POST /users/login`. */
  name: string;
  method: string;
  /** The requested path. */
  path: string;
}

export function operationsOf({ paths, servers }: OpenApiDocument): Operation[] {
  const base = servers[0]?.url ?? "";
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, call]) => {
      const method = verb.toUpperCase();
      return { ...call, name: `${method} ${path}`, method, path: `${base}${path}` };
    }),
  );
}

/** What is wrong with a response according to the document; null if nothing. */
export type ResponseCheck = (answer: RawAnswer) => string | null;

/**
 * Judges the responses of one call: a documented status below 500 and a body that matches its schema, without further
 * fields.
 */
export function responseCheck(document: OpenApiDocument, { responses }: Operation): ResponseCheck {
  const schemas = new Map(
    Object.entries(responses).map(([status, { content }]) => [
      Number(status),
      strictSchema(document, content?.["application/json"]?.schema ?? {}),
    ]),
  );
  return ({ status, headers, text }) => {
    if (status >= 500 && status !== 503) return `broke down with ${status}: ${text}`;
    const schema = schemas.get(status);
    if (!schema) return `answered ${status}, which is not documented: ${text}`;
    if (!headers["content-type"]?.startsWith("application/json")) return `answered ${status} without JSON`;
    const { error } = schema.safeParse(JSON.parse(text));
    return error ? `answered ${status} against its schema: ${z.prettifyError(error)}\n${text}` : null;
  };
}

export function failureSchema(document: OpenApiDocument): z.ZodType {
  return strictSchema(document, { $ref: "#/components/schemas/Failure" });
}

/** A schema of the document that also refuses unknown fields. */
function strictSchema({ components }: OpenApiDocument, schema: JsonSchema): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components.schemas }, (_key, value: unknown) =>
    isClosedObject(value) ? { ...value, additionalProperties: false } : value,
  );
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}

function isClosedObject(value: unknown): value is JsonSchema {
  const schema = value as JsonSchema | null;
  return schema?.type === "object" && schema.properties !== undefined && !("additionalProperties" in schema);
}
