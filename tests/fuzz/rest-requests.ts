import fc from "fast-check";
import { plainPdf } from "../factories/pdfs.ts";
import {
  deepJson,
  type JsonSchema,
  oddJson,
  oddText,
  type SchemaSource,
  valuesOf,
  withChanges,
} from "./random-values.ts";
import type { RawRequest } from "./raw-client.ts";

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

/** Values that exist in the store, for requests that pass the first checks. */
export interface Known {
  /** Values by field name. */
  fields: Record<string, fc.Arbitrary<unknown>>;
  /** Valid bodies by call. */
  bodies: Record<string, fc.Arbitrary<unknown>>;
}

type Sent = Pick<RawRequest, "headers" | "body">;

const JSON_TYPE = "application/json";
const ODD_TYPES = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "application/jsonp",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  `application/json${";x=1".repeat(500)}`,
];

/** Requests of one documented call: valid, nearly valid, and nonsense. */
export function requestsOf(
  document: OpenApiDocument,
  operation: Operation,
  known: Known,
): fc.Arbitrary<RawRequest> {
  const source = { definitions: document.components.schemas, known: known.fields };
  const content = operation.requestBody?.content ?? {};
  const schema = content[JSON_TYPE]?.schema;
  const bodies = content["multipart/form-data"]
    ? fc.oneof({ weight: 3, arbitrary: uploadBodies }, jsonBodies(oddJson))
    : schema
      ? jsonBodies(sometimesRight(known.bodies[operation.name], valuesOf(schema, source)))
      : fc.oneof({ weight: 4, arbitrary: fc.constant<Sent>({ headers: {} }) }, jsonBodies(oddJson));
  return fc
    .record({ search: searches(operation, source), headers: oddHeaders, sent: bodies })
    .map(({ search, headers, sent }) => ({
      method: operation.method,
      path: operation.path + search,
      headers: { ...headers, ...sent.headers },
      body: sent.body,
    }));
}

function sometimesRight(right: fc.Arbitrary<unknown> | undefined, values: fc.Arbitrary<unknown>) {
  return right ? fc.oneof(right, withChanges(right), withChanges(values)) : withChanges(values);
}

/** Mostly JSON of these values; otherwise broken, empty, too deep, or with a wrong content type. */
function jsonBodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<Sent> {
  const texts = values.map((value) => JSON.stringify(value) ?? "");
  const broken = fc.tuple(texts, fc.nat(1000)).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  const deep = fc
    .tuple(texts, deepJson)
    .map(([text, nest]) =>
      text.endsWith("}") && text !== "{}" ? `${text.slice(0, -1)},"message":${nest}}` : nest,
    );
  const bodies = fc.oneof(
    { weight: 16, arbitrary: texts },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: oddText },
    { weight: 1, arbitrary: oddJson.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
  const types = fc.oneof(
    { weight: 12, arbitrary: fc.constant(JSON_TYPE) },
    fc.constantFrom(...ODD_TYPES),
    oddText,
  );
  return fc
    .record({ type: types, body: bodies })
    .map(({ type, body }) => ({ headers: { "Content-Type": type }, body }));
}

function searches({ parameters = [] }: Operation, source: SchemaSource): fc.Arbitrary<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const documented = fc
    .tuple(
      ...inQuery.map(({ name, schema }) => {
        const values = fc.oneof(...[source.known?.[name] ?? [], valuesOf(schema, source), oddText].flat());
        return values.map((value) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
      }),
    )
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join("&")}` : ""));
  const odd = fc.oneof(
    fc.constantFrom(
      "?",
      "?%",
      "?%ff=%00",
      "?id=1&id=2",
      "?id[]=1",
      "?__proto__=1",
      "?constructor",
      "?&&==",
      "#x",
    ),
    oddText.map((text) => `?${text}`),
    oddText.map((text) => `?id=${text.slice(0, 3000)}`),
  );
  return fc.oneof({ weight: 4, arbitrary: documented }, odd);
}

const HEADERS = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Content-Encoding",
  "Cookie",
  "Idempotency-Key",
  "If-None-Match",
  "Origin",
  "Range",
  "Referer",
  "Sec-Fetch-Site",
  "User-Agent",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "X-HTTP-Method-Override",
  "X-Request-Id",
];
const VALUES = [
  "*/*",
  "cross-site",
  "null",
  "https://evil.example",
  "session=x; session=y",
  "bytes=9-1",
  "gzip",
  "::1",
];

/** Mostly none, so that most requests pass the origin check. */
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.dictionary(
    fc.constantFrom(...HEADERS),
    fc.oneof(
      fc.constantFrom(...VALUES),
      oddText.map((text) => text.slice(0, 2000)),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
);

const sound = plainPdf(2);

const contents = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Uint8Array>(sound) },
  fc.uint8Array({ maxLength: 300 }),
  fc.nat(sound.length).map((length) => sound.subarray(0, length)),
  fc.uint8Array({ maxLength: 60 }).map((tail) => Buffer.concat([Buffer.from("%PDF-1.7\n"), tail])),
);

interface Part {
  field: string;
  fileName: string | null;
  type: string;
  content: Uint8Array;
}

const parts: fc.Arbitrary<Part> = fc.record({
  field: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("file", "upload_preset") }, oddText),
  fileName: fc.oneof({ weight: 3, arbitrary: fc.constant("notes.pdf") }, fc.constant(null), oddText),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant("application/pdf") }, oddText),
  content: contents,
});

const rightParts: fc.Arbitrary<Part[]> = contents.map((content) => [
  { field: "upload_preset", fileName: null, type: "text/plain", content: Buffer.from("documents") },
  { field: "file", fileName: "notes.pdf", type: "application/pdf", content },
]);

/** Multipart forms: valid ones, ones with too much or too little, and truncated ones. */
const uploadBodies: fc.Arbitrary<Pick<RawRequest, "headers" | "body">> = fc
  .record({
    form: fc.oneof({ weight: 2, arbitrary: rightParts }, fc.array(parts, { maxLength: 4 })),
    boundary: fc.oneof(
      { weight: 8, arbitrary: fc.constant("line") },
      fc.constantFrom('"li ne"', "", "x".repeat(80)),
    ),
    declared: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.constantFrom("other", "", '"')),
    keep: fc.oneof(
      { weight: 4, arbitrary: fc.constant(1) },
      fc.noBias(fc.nat(100)).map((percent) => percent / 100),
    ),
  })
  .map(({ form, boundary, declared, keep }) => {
    const whole = write(form, boundary.replaceAll('"', ""));
    return {
      headers: { "Content-Type": `multipart/form-data; boundary=${declared ?? boundary}` },
      body: whole.subarray(0, Math.round(whole.length * keep)),
    };
  });

function write(form: Part[], boundary: string): Buffer {
  const written = form.flatMap(({ field, fileName, type, content }) => {
    const name = fileName === null ? "" : `; filename="${fileName}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\nContent-Type: ${type}\r\n\r\n`;
    return [Buffer.from(head), content, Buffer.from("\r\n")];
  });
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

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
