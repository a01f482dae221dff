import type { AnyProcedure } from "@trpc/server";
import fc from "fast-check";
import { sql } from "kysely";
import { z } from "zod";
import { appRouter } from "#server/router.ts";
import { ACCESS, type Caller, PERMISSIONS } from "#shared/permissions.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import type { TestStore } from "../setup/test-store.ts";
import {
  type JsonSchema,
  oddJson,
  oddText,
  type SchemaSource,
  valuesOf,
  withChanges,
} from "./random-values.ts";
import { type RawAnswer, RawClient, type RawRequest, type Send, sendAs } from "./raw-client.ts";
import { addTallies, type FuzzSettings, type Tally, tallyRequests } from "./tally.ts";

const CALLERS = ["guest", "visitor", "customer", "counter", "owner", "admin"] as const satisfies Caller[];

export interface TrpcFuzz {
  store: TestStore;
  /** One for each role. */
  senders: Record<Caller, Send>;
  /** Existing ids, by the fields that hold them. */
  known: Record<string, fc.Arbitrary<unknown>>;
  close(): void;
}

/** A store with a person of each role, and an order. */
export async function prepareTrpcFuzz(store: TestStore): Promise<TrpcFuzz> {
  const [shopId] = await shopIds(store);
  const { visitor, student } = await signedInStudent(store);
  const counter = await signedInCounter(store, [shopId]);
  const owner = await signedInOwner(store, [shopId]);
  const admin = await signedInAdmin(store);
  const order = await placeAnother(visitor, student, shopId);
  const code = await codeAt(counter.visitor, shopId);
  const atCounter = await visitorAt(store, shopId, code);
  const client = new RawClient(store.url);
  const id = fc.constantFrom(shopId, order.id, order.fileId);
  return {
    store,
    senders: {
      guest: (request) => client.send(request),
      visitor: async (request) => {
        const answer = await client.send(request, atCounter.cookieHeader);
        if (answer.headers["set-cookie"]) await atCounter.mutate("visits.open", { shopId, code });
        return answer;
      },
      customer: sendAs(client, visitor, student),
      counter: sendAs(client, counter.visitor, counter.person),
      owner: sendAs(client, owner.visitor, owner.person),
      admin: sendAs(client, admin.visitor, admin.person),
    },
    known: {
      id,
      shopId: fc.constant(shopId),
      orderId: fc.constant(order.id),
      fileId: fc.constant(order.fileId),
    },
    close: () => client.close(),
  };
}

/** Calls that must be refused because of their caller or their input; one tally per procedure. */
export function fuzzRefusals(fuzz: TrpcFuzz, settings: FuzzSettings): Promise<Tally[]> {
  return tallyProcedures(fuzz, settings, refusalFault, (procedure, caller) => {
    return mayCall(procedure, caller)
      ? refusedCallsOf(procedure, fuzz.known)
      : callsOf(procedure, fuzz.known);
  });
}

/** All kinds of calls by callers who may make them, and some to procedures that do not exist. */
export async function fuzzCalls(fuzz: TrpcFuzz, settings: FuzzSettings): Promise<Tally[]> {
  const tallies = await tallyProcedures(fuzz, settings, breakdown, (procedure, caller) =>
    mayCall(procedure, caller) ? callsOf(procedure, fuzz.known) : null,
  );
  const strays = { name: "no procedure", requests: strayCalls, judge: breakdown, send: fuzz.senders.admin };
  const requests = Math.ceil(settings.requests / PROCEDURES.length);
  return [...tallies, await tallyRequests(strays, { ...settings, requests })];
}

/** Half of each; a procedure's tallies are added up. */
export async function fuzzTrpc(store: TestStore, settings: FuzzSettings): Promise<Tally[]> {
  const fuzz = await prepareTrpcFuzz(store);
  const half = { ...settings, requests: Math.ceil(settings.requests / 2) };
  const tallies = [...(await fuzzRefusals(fuzz, half)), ...(await fuzzCalls(fuzz, half))];
  fuzz.close();
  return addTallies(tallies);
}

async function tallyProcedures(
  { senders }: TrpcFuzz,
  { seed, requests }: FuzzSettings,
  judge: (answer: RawAnswer) => string | null,
  callsBy: (procedure: Procedure, caller: Caller) => fc.Arbitrary<RawRequest> | null,
): Promise<Tally[]> {
  const subjects = PROCEDURES.flatMap((procedure) =>
    CALLERS.flatMap((caller) => {
      const calls = callsBy(procedure, caller);
      const name = procedure.name;
      return calls ? { name, requests: calls, judge, send: senders[caller] } : [];
    }),
  );
  const each = Math.ceil(requests / subjects.length);
  const tallies: Tally[] = [];
  for (const [index, subject] of subjects.entries()) {
    tallies.push(await tallyRequests(subject, { seed: seed + index, requests: each }));
  }
  return addTallies(tallies);
}

function mayCall({ name }: Procedure, caller: Caller): boolean {
  const access = PERMISSIONS[name as keyof typeof PERMISSIONS];
  return (ACCESS[access] as readonly Caller[]).includes(caller);
}

function refusalFault(answer: RawAnswer): string | null {
  const isRefusal = answer.status >= 400 || answer.text.includes("event: serialized-error");
  return isRefusal ? breakdown(answer) : `answered ${answer.status} instead of a refusal: ${answer.text}`;
}

function breakdown({ status, text }: RawAnswer): string | null {
  const isKnownTrouble = status === 503 && /"appCode":"(STORAGE_FULL|UNAVAILABLE)"/.test(text);
  if (status >= 500 && !isKnownTrouble) return `broke down with ${status}: ${text}`;
  return /"appCode":"INTERNAL"|"stack":/.test(text) ? `told of its inside: ${text}` : null;
}

/** All rows, by table. */
export async function everyRow({ deps: { readDb } }: TestStore): Promise<Record<string, string[]>> {
  const tables = await readDb.introspection.getTables();
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(readDb);
    found[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** One procedure, as called over HTTP. */
interface Procedure {
  name: string;
  type: "query" | "mutation" | "subscription";
  /** The schemas of its input; null if it takes bytes. */
  inputs: z.ZodType[] | null;
}

const procedures: Record<string, unknown> = appRouter._def.procedures;
const PROCEDURES: Procedure[] = Object.entries(procedures).map(([name, procedure]) => {
  const { type, inputs = [] } = (procedure as AnyProcedure)._def as {
    type: Procedure["type"];
    inputs?: unknown[];
  };
  const schemas = inputs.filter((input) => input instanceof z.ZodType);
  return { name, type, inputs: schemas.length === inputs.length ? schemas : null };
});

type Known = NonNullable<SchemaSource["known"]>;

/** Calls of a procedure with valid input, nearly valid input, and nonsense. */
function callsOf(procedure: Procedure, known: Known): fc.Arbitrary<RawRequest> {
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
function refusedCallsOf(procedure: Procedure, known: Known): fc.Arbitrary<RawRequest> | null {
  const { inputs } = procedure;
  if (!inputs || inputs.length === 0) return null;
  const isRefused = (input: unknown) => inputs.some((schema) => !schema.safeParse(input).success);
  return fc
    .oneof(oddJson, inputsOf(procedure, known))
    .map((input): unknown => JSON.parse(JSON.stringify(input) ?? "null"))
    .filter(isRefused)
    .map(callWith(procedure));
}

/** By the ids that are known, and by procedure: each is called by people of every role. */
const madeInputs = new WeakMap<Known, Map<string, fc.Arbitrary<unknown>>>();

function inputsOf(procedure: Procedure, known: Known): fc.Arbitrary<unknown> {
  const made = madeInputs.get(known) ?? new Map<string, fc.Arbitrary<unknown>>();
  madeInputs.set(known, made);
  const inputs = made.get(procedure.name) ?? makeInputs(procedure, known);
  made.set(procedure.name, inputs);
  return inputs;
}

function makeInputs({ inputs }: Procedure, known: Known): fc.Arbitrary<unknown> {
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
  return fc.uint8Array({ maxLength: 400 }).map((body) => ({
    method: "POST",
    path: `/api/trpc/${name}`,
    headers: { "Content-Type": "application/octet-stream" },
    body,
  }));
}

/** What the protocol does not define: unknown procedures, wrong methods, batches of anything. */
const strayCalls: fc.Arbitrary<RawRequest> = fc
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
