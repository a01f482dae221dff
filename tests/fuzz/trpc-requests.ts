import type { AnyProcedure } from "@trpc/server";
import fc from "fast-check";
import { z } from "zod";
import { appRouter } from "#server/router.ts";
import { oddJson, oddText } from "./odd-values.ts";
import type { RawRequest } from "./raw-client.ts";
import { type JsonSchema, type SchemaSource, valuesOf, withChanges } from "./schema-values.ts";

/** One procedure, as called over HTTP. */
export interface Procedure {
  name: string;
  type: "query" | "mutation" | "subscription";
  /** The schemas of its input; null if it takes bytes. */
  inputs: z.ZodType[] | null;
}

const procedures: Record<string, unknown> = appRouter._def.procedures;
export const PROCEDURES: Procedure[] = Object.entries(procedures).map(([name, procedure]) => {
  const { type, inputs = [] } = (procedure as AnyProcedure)._def as {
    type: Procedure["type"];
    inputs?: unknown[];
  };
  const schemas = inputs.filter((input) => input instanceof z.ZodType);
  return { name, type, inputs: schemas.length === inputs.length ? schemas : null };
});

type Known = NonNullable<SchemaSource["known"]>;

/** Calls of a procedure with valid input, nearly valid input, and nonsense. */
export function callsOf(procedure: Procedure, known: Known): fc.Arbitrary<RawRequest> {
  if (!procedure.inputs)
    return fc.oneof(byteCalls(procedure), inputsOf(procedure, known).map(callWith(procedure)));
  const broken = fc.constantFrom("{", "", '"\\ud800', "[1,", "\0", "nul");
  return fc
    .oneof(
      { weight: 8, arbitrary: inputsOf(procedure, known).map((input) => JSON.stringify(input) ?? "") },
      broken,
    )
    .map((text) => callWithText(procedure, text));
}

/** Calls whose input the procedure must refuse; null if there are none. */
export function refusedCallsOf(procedure: Procedure, known: Known): fc.Arbitrary<RawRequest> | null {
  const { inputs } = procedure;
  if (!inputs || inputs.length === 0) return null;
  const isRefused = (input: unknown) => inputs.some((schema) => !schema.safeParse(input).success);
  return fc
    .oneof(oddJson, inputsOf(procedure, known))
    .map((input): unknown => JSON.parse(JSON.stringify(input) ?? "null"))
    .filter(isRefused)
    .map(callWith(procedure));
}

function inputsOf({ inputs }: Procedure, known: Known): fc.Arbitrary<unknown> {
  if (!inputs || inputs.length === 0) return oddJson;
  const parts = inputs.map(
    (input) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonSchema,
  );
  const values = parts.map((schema) => valuesOf(schema, { definitions: schema.$defs ?? {}, known }));
  const whole = values.length === 1 ? values[0] : fc.tuple(...values).map((all) => Object.assign({}, ...all));
  return withChanges(whole ?? oddJson);
}

function callWith(procedure: Procedure) {
  return (input: unknown) => callWithText(procedure, JSON.stringify(input) ?? "");
}

function callWithText({ name, type }: Procedure, text: string): RawRequest {
  const path = `/api/trpc/${name}`;
  if (type === "mutation") {
    return { method: "POST", path, headers: { "Content-Type": "application/json" }, body: text };
  }
  return { method: "GET", path: `${path}?input=${encodeURIComponent(text)}`, headers: {} };
}

function byteCalls({ name }: Procedure): fc.Arbitrary<RawRequest> {
  return fc.tuple(fc.uint8Array({ maxLength: 400 }), oddText).map(([body, fileName]) => ({
    method: "POST",
    path: `/api/trpc/${name}`,
    headers: {
      "Content-Type": "application/octet-stream",
      "X-File-Name": encodeURIComponent(fileName.toWellFormed().slice(0, 200)),
    },
    body,
  }));
}

/** What the protocol does not define: unknown procedures, wrong methods, batches of anything. */
export const strayCalls: fc.Arbitrary<RawRequest> = fc
  .record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS"),
    names: fc.array(
      fc.oneof(fc.constantFrom("__proto__", "constructor", "accounts", "shops.list", "a.b.c"), oddText),
      { minLength: 1, maxLength: 4 },
    ),
    search: fc.constantFrom(
      "",
      "?batch=1",
      "?batch=1&input={}",
      "?batch=1&input=null",
      "?input=%",
      "?connectionParams={",
    ),
    type: fc.constantFrom(
      "application/json",
      "application/octet-stream",
      "multipart/form-data",
      "text/plain",
    ),
    body: fc.oneof(
      fc.constant("{}"),
      oddJson.map((value) => JSON.stringify(value) ?? ""),
    ),
  })
  .map(({ method, names, search, type, body }) => ({
    method,
    path: `/api/trpc/${names.join(",").replaceAll(/[?#]|\.\./g, "")}${search}`,
    headers: { "Content-Type": type },
    body: method === "GET" ? undefined : body,
  }));
